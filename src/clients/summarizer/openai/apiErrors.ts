import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { ClientError, type ClientErrorKind, statusWords } from '../../errors.ts';

/** A successful answer that is not a chat completion, for example a proxy's page, or one that broke off. */
export class UnreadableAnswer extends Error {}

export type ApiFailure =
  /** It is unknown whether the request was processed and paid for. */
  | 'timeout'
  /** May work in a moment: worth another try. */
  | 'temporary'
  | 'rateLimited'
  /** More than the model takes in at once. */
  | 'tooLong'
  | 'filtered'
  /** This request was refused as it is: its way of asking for JSON, or something in it. */
  | 'badRequest'
  /** Key, quota, model or a redirect: only the operator can help. */
  | 'refused';

/** Of OpenAI and those who imitate it: Azure, llama.cpp, Anthropic, Moonshot, Alibaba. */
const BY_CODE: Record<string, ApiFailure> = {
  context_length_exceeded: 'tooLong',
  string_above_max_length: 'tooLong',
  exceed_context_size_error: 'tooLong',
  request_too_large: 'tooLong',
  content_filter: 'filtered',
  content_policy_violation: 'filtered',
  invalid_prompt: 'filtered',
  data_inspection_failed: 'filtered',
  insufficient_quota: 'refused',
  insufficient_balance: 'refused',
  exceeded_current_quota_error: 'refused',
  billing_hard_limit_reached: 'refused',
  billing_not_active: 'refused',
  billing_error: 'refused',
  model_not_found: 'refused',
  invalid_api_key: 'refused',
};

/** By status, code and type, never by words: a server may repeat what a chat says. */
export function failureOf(error: unknown): ApiFailure {
  if (error instanceof APIUserAbortError || error instanceof APIConnectionTimeoutError) return 'timeout';
  if (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)) return 'timeout';
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return 'temporary';
  const { status = 0 } = error;
  if ([408, 409].includes(status) || (status >= 500 && status !== 501)) return 'temporary';
  const known = [error.code, error.type].find(word => word && Object.hasOwn(BY_CODE, word));
  if (known) return BY_CODE[known] as ApiFailure;
  if (status === 429) return 'rateLimited';
  if (status === 413) return 'tooLong';
  return [400, 422, 501].includes(status) ? 'badRequest' : 'refused';
}

/** What an error on the way to an answer means to the product. Leaves out the service's text, which may repeat ours. */
export function toClientError(error: unknown, retryAfterSeconds?: number): ClientError {
  if (error instanceof ClientError) return error;
  const reason = reasonOf(error);
  const failure = failureOf(error);
  if (failure === 'timeout') return failed('temporary', 'TIMEOUT', reason);
  if (failure === 'temporary') return failed('temporary', 'AI_UNAVAILABLE', reason);
  if (failure === 'refused') return failed('permanent', 'AI_UNAVAILABLE', reason);
  if (failure === 'badRequest') return failed('permanent', 'AI_REFUSED_REQUEST', reason);
  if (failure === 'tooLong') return failed('permanent', 'AI_CONTEXT_TOO_SMALL', reason);
  if (failure === 'filtered') return failed('permanent', 'AI_BAD_OUTPUT', reason);
  return failed('rateLimited', 'AI_UNAVAILABLE', reason, retryAfterSeconds);
}

export function failed(kind: ClientErrorKind, code: string, reason: string, retryAfterSeconds?: number): ClientError {
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new ClientError({ service: 'summarizer', kind, code, cause: new Error(reason), ...wait });
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
