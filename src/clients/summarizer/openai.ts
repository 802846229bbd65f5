import pLimit from 'p-limit';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { ClientError } from '../errors.ts';
import { answerFrom } from './answering/answerFrom.ts';
import { createBuiltInSummarizer } from './builtIn/summarizer.ts';
import { checkedDigest } from './checker/checkedDigest.ts';
import { createApi, type Wanted } from './openai/api.ts';
import { ContextCut, toClientError } from './openai/apiErrors.ts';
import { createContextWindow, randomCode } from './openai/contextWindow.ts';
import { prepareRequest } from './openai/prepareRequest.ts';
import { backgroundOf, todayOf } from './openai/promptBackground.ts';
import { readDay } from './openai/readDay.ts';
import { createWorkTimeout } from './openai/workTimeout.ts';
import { tellQuestions } from './tellQuestions.ts';
import { inLanguages } from './translating/inLanguages.ts';
import { type Summarizer, type SummarizerReport, type Summary, SummaryFailed, type TokenUsage } from './types.ts';
import { withRequests } from './withRequests.ts';

export type OpenAiOptions = {
  /** Undefined for a server that takes none. */
  apiKey: string | undefined;
  model: string;
  /** Another compatible server than the vendor's, up to and with `/v1`. */
  apiUrl?: string;
  /** Called for answers that had to be repaired, calls that were retried, and what only the operator can fix. */
  report: (failure: SummarizerReport) => void;
  clock?: Clock;
  /** Reads by rules on this machine what no service is asked; default: in this thread. */
  builtIn?: Summarizer;
  /** Milliseconds for one answer of the service. */
  callTimeoutMs?: number;
  /** Milliseconds for one summary, with everything it takes: parts, waits, second tries. Default: five answers. */
  deadlineMs?: number;
  /** Milliseconds for an answer to a question, with the wait for a slot: someone is looking at the page. */
  answerMs?: number;
  /** Lets a request through when the service has a slot for it; default: at once. */
  inSlot?: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;
  /** Days estimated at more tokens are read in parts. */
  partTokens?: number;
};

/** Preparing a day blocks the whole process. */
const oneAtATime = pLimit(1);
/**
 * The summarizer that asks an AI service (OpenAI's or a compatible one). Messages are sent without secrets and as data;
 * only plain text, known words and message numbers are taken from the answer.
 * Throws ClientError: `AI_UNAVAILABLE` (temporary; rateLimited with the requested wait; permanent when key, quota or
 * model is refused), `TIMEOUT` (temporary), `AI_BAD_OUTPUT` (permanent: refused or unreadable twice). What is too long
 * for the model's context even in the smallest parts is left to the built-in summarizer.
 */
export function createOpenAiSummarizer(options: OpenAiOptions): Summarizer {
  const { model, report, clock = systemClock, callTimeoutMs = 60_000 } = options;
  const { builtIn = createBuiltInSummarizer() } = options;
  const { deadlineMs = 5 * callTimeoutMs, partTokens = 24_000, answerMs = 25_000, inSlot = work => work() } = options;
  const complete = createApi({ ...options, clock, callTimeoutMs });
  const contexts = createContextWindow({ report, clock });
  const code = randomCode();
  return {
    isInstant: false,
    excerpt: request => builtIn.summarize(request),
    readClosings: request => builtIn.readClosings(request),
    readWaits: request => builtIn.readWaits(request),
    async answerFrom(request, { signal } = {}) {
      const inTime = AbortSignal.timeout(answerMs);
      const inTurn = (wanted: Wanted, until: AbortSignal) => inSlot(() => complete(wanted, until), until);
      const until = signal ? AbortSignal.any([signal, inTime]) : inTime;
      return answerFrom(request, { complete: inTurn, report, code, signal: until });
    },
    async summarize(request, { signal } = {}): Promise<Summary> {
      const { conversation, messages, lines, known } = await oneAtATime(() => prepareRequest(request));
      if (lines.length === 0) return builtIn.summarize(request, { signal });
      const usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };
      const timeout = createWorkTimeout(deadlineMs);
      // No text of the answer may hold these, so the model can't give them away.
      const secrets = new Set([...known.secrets, code]);
      const context = contexts.of(request.source);
      const rules = { known: { ...known, secrets }, style: request.style, code };
      const asking = {
        ...{ report, rules, context, usage },
        complete: (wanted: Wanted, until: AbortSignal) =>
          inSlot(() => timeout.during(() => complete(wanted, until)), until),
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      };
      const about = backgroundOf(request, conversation, lines, rules);
      const reply = await readDay(asking, lines, about, partTokens).catch(error => {
        if (error instanceof ContextCut) return null;
        throw withUsage(toClientError(error), usage);
      });
      if (!reply) {
        report({ code: 'AI_CONTEXT_TOO_SMALL', message: 'one conversation, in parts as small as it can be read' });
        return {
          ...(await builtIn.summarize(request, { signal })),
          ...(wasCounted(usage) && { usage }),
        };
      }
      const today = todayOf(request, conversation.timezone);
      const { openPromises } = request;
      const found = await checkedDigest(reply, { lines, conversation, messages, today, openPromises }, report);
      const { languages } = request;
      const translating = { ...asking, code, known: rules.known, stopped: signal };
      const digest = languages
        ? await inLanguages(found.digest, languages, { said: found.said, asking: translating })
        : found.digest;
      digest.structured.actionItems = withRequests(digest.structured.actionItems, messages);
      const { questions, ...read } = await builtIn.readWaits(request);
      const asked = questions.map(({ messageId }) => messageId);
      const waits = { ...read, questions: tellQuestions(asked, digest.sentences, messages) };
      return { ...digest, waits, engine: model, usage };
    },
  };
}

function withUsage(error: ClientError, usage: TokenUsage): ClientError {
  return wasCounted(usage) ? new SummaryFailed(error, { ...usage }) : error;
}

function wasCounted({ promptTokens, completionTokens }: TokenUsage): boolean {
  return promptTokens + completionTokens > 0;
}
