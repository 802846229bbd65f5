import { setTimeout as delay } from 'node:timers/promises';
import OpenAI from 'openai';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { SummarizerReport, TokenUsage } from '../types.ts';
import { failureOf, reasonOf, toClientError, UnreadableAnswer, waitAskedFor } from './apiErrors.ts';
import { fetchReadably } from './fetchReadably.ts';
import { createLadder } from './ladder.ts';
import type { Prompt } from './prompt.ts';

export type ApiOptions = {
  /** Undefined for a server that takes none. */
  apiKey: string | undefined;
  model: string;
  /** Another server than the vendor's, up to and with `/v1`. */
  apiUrl?: string;
  report: (failure: SummarizerReport) => void;
  clock: Clock;
  /** Milliseconds for one answer. */
  callTimeoutMs: number;
};

export type Answer = {
  content: string;
  /** The model would not, or was not allowed to. */
  isRefused: boolean;
  isCutOff: boolean;
  usage: TokenUsage;
};

/** Throws ClientError, except that what {@link failureOf} calls `tooLong` is passed on unchanged. */
export type Complete = (prompt: Prompt, signal: AbortSignal) => Promise<Answer>;

/** The library insists on one. */
const NO_KEY = 'none';
const VENDOR = 'https://api.openai.com/v1';
const MOST_TRIES = 3;
const FIRST_PAUSE_MS = 500;
/** If the service asks for a longer wait, the next sync asks again. */
const LONGEST_PAUSE_MS = 30_000;

const count = z.number().int().nonnegative().catch(0);
const completion = z.object({
  choices: z.array(
    z.object({
      message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

/** Calls the service in whichever way it supports, with a deadline and retries. */
export function createApi(options: ApiOptions): Complete {
  const { apiKey = NO_KEY, apiUrl: baseURL = VENDOR, model, callTimeoutMs, clock, report } = options;
  // Every field is given, or the library looks for it in the environment.
  const account = { apiKey, baseURL, organization: null, project: null };
  const client = new OpenAI({
    ...account,
    maxRetries: 0,
    logLevel: 'off',
    timeout: callTimeoutMs,
    fetch: fetchReadably,
  });
  const keepsNothing = baseURL === VENDOR ? { store: false } : {};
  const ladder = createLadder();
  /** A server that is busy for one of us is busy for all. */
  let busyUntil = 0;

  async function callOnce(prompt: Prompt, signal: AbortSignal): Promise<Answer> {
    const inTime = { signal: AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]) };
    return ladder.descend(
      async format => {
        const body = { model, messages: prompt, ...keepsNothing, ...(format && { response_format: format }) };
        return readCompletion(await client.chat.completions.create(body, inTime));
      },
      error => failureOf(error) === 'badRequest',
    );
  }

  /** Milliseconds until another try may work. Throws the product's error when none will. */
  function pauseAfter(error: unknown, tried: number, signal: AbortSignal): number {
    const failure = failureOf(error);
    if (failure === 'tooLong') throw error;
    // Whoever aborted it knows, and the service did nothing wrong.
    if (signal.aborted && signal.reason?.name === 'AbortError') throw toClientError(error);
    const isOursToMend = failure === 'refused' || failure === 'badRequest';
    if (isOursToMend) report({ code: 'AI_REFUSED_REQUEST', message: reasonOf(error) });
    const asked = waitAskedFor(error, clock.now());
    const pause = asked ?? FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.75 + Math.random() / 2);
    const isWorthIt = failure === 'temporary' || failure === 'rateLimited';
    if (!isWorthIt || tried === MOST_TRIES || pause > LONGEST_PAUSE_MS) {
      if (!isOursToMend) report({ code: 'AI_UNAVAILABLE', message: reasonOf(error) });
      throw toClientError(error, asked === null ? undefined : Math.ceil(asked / 1000));
    }
    report({ code: 'AI_RETRIED', message: reasonOf(error) });
    if (asked !== null) busyUntil = Math.max(busyUntil, clock.now().getTime() + asked);
    return asked === null ? pause : 0;
  }

  return async (prompt, signal) => {
    let pause = 0;
    for (let tried = 1; ; tried += 1) {
      try {
        await delay(Math.max(pause, busyUntil - clock.now().getTime()), undefined, { signal });
        return await callOnce(prompt, signal);
      } catch (error) {
        pause = pauseAfter(error, tried, signal);
      }
    }
  };
}

/** Servers that merely imitate the vendor's leave some fields out, and proxies answer with pages. */
function readCompletion(answer: unknown): Answer {
  const parsed = completion.safeParse(answer);
  const choice = parsed.data?.choices[0];
  if (!parsed.success || !choice) throw new UnreadableAnswer();
  const { message, finish_reason: reason } = choice;
  const { usage } = parsed.data;
  return {
    content: message.content ?? '',
    isRefused: Boolean(message.refusal) || reason === 'content_filter',
    isCutOff: reason === 'length',
    usage: {
      promptTokens: usage?.prompt_tokens ?? 0,
      completionTokens: usage?.completion_tokens ?? 0,
      cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    },
  };
}
