import pLimit from 'p-limit';
import pMap from 'p-map';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { ClientError } from '../errors.ts';
import { createBuiltInSummarizer } from './builtIn/summarizer.ts';
import { createApi } from './openai/api.ts';
import { failureOf, toClientError } from './openai/apiErrors.ts';
import { type Asking, ask } from './openai/ask.ts';
import { type Circumstances, circumstancesOf, todayOf } from './openai/circumstances.ts';
import { digestFrom } from './openai/digest.ts';
import { inParts, tokensOf } from './openai/parts.ts';
import { prepare } from './openai/preparing.ts';
import { promptForMerging, promptForPart } from './openai/prompt.ts';
import type { Reply } from './openai/reply.ts';
import type { Line } from './openai/transcript.ts';
import { tellQuestions } from './tellQuestions.ts';
import { type Summarizer, type SummarizerReport, type Summary, SummaryFailed, type TokenUsage } from './types.ts';

export type OpenAiOptions = {
  apiKey: string;
  model: string;
  /** Another compatible server than the vendor's, up to and with `/v1`. */
  apiUrl?: string;
  /** Hears of answers that had to be repaired, calls that were tried again, and what only the operator can mend. */
  report: (failure: SummarizerReport) => void;
  clock?: Clock;
  /** Milliseconds for one answer of the service. */
  callTimeoutMs?: number;
  /** Milliseconds for one summary, with everything it takes: parts, waits, second tries. */
  deadlineMs?: number;
  /** Days estimated at more tokens are read in parts. */
  partTokens?: number;
};

const PARTS_AT_ONCE = 3;

/** Preparing a day holds up the whole process. */
const oneAtATime = pLimit(1);
/** A service that finds this too long has no room for a conversation. */
const SMALLEST_PART = 500;
/** Two parts out of one, with room for messages that don't divide evenly. */
const SMALLER = 0.55;

/**
 * The summarizer that asks an AI service (OpenAI's or a compatible one). Messages leave without secrets and as data; of the
 * answer nothing is taken but plain text, known words and numbers of messages.
 * Throws ClientError: `AI_UNAVAILABLE` (temporary; rateLimited with the wait asked for; permanent when key, quota or model
 * are refused), `TIMEOUT` (temporary), `AI_BAD_OUTPUT` (permanent: refused or unreadable twice).
 */
export function createOpenAiSummarizer(options: OpenAiOptions): Summarizer {
  const { model, report, clock = systemClock, callTimeoutMs = 60_000 } = options;
  const { deadlineMs = 300_000, partTokens = 24_000 } = options;
  const complete = createApi({ ...options, clock, callTimeoutMs });
  const builtIn = createBuiltInSummarizer();
  return {
    isInstant: false,
    readClosings: request => builtIn.readClosings(request),
    readWaits: request => builtIn.readWaits(request),
    async summarize(request, { signal } = {}): Promise<Summary> {
      const { conversation, messages, lines, known } = await oneAtATime(() => prepare(request));
      if (lines.length === 0) return builtIn.summarize(request, { signal });
      const usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };
      const deadline = AbortSignal.timeout(deadlineMs);
      const asking: Asking = {
        complete,
        report,
        rules: { known, style: request.style },
        usage,
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      };
      const about = circumstancesOf(request, conversation, lines, known);
      const reply = await readDay(asking, lines, about, partTokens).catch(error =>
        Promise.reject(withUsage(toClientError(error), usage)),
      );
      const today = todayOf(request, conversation.timezone);
      const { openPromises } = request;
      const digest = digestFrom(reply, { lines, conversation, messages, today, openPromises }, report);
      const { settledBy, questions } = await oneAtATime(() => builtIn.readWaits(request));
      const asked = questions.map(({ messageId }) => messageId);
      const waits = { settledBy, questions: tellQuestions(asked, digest.sentences ?? [], messages) };
      return { ...digest, waits, engine: model, usage };
    },
  };
}

function withUsage(error: ClientError, usage: TokenUsage): ClientError {
  return usage.promptTokens + usage.completionTokens > 0 ? new SummaryFailed(error, { ...usage }) : error;
}

/** In smaller parts when the service finds them too long: its room is not known beforehand. */
async function readDay(asking: Asking, lines: Line[], about: Circumstances, partTokens: number): Promise<Reply> {
  try {
    return await readParts(asking, inParts(lines, partTokens), about);
  } catch (error) {
    if (failureOf(error) !== 'tooLong' || partTokens <= SMALLEST_PART) throw error;
    return readDay(asking, lines, about, Math.ceil(Math.min(partTokens, tokensOf(lines)) * SMALLER));
  }
}

async function readParts(asking: Asking, parts: Line[][], about: Circumstances): Promise<Reply> {
  const [whole, ...others] = parts;
  if (whole && others.length === 0) return ask(asking, promptForPart(whole, about));
  const failed = new AbortController();
  const together = { ...asking, signal: AbortSignal.any([asking.signal, failed.signal]) };
  const readPart = (lines: Line[], index: number) =>
    ask(together, promptForPart(lines, about, { number: index + 1, of: parts.length }));
  try {
    const replies = await pMap(parts, readPart, { concurrency: PARTS_AT_ONCE });
    return await ask(asking, promptForMerging(replies, about));
  } finally {
    failed.abort();
  }
}
