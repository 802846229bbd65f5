import { z } from 'zod';
import { ClientError, isRedirect, statusWords } from '../../errors.ts';
import { type CrmRefusal, PropertyRequired } from '../types.ts';
import { type Objection, parseJson, readObjection } from './objections.ts';

/** An unsuccessful answer. Its body and headers are not kept, as they contain personal data and tokens. */
export class HttpFailure extends Error {
  readonly status: number;
  /** The vendor's word for it, such as `OBJECT_NOT_FOUND`, or an OAuth error. */
  readonly category: string;
  /** Error codes from all fields of the answer, as the field that holds the specific one differs by endpoint and version. */
  readonly words: readonly string[];
  readonly retryAfterSeconds: number | undefined;
  /** The record that a new one would duplicate. */
  readonly existingId: string | undefined;
  readonly objection: Objection | undefined;

  constructor(status: number, retryAfter: string | null | undefined, body: string) {
    super(`HTTP ${status}`);
    this.name = 'HttpFailure';
    const parsed = parseJson(body);
    const vendorError = errorBody.parse(parsed);
    this.status = status;
    // Keeps only words that look like the vendor's constants: other text may contain personal data.
    this.words = [vendorError.category, vendorError.error, vendorError.status].filter(word =>
      /^[A-Za-z_]{1,40}$/.test(word),
    );
    this.category = this.words[0] ?? '';
    this.retryAfterSeconds = status === 429 ? waitSeconds(retryAfter, vendorError.policyName) : undefined;
    this.objection = readObjection(parsed);
    this.existingId = vendorError.message.match(/Existing ID: (\d+)/)?.[1];
  }
}

/** Timeout; a late answer is dropped. */
export class NoAnswer extends Error {}

/** A successful answer that doesn't have the documented form. */
export class UnreadableReply extends Error {}

const text = z.string().catch('');
const errorBody = z
  .object({ category: text, status: text, error: text, message: text, policyName: text })
  .catch({ category: '', status: '', error: '', message: '', policyName: '' });

const DEADLINE_MS = 6_000;

/** Sends a request without the library. Throws HttpFailure if the CRM refuses it, NoAnswer, or the error of `fetch`. */
export async function fetchJson(url: URL, init: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(DEADLINE_MS) });
    const body = await response.text();
    if (response.ok) return parseJson(body);
    throw new HttpFailure(response.status, response.headers.get('retry-after'), body);
  } catch (err) {
    throw err instanceof Error && err.name === 'TimeoutError' ? new NoAnswer() : err;
  }
}

/** Throws UnreadableReply. */
export function readReply<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new UnreadableReply();
  return parsed.data;
}

/** Duration of the exceeded limit, if the vendor sends no retry time. */
const WINDOW_SECONDS: Record<string, number> = { SECONDLY: 1, TEN_SECONDLY_ROLLING: 10, DAILY: 3600 };

function waitSeconds(retryAfter: string | null | undefined, policyName: string): number {
  const seconds = Number(retryAfter);
  if (retryAfter && Number.isFinite(seconds) && seconds >= 0) return Math.min(Math.max(seconds, 1), 24 * 3600);
  return WINDOW_SECONDS[policyName] ?? 1;
}

/** Whether the call failed because its record doesn't exist. */
export function isRecordGone({ status, category }: { status?: number; category: string }): boolean {
  return status === 404 || category === 'OBJECT_NOT_FOUND';
}

/** Why a record was not taken. */
export function classifyRefusal(failure: {
  category: string;
  status?: number;
  objection: Objection | undefined;
}): CrmRefusal {
  const { objection } = failure;
  if (isRecordGone(failure)) return 'CRM_CONTACT_GONE';
  if (objection?.isAssociation) return 'CRM_ASSOCIATION_REFUSED';
  return objection && objection.missing.length > 0 ? 'CRM_PROPERTY_REQUIRED' : 'CRM_REFUSED';
}

/** An error in our own code: the runtime's own errors of the network, which have these types, too, name their cause. */
export function isProgrammingError(err: unknown): err is Error {
  const isOfCode = err instanceof TypeError || err instanceof RangeError || err instanceof ReferenceError;
  return isOfCode && err.cause === undefined;
}

/** Whether the same request may get another answer. It is then unknown whether a write took place. */
export function isTemporary(err: unknown): boolean {
  if (!(err instanceof HttpFailure)) return !isProgrammingError(err);
  return err.status >= 500 || err.status === 408 || err.status === 423;
}

/** Converts a failure to the ClientError that `CrmClient` documents. Throws an error in our own code as it is. */
export function toClientError(err: unknown): ClientError {
  if (err instanceof ClientError) return err;
  if (isProgrammingError(err)) throw err;
  const service = 'crm' as const;
  if (err instanceof NoAnswer) return new ClientError({ service, kind: 'temporary', code: 'TIMEOUT' });
  if (!(err instanceof HttpFailure) || isTemporary(err)) {
    return new ClientError({ service, kind: 'temporary', code: 'CRM_UNAVAILABLE' });
  }
  const { status, retryAfterSeconds } = err;
  // A redirect indicates a wrong server address, not a wrong request.
  if (isRedirect(status)) return new ClientError({ service, kind: 'permanent', code: 'CRM_UNAVAILABLE' });
  if (status === 403) return new ClientError({ service, kind: 'permanent', code: 'CRM_SCOPE_MISSING' });
  if (status === 401) return new ClientError({ service, kind: 'auth', code: 'CRM_AUTH' });
  if (retryAfterSeconds === undefined) {
    const code = classifyRefusal(err);
    const names = err.objection?.missing.map(({ name }) => name) ?? [];
    return code === 'CRM_PROPERTY_REQUIRED'
      ? new PropertyRequired(names)
      : new ClientError({ service, kind: 'permanent', code });
  }
  return new ClientError({ service, kind: 'rateLimited', code: 'CRM_RATE_LIMIT', retryAfterSeconds });
}

/** Text for the operator: the HTTP status with the vendor's category, or the kind of failure. */
export function describeCallError(err: unknown): string {
  if (err instanceof HttpFailure) return `${statusWords(err.status)}${err.category && ` ${err.category}`}`;
  if (err instanceof NoAnswer) return 'no answer in time';
  return err instanceof UnreadableReply ? 'an unreadable answer' : 'no connection';
}
