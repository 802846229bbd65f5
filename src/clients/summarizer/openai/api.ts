import { setTimeout as delay } from 'node:timers/promises';
import OpenAI from 'openai';
import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources';
import { z } from 'zod';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import type { AiFormat, SummarizerReport, TokenUsage } from '../types.ts';
import { describeReason, parseRetryAfterMs, readError, toClientError, UnreadableAnswer } from './apiErrors.ts';
import type { Prompt } from './prompt.ts';

export type ApiOptions = {
  /** Undefined for a server that takes none. */
  apiKey: string | undefined;
  model: string;
  /** Overrides the vendor's API address, including `/v1`. */
  apiUrl?: string;
  /** How the server is asked for JSON; default: by a schema. */
  format?: AiFormat;
  /** Called for answers that had to be repaired, calls that were retried, and what only the operator can fix. */
  report: (failure: SummarizerReport) => void;
  clock?: Clock;
  /** Milliseconds for one answer of the service. */
  callTimeoutMs?: number;
};

export type ModelAnswer = {
  content: string;
  /** The model would not, or was not allowed to. */
  isRefused: boolean;
  isCutOff: boolean;
  usage: TokenUsage;
};

/** Throws ClientError. */
export type Complete = (request: CompletionRequest, signal: AbortSignal) => Promise<ModelAnswer>;
export type CompletionRequest = {
  prompt: Prompt;
  /** The schema of the answer, for servers that accept one. The prompt describes the fields in any case. */
  schema: NonNullable<ChatCompletionCreateParams['response_format']>;
  /** How often it is tried at most where another try may work; default: three times. */
  tries?: number;
};

/** Placeholder, as the library requires an API key. */
const NO_KEY = 'none';
const VENDOR_URL = 'https://api.openai.com/v1';
const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 1000;
/** If the service asks for a longer wait, the call fails; the next sync tries again. */
const MAX_PAUSE_MS = 30_000;

const count = z.number().int().nonnegative().catch(0);
/** Some models send their thoughts and their text as a list. */
const content = z
  .union([
    z.string(),
    z
      .array(z.object({ type: z.string(), text: z.string().optional().catch(undefined) }))
      .transform(parts => parts.map(({ type, text = '' }) => (type === 'text' ? text : '')).join('')),
  ])
  .nullish()
  .transform(text => text ?? '');
const completion = z.object({
  choices: z.array(
    z.object({
      message: z.object({
        content,
        /** Field in which some servers return the whole structured answer. */
        reasoning_content: z.string().catch(''),
        refusal: z.string().nullish(),
      }),
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

/** Calls the service, with a deadline for each answer and retries. Learns nothing from one call for the next. */
export function createApi(options: ApiOptions): Complete {
  const { apiKey = NO_KEY, apiUrl: baseURL = VENDOR_URL, model, format = 'json_schema' } = options;
  const { callTimeoutMs: timeout = 60_000, clock = systemClock, report } = options;
  // Every field is given, or the library looks for it in the environment.
  const account = { apiKey, baseURL, organization: null, project: null };
  const client = new OpenAI({ ...account, maxRetries: 0, logLevel: 'off', timeout, fetch: fetchLimited });
  const keepsNothing = baseURL === VENDOR_URL ? { store: false } : {};

  async function callOnce({ prompt, schema }: CompletionRequest, signal: AbortSignal): Promise<ModelAnswer> {
    const formats = { json_schema: schema, json_object: { type: 'json_object' }, text: undefined } as const;
    const messages: ChatCompletionMessageParam[] = [
      { role: 'system', content: prompt.system },
      { role: 'user', content: prompt.user },
    ];
    const response_format = formats[format];
    const body = { model, messages, ...keepsNothing, ...(response_format && { response_format }) };
    const inTime = { signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]) };
    return readCompletion(await client.chat.completions.create(body, inTime));
  }

  /** Milliseconds until the next attempt. Throws ClientError if there is none. */
  function findPauseMs(error: unknown, triesLeft: number, signal: AbortSignal, usualMs: number): number {
    const requestedMs = parseRetryAfterMs(error, clock.now());
    const { mayWork, alert, clientError } = readError(
      error,
      requestedMs === null ? undefined : Math.ceil(requestedMs / 1000),
    );
    // Aborted by our own caller: nothing to report about the service.
    if (signal.aborted && signal.reason?.name === 'AbortError') throw clientError;
    const pauseMs = requestedMs ?? usualMs * (0.75 + Math.random() / 2);
    const willRetry = mayWork && triesLeft > 0 && pauseMs <= MAX_PAUSE_MS;
    report({ code: willRetry ? 'AI_RETRIED' : alert, message: describeReason(error) });
    if (!willRetry) throw clientError;
    return pauseMs;
  }

  return async (request, signal) => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await callOnce(request, signal);
      } catch (error) {
        const triesLeft = (request.tries ?? MAX_TRIES) - tried;
        const pauseMs = findPauseMs(error, triesLeft, signal, FIRST_PAUSE_MS * 2 ** (tried - 1));
        await delay(pauseMs, undefined, { signal }).catch(stopped => {
          throw toClientError(stopped);
        });
      }
    }
  };
}

/** Servers that merely imitate the vendor's leave some fields out, and proxies answer with pages. */
function readCompletion(answer: unknown): ModelAnswer {
  const parsed = completion.safeParse(answer);
  const choice = parsed.data?.choices[0];
  if (!parsed.success || !choice) throw new UnreadableAnswer();
  const { message, finish_reason: reason } = choice;
  const { usage } = parsed.data;
  if (reason === 'error' && message.content === '') throw new UnreadableAnswer();
  return {
    content: message.content.trim() === '' ? message.reasoning_content : message.content,
    isRefused: Boolean(message.refusal) || reason === 'content_filter',
    isCutOff: reason === 'length',
    usage: {
      promptTokens: usage?.prompt_tokens ?? 0,
      completionTokens: usage?.completion_tokens ?? 0,
      cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    },
  };
}

/** Maximum size of a decompressed answer in bytes, far above a digest's, so that no server can fill the memory. */
const MAX_ANSWER_LENGTH = 4_000_000;

/** For the vendor's library: refuses redirects, and responses too long for a digest. */
export async function fetchLimited(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const { body, status, headers } = await fetch(url, { ...init, redirect: 'manual' });
  let left = MAX_ANSWER_LENGTH;
  const limited = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new Error('The AI service sent too long an answer.'));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(limited) ?? null, { status, headers });
}
