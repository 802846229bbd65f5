import { setTimeout as delay } from 'node:timers/promises';
import OpenAI from 'openai';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { SummarizerReport, TokenUsage } from '../types.ts';
import { cutBy, failureOf, reasonOf, statusOf, toClientError, UnreadableAnswer, waitAskedFor } from './apiErrors.ts';
import { fetchReadably } from './fetchReadably.ts';
import { createFormatFallback, type ResponseFormat } from './formatFallback.ts';
import type { Prompt } from './prompt.ts';
import { textOf } from './tokens.ts';

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

/** Throws ClientError, and `ContextCut` for a prompt that is refused as too long. */
export type Complete = (request: Wanted, signal: AbortSignal) => Promise<Answer>;
export type Wanted = {
  prompt: Prompt;
  /** Tokens that the answer may take, where a server's own limit was too low. */
  longest?: number | undefined;
  /** Of an answer that is no digest: its schema, where the server takes one. */
  format?: ResponseFormat;
  /** How often it is tried at most where another try may work; default: three times. */
  tries?: number;
};

type Tried = { sent: string[]; tried: number; most: number };

/** The library insists on one. */
const NO_KEY = 'none';
const VENDOR = 'https://api.openai.com/v1';
const MOST_TRIES = 3;
const FIRST_PAUSE_MS = 500;
/** If the service asks for a longer wait, the next sync asks again. */
const LONGEST_PAUSE_MS = 30_000;
/** A server that answered others this lately refuses a request for what is in it. */
const LATELY_MS = 3_600_000;
/** Statuses of a server that has no time for anyone. */
const BUSY = [429, 503];
/** Asks for JSON without anyone's words. */
const PROBE: Prompt = [
  {
    role: 'user',
    content: 'Answer with one JSON object whose lists and strings are all empty, without any other words.',
  },
];

const count = z.number().int().nonnegative().catch(0);
/** Some models send their thoughts and their text as a list. */
const content = z
  .union([
    z.string(),
    z
      .array(z.object({ type: z.string(), text: z.string().optional().catch(undefined) }))
      .transform(parts => parts.map(({ type, text }) => (type === 'text' ? text : '')).join('')),
  ])
  .nullish();
const completion = z.object({
  choices: z.array(
    z.object({
      message: z.object({ content, refusal: z.string().nullish() }),
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
  const fallback = createFormatFallback(clock);
  /** A server that is busy for one of us is busy for all: for half a minute at most, each time that it says so. */
  let busyUntil = 0;
  let answeredAt = Number.NEGATIVE_INFINITY;

  async function callOnce({ prompt, longest, format: own }: Wanted, signal: AbortSignal): Promise<Answer> {
    const inTime = { signal: AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]) };
    const sent = prompt.map(textOf);
    const calling =
      (messages: Prompt, limit = {}) =>
      async (format: ResponseFormat) => {
        const asked = messages === prompt && own && format?.type === 'json_schema' ? own : format;
        const body = { model, messages, ...keepsNothing, ...limit, ...(asked && { response_format: asked }) };
        return readCompletion(await client.chat.completions.create(body, inTime));
      };
    const plain = calling(prompt);
    // Some servers don't know the limit, others have no room for so long an answer: neither tells of the prompt.
    const limited = async (format: ResponseFormat) =>
      calling(prompt, { [baseURL === VENDOR ? 'max_completion_tokens' : 'max_tokens']: longest })(format).catch(
        error => {
          if (['badRequest', 'tooLong'].includes(failureOf(error, sent))) return plain(format);
          throw error;
        },
      );
    const isRefused = (error: unknown) => failureOf(error, sent) === 'badRequest';
    const answer = await fallback.callInTurn(longest === undefined ? plain : limited, calling(PROBE), isRefused);
    answeredAt = clock.now().getTime();
    return answer;
  }

  /** Milliseconds until another try may work. Throws the product's error when none will. */
  function pauseAfter(error: unknown, { sent, tried, most }: Tried, signal: AbortSignal): number {
    const failure = failureOf(error, sent);
    if (failure === 'tooLong') throw cutBy(error, sent);
    // Whoever aborted it knows, and the service did nothing wrong.
    if (signal.aborted && signal.reason?.name === 'AbortError') throw toClientError(error, sent);
    const isOursToMend = failure === 'refused' || failure === 'badRequest';
    const isOfOne = failure === 'badRequest' && clock.now().getTime() - answeredAt < LATELY_MS;
    if (isOursToMend) report({ code: isOfOne ? 'AI_BAD_OUTPUT' : 'AI_REFUSED_REQUEST', message: reasonOf(error) });
    const asked = waitAskedFor(error, clock.now());
    const pause = asked ?? FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.75 + Math.random() / 2);
    const isWorthIt = failure === 'temporary' || failure === 'rateLimited';
    if (!isWorthIt || tried >= most || pause > LONGEST_PAUSE_MS) {
      if (!isOursToMend) report({ code: 'AI_UNAVAILABLE', message: reasonOf(error) });
      throw toClientError(error, sent, asked === null ? undefined : Math.ceil(asked / 1000));
    }
    report({ code: 'AI_RETRIED', message: reasonOf(error) });
    if (BUSY.includes(statusOf(error))) busyUntil = Math.max(busyUntil, clock.now().getTime() + (asked ?? 0));
    return pause;
  }

  return async (wanted, signal) => {
    const sent = wanted.prompt.map(textOf);
    let pause = 0;
    for (let tried = 1; ; tried += 1) {
      try {
        const busy = Math.min(busyUntil - clock.now().getTime(), LONGEST_PAUSE_MS);
        await delay(Math.max(pause, busy), undefined, { signal });
        return await callOnce(wanted, signal);
      } catch (error) {
        pause = pauseAfter(error, { sent, tried, most: wanted.tries ?? MOST_TRIES }, signal);
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
  if (reason === 'error' && !message.content) throw new UnreadableAnswer();
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
