import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { ClientError, type ClientErrorKind, statusWords } from '../../errors.ts';

/** A successful answer that is not a chat completion, for example a proxy's page, or one that broke off. */
export class UnreadableAnswer extends Error {}

/** The ClientError and the alert for each failure of the AI service. */
const FAILURES = {
  /** The request may have been processed and charged. */
  timeout: { kind: 'temporary', code: 'TIMEOUT', alert: 'AI_UNAVAILABLE' },
  /** May work in a moment: worth another try. */
  temporary: { kind: 'temporary', code: 'AI_UNAVAILABLE', alert: 'AI_UNAVAILABLE' },
  rateLimited: { kind: 'rateLimited', code: 'AI_UNAVAILABLE', alert: 'AI_UNAVAILABLE' },
  /** More than the model takes in at once. */
  tooLong: { kind: 'permanent', code: 'AI_CONTEXT_TOO_SMALL', alert: 'AI_CONTEXT_TOO_SMALL' },
  filtered: { kind: 'permanent', code: 'AI_BAD_OUTPUT', alert: 'AI_BAD_OUTPUT' },
  /** The server rejects this request's JSON mode or content. */
  badRequest: { kind: 'permanent', code: 'AI_REFUSED_REQUEST', alert: 'AI_REFUSED_REQUEST' },
  /** Key, quota, model or a redirect: only the operator can help. */
  refused: { kind: 'permanent', code: 'AI_UNAVAILABLE', alert: 'AI_REFUSED_REQUEST' },
} as const;
type ApiFailure = keyof typeof FAILURES;

/** Error codes of OpenAI and of compatible services: Azure, llama.cpp, Anthropic, Moonshot, Alibaba. */
const FAILURE_BY_CODE: [RegExp, ApiFailure][] = [
  [/^(?:context_length_exceeded|string_above_max_length|exceed_context_size_error|request_too_large)$/, 'tooLong'],
  [/^(?:content_filter|content_policy_violation|invalid_prompt|data_inspection_failed)$/, 'filtered'],
  [/^(?:insufficient_(?:quota|balance)|exceeded_current_quota_error|model_not_found|invalid_api_key)$/, 'refused'],
  [/^billing_(?:hard_limit_reached|not_active|error)$/, 'refused'],
];

/** Classifies by status, code and type, never by words, which may repeat a chat. */
function classifyApiError(error: unknown): ApiFailure {
  if (error instanceof APIUserAbortError || error instanceof APIConnectionTimeoutError) return 'timeout';
  if (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)) return 'timeout';
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return 'temporary';
  const { status = 0 } = error;
  if ([408, 409].includes(status) || (status >= 500 && status !== 501)) return 'temporary';
  const known = [error.code, error.type].flatMap(
    word => FAILURE_BY_CODE.find(([codes]) => codes.test(word ?? ''))?.[1] ?? [],
  );
  if (known[0]) return known[0];
  if (status === 429) return 'rateLimited';
  if (status === 413) return 'tooLong';
  return [400, 422, 501].includes(status) ? 'badRequest' : 'refused';
}

/** Maps an API error to the product's own, the operator's alert and whether to retry. */
export function readError(error: unknown, retryAfterSeconds?: number) {
  const failure = classifyApiError(error);
  const { kind, code, alert } = FAILURES[failure];
  const mayWork = failure === 'temporary' || failure === 'rateLimited';
  return { mayWork, alert, clientError: createSummarizerError(kind, code, describeReason(error), retryAfterSeconds) };
}

/** Leaves out the service's text, which may repeat ours. */
export function toClientError(error: unknown): ClientError {
  return error instanceof ClientError ? error : readError(error).clientError;
}

export function createSummarizerError(kind: ClientErrorKind, code: string, reason: string, retryAfterSeconds?: number) {
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new ClientError({ service: 'summarizer', kind, code, cause: new Error(reason), ...wait });
}

/** Status, the service's code word and its id of the request: enough to look it up, nothing that anyone wrote. */
export function describeReason(error: unknown): string {
  if (error instanceof UnreadableAnswer) return 'answer is no chat completion';
  if (!(error instanceof APIError)) return error instanceof Error ? error.name : 'unknown error';
  if (error.status === undefined) return error.constructor.name;
  const word = [error.code, error.type].find(candidate => /^[a-z_]{1,60}$/i.test(candidate ?? ''));
  const id = /^[\w-]{1,80}$/.test(error.requestID ?? '') ? `request ${error.requestID}` : '';
  return [`status ${statusWords(error.status)}`, word, id].filter(Boolean).join(', ');
}

/** Milliseconds to wait as the service requests; null if it doesn't say. */
export function parseRetryAfterMs(error: unknown, now: Date): number | null {
  const headers = error instanceof APIError ? error.headers : undefined;
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const value = headers?.get('retry-after') ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
