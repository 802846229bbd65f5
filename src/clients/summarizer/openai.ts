import pLimit from 'p-limit';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { answerFrom } from './answering/answerFrom.ts';
import { createBuiltInSummarizer } from './builtIn/summarizer.ts';
import { checkedDigest } from './checker/checkedDigest.ts';
import { wantedFor } from './openai/answerLanguage.ts';
import { createApi, type Wanted } from './openai/api.ts';
import { toClientError } from './openai/apiErrors.ts';
import { prepareRequest } from './openai/prepareRequest.ts';
import { backgroundOf, todayOf } from './openai/prompt.ts';
import { readDay } from './openai/readDay.ts';
import { tellQuestions } from './tellQuestions.ts';
import { inLanguages } from './translating/inLanguages.ts';
import { type AiFormat, type Summarizer, type SummarizerReport, type Summary, SummaryFailed } from './types.ts';
import { withRequests } from './withRequests.ts';

export type OpenAiOptions = {
  /** Undefined for a server that takes none. */
  apiKey: string | undefined;
  model: string;
  /** Another compatible server than the vendor's, up to and with `/v1`. */
  apiUrl?: string;
  /** How the server is asked for JSON; default: by a schema. */
  format?: AiFormat;
  /** What the model takes in at once, answer included; longer days are read in parts. */
  contextTokens?: number;
  /** Called for answers that had to be repaired, calls that were retried, and what only the operator can fix. */
  report: (failure: SummarizerReport) => void;
  clock?: Clock;
  /** Reads by rules on this machine what no service is asked; default: in this thread. */
  builtIn?: Summarizer;
  /** Milliseconds for one answer of the service. */
  callTimeoutMs?: number;
  /** Milliseconds for an answer to a question, with the wait for a slot: someone is looking at the page. */
  answerMs?: number;
  /** Lets a request through when the service has a slot for it; default: at once. */
  inSlot?: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;
};

/** Preparing a day blocks the whole process. */
const oneAtATime = pLimit(1);

/**
 * The summarizer that asks an AI service (OpenAI's or a compatible one). Messages are sent without secrets and as data;
 * only plain text, known words and message numbers are taken from the answer. Nothing is remembered of an answer or an
 * error, so that no conversation changes what another gets.
 * Throws ClientError: `AI_UNAVAILABLE` (temporary; rateLimited with the requested wait; permanent when key, quota or
 * model is refused), `TIMEOUT` (temporary), `AI_BAD_OUTPUT`, `AI_REFUSED_REQUEST` and `AI_CONTEXT_TOO_SMALL` (permanent).
 */
export function createOpenAiSummarizer(options: OpenAiOptions): Summarizer {
  const { model, report, clock = systemClock, callTimeoutMs = 60_000, contextTokens = 16_384 } = options;
  const { builtIn = createBuiltInSummarizer(), answerMs = 25_000, inSlot = work => work() } = options;
  const api = createApi({ ...options, clock, callTimeoutMs });
  const complete = (wanted: Wanted, until: AbortSignal) => inSlot(() => api(wanted, until), until);
  return {
    isInstant: false,
    excerpt: request => builtIn.summarize(request),
    readClosings: request => builtIn.readClosings(request),
    readWaits: request => builtIn.readWaits(request),
    async answerFrom(request, { signal } = {}) {
      const inTime = AbortSignal.timeout(answerMs);
      return answerFrom(request, { complete, report, signal: signal ? AbortSignal.any([signal, inTime]) : inTime });
    },
    async summarize(request, { signal } = {}): Promise<Summary> {
      const { conversation, messages, lines, known } = await oneAtATime(() => prepareRequest(request));
      if (lines.length === 0) return builtIn.summarize(request, { signal });
      const usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };
      const { languages, openPromises } = request;
      const language = wantedFor(conversation, languages?.pages);
      const asking = {
        ...{ complete, report, language, usage, rules: { known, style: request.style } },
        signal: signal ?? new AbortController().signal,
      };
      const about = backgroundOf(request, conversation, { lines, known, language: language.wanted[0] ?? null });
      const reply = await readDay(asking, lines, about, contextTokens).catch(error => {
        const failure = toClientError(error);
        throw usage.promptTokens + usage.completionTokens > 0 ? new SummaryFailed(failure, usage) : failure;
      });
      const today = todayOf(request, conversation.timezone);
      const [writtenIn = conversation.language] = language.wanted;
      const ground = { lines, conversation, messages, today, openPromises, writtenIn };
      const { digest: written, said } = await checkedDigest(reply, ground, report);
      const { language: spoken } = written.structured;
      const digest = await inLanguages(written, {
        ...{ pages: languages?.pages ?? spoken, crm: languages?.crm ?? spoken },
        ...{ said, asking, stopped: signal, messages },
      });
      digest.structured.actionItems = withRequests(digest.structured.actionItems, messages);
      const { questions, ...read } = await builtIn.readWaits(request);
      const asked = questions.map(({ messageId }) => messageId);
      const waits = { ...read, questions: tellQuestions(asked, digest.sentences, messages) };
      return { ...digest, waits, engine: model, usage };
    },
  };
}
