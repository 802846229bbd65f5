import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { ClientError, type ClientErrorKind, statusWords } from '../../errors.ts';
import { isTooLargeForMinute, refusalOf } from './refusals.ts';
import type { Reply } from './reply.ts';

/** A successful answer that is not a chat completion, for example a proxy's page. */
export class UnreadableAnswer extends Error {}

type Cut = {
  /** No message can have brought this about: the server says so by a status, a code or its own count. */
  isSure: boolean;
  /** How many tokens it says it read, if it says so. */
  counted?: number | undefined;
  /** The digest, where by the server's count the whole prompt was read, and its front perhaps lost while writing. */
  reply?: Reply | undefined;
};

/** The model read less than it was sent, or would have: its context is too small. */
export class ContextCut extends Error {
  readonly cut: Cut;

  constructor(cut: Cut = { isSure: false }) {
    super('the prompt is longer than the context of the model');
    this.cut = cut;
  }
}

export type ApiFailure =
  /** It is unknown whether the request was processed and paid for. */
  | 'timeout'
  /** May work in a moment: worth another try. */
  | 'temporary'
  | 'rateLimited'
  /** The server seems not to support the way it was asked for JSON. */
  | 'badRequest'
  /** Refused as too long, or read without its front. */
  | 'tooLong'
  | 'filtered'
  /** Key, quota, model or a redirect: only the operator can help. */
  | 'refused';

/** @param sent the texts of the request, whose words prove nothing in an error */
export function failureOf(error: unknown, sent: readonly string[] = []): ApiFailure {
  if (error instanceof ContextCut) return 'tooLong';
  if (error instanceof APIUserAbortError || error instanceof APIConnectionTimeoutError) return 'timeout';
  if (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)) return 'timeout';
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return 'temporary';
  const { status = 0 } = error;
  if (status === 413) return 'tooLong';
  if ([408, 409].includes(status) || (status >= 500 && status !== 501)) return 'temporary';
  const refusal = refusalOf(error, sent)?.what;
  if (status === 429 && isTooLargeForMinute(error, sent)) return 'tooLong';
  if (status === 429) return refusal === 'noMoney' ? 'refused' : 'rateLimited';
  if (refusal === 'filtered') return 'filtered';
  if (![400, 422, 501].includes(status)) return 'refused';
  if (refusal === 'tooLong') return 'tooLong';
  return refusal === undefined ? 'badRequest' : 'refused';
}

/** A refusal as too long, as the readers of a day know it. */
export function cutBy(error: unknown, sent: readonly string[]): ContextCut {
  if (error instanceof ContextCut) return error;
  const isSure = error instanceof APIError && (error.status === 413 || refusalOf(error, sent)?.isSure === true);
  return new ContextCut({ isSure });
}

/** What an error on the way to an answer means to the product. Leaves out the service's text, which may repeat ours. */
export function toClientError(error: unknown, sent: readonly string[] = [], retryAfterSeconds?: number): ClientError {
  if (error instanceof ClientError) return error;
  const cause = new Error(reasonOf(error));
  const failure = failureOf(error, sent);
  const details = (kind: ClientErrorKind, code: string) => ({ service: 'summarizer', kind, code, cause }) as const;
  if (failure === 'timeout') return new ClientError(details('temporary', 'TIMEOUT'));
  if (failure === 'temporary') return new ClientError(details('temporary', 'AI_UNAVAILABLE'));
  if (failure === 'refused') return new ClientError(details('permanent', 'AI_UNAVAILABLE'));
  if (failure !== 'rateLimited') return badOutput(reasonOf(error));
  const limited = details('rateLimited', 'AI_UNAVAILABLE');
  return new ClientError(retryAfterSeconds === undefined ? limited : { ...limited, retryAfterSeconds });
}

/** The service works, but can't provide a digest for these messages. */
export function badOutput(reason: string): ClientError {
  const cause = new Error(reason);
  return new ClientError({ service: 'summarizer', kind: 'permanent', code: 'AI_BAD_OUTPUT', cause });
}

/** Status, the service's code word and its id of the request: enough to look it up, nothing that anyone wrote. */
export function reasonOf(error: unknown): string {
  if (error instanceof UnreadableAnswer) return 'answer is no chat completion';
  if (!(error instanceof APIError)) return error instanceof Error ? error.name : 'unknown error';
  if (error.status === undefined) return error.constructor.name;
  const word = [error.code, error.type].find(candidate => /^[a-z_]{1,60}$/i.test(candidate ?? ''));
  const id = /^[\w-]{1,80}$/.test(error.requestID ?? '') ? `request ${error.requestID}` : '';
  return [`status ${statusWords(error.status)}`, word, id].filter(Boolean).join(', ');
}

/** 0 for what is no answer of a server. */
export function statusOf(error: unknown): number {
  return (error instanceof APIError && error.status) || 0;
}

/** Milliseconds the service asks us to wait, null when it doesn't say. */
export function waitAskedFor(error: unknown, now: Date): number | null {
  const headers = error instanceof APIError ? error.headers : undefined;
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const value = headers?.get('retry-after') ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
