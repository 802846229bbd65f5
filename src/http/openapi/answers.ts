import { z } from 'zod';
import type { ZodOpenApiRequestBodyObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { describeOutage } from '../../lib/failures.ts';
import { oncePer } from '../../lib/once.ts';
import { errorJson } from '../errors.ts';

const apiVersion = z
  .literal('1')
  .meta({ description: 'Version 1 takes additive changes only.', header: { id: 'X-API-Version' } });

const requestId = z.string().meta({ description: 'The ID of this request, as in the log.', header: { id: 'X-Request-Id' } });

const retryAfter = z
  .string()
  .regex(/^\d+$/)
  .meta({ description: 'Seconds to wait.', header: { id: 'Retry-After' } });

const rateLimit = z
  .string()
  .optional()
  .meta({ description: 'What is left of the limit, and until when.', header: { id: 'RateLimit' } });

const rateLimitPolicy = z
  .string()
  .optional()
  .meta({ description: 'How many requests in how many seconds.', header: { id: 'RateLimit-Policy' } });

const location = z.string().meta({ description: 'Where to go next.', header: { id: 'Location' } });

const onEvery = { 'X-API-Version': apiVersion, 'X-Request-Id': requestId };
const onAnswers = { ...onEvery, RateLimit: rateLimit, 'RateLimit-Policy': rateLimitPolicy };

const PAGE = { 'text/html': { schema: { type: 'string' } } } as const;

export function jsonBody(schema: z.ZodType, example: unknown): ZodOpenApiRequestBodyObject {
  return { required: true, content: { 'application/json': { schema, example } } };
}

export function formBody(schema: z.ZodType, example: unknown): ZodOpenApiRequestBodyObject {
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema, example } } };
}

export function json(schema: z.ZodType, example: unknown, description = 'Done.'): ZodOpenApiResponseObject {
  return { description, headers: z.object(onAnswers), content: { 'application/json': { schema, example } } };
}

export function html(description: string): ZodOpenApiResponseObject {
  return { description, headers: z.object(onAnswers), content: PAGE };
}

export function redirect(description: string): ZodOpenApiResponseObject {
  return { description, headers: z.object({ ...onAnswers, Location: location }) };
}

export const REQUEST_ID = '7F3K2-9QTRM';

type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 502 | 503 | 504;

const REFUSALS: Record<RefusalStatus, { id: string; description: string; error: string; code: string }> = {
  400: {
    id: 'BadRequest',
    description: 'The body is malformed, or something in it is missing or wrong: `fields` says what.',
    error: 'This is missing.',
    code: 'INVALID_INPUT',
  },
  401: {
    id: 'NotSignedIn',
    description: 'No session, or one that has ended; or a token that is unknown, revoked or expired (`WRONG_TOKEN`).',
    error: 'Sign in to do this.',
    code: 'NOT_SIGNED_IN',
  },
  403: {
    id: 'Forbidden',
    description:
      'Another site made a browser send this, or it was sent with a token that lacks the scope (`TOKEN_SCOPE`) or to an ' +
      'address that no token opens (`TOKEN_NOT_ALLOWED`).',
    error: 'This request came from another site and was blocked.',
    code: 'FORBIDDEN',
  },
  404: {
    id: 'NotFound',
    description: 'Unknown, or someone else’s: the answer is the same.',
    error: 'There is no such conversation.',
    code: 'NOT_FOUND',
  },
  409: {
    id: 'Conflict',
    description: 'This changed since it was read.',
    error: 'The match changed while you were looking at it. Check it before you decide.',
    code: 'MATCH_CHANGED',
  },
  413: {
    id: 'TooLarge',
    description: 'The body is too large: 100 kB of JSON, 10 kB of a form, 1 MB of an event.',
    error: 'This is too large to be accepted.',
    code: 'TOO_LARGE',
  },
  415: {
    id: 'Unreadable',
    description: 'The body has a character set or an encoding that isn’t supported.',
    error: 'This request couldn’t be read.',
    code: 'BAD_REQUEST',
  },
  429: {
    id: 'TooManyRequests',
    description: 'More than 300 requests in a minute.',
    error: 'Too many attempts. Try again in 40 seconds.',
    code: 'TOO_MANY_REQUESTS',
  },
  500: {
    id: 'Unforeseen',
    description: 'Something went wrong on our side. The log has the request under its `requestId`.',
    error: 'Something went wrong on our side. Nothing was lost. Try again, or send us the reference.',
    code: 'INTERNAL',
  },
  502: { id: 'OutOfReach', description: 'An outside service can’t be reached.', ...outage('MESSENGER_UNREACHABLE') },
  503: {
    id: 'NotAvailable',
    description: 'The database isn’t answering, or the operator hasn’t set this up (`CRM_NOT_CONFIGURED`).',
    error: 'Our database isn’t answering right now. What was saved is safe. Try again in a minute.',
    code: 'DATABASE_UNAVAILABLE',
  },
  504: { id: 'TooSlow', description: 'An outside service didn’t respond in time.', ...outage('TIMEOUT') },
};

function outage(code: string): { error: string; code: string } {
  const { sentence, advice } = describeOutage({ service: 'messenger', kind: 'temporary', code });
  return { error: `${sentence} ${advice}`, code };
}

/** Statuses with texts of their own, or `true` for the usual ones. */
type Refusals = Partial<Record<RefusalStatus, string | true>>;

export function refusals(refused: Refusals): ZodOpenApiResponsesObject {
  return mapRefusals(refused, (status, words) => (words === true ? usualRefusal(status) : refusal(status, words)));
}

/** For addresses that people open in a browser: a page, unless JSON is asked for. */
export function pageRefusals(refused: Refusals): ZodOpenApiResponsesObject {
  return mapRefusals(refused, (status, words) => withErrorPage(refusal(status, words === true ? undefined : words)));
}

export function refusal(status: RefusalStatus, description = REFUSALS[status].description) {
  const headers = z.object(status === 429 ? { ...onEvery, 'Retry-After': retryAfter } : onEvery);
  return { description, headers, content: { 'application/json': { schema: errorJson } } } satisfies ZodOpenApiResponseObject;
}

export function withErrorPage(answer: ReturnType<typeof refusal>): ZodOpenApiResponseObject {
  return { ...answer, content: { ...answer.content, ...PAGE } };
}

function mapRefusals(
  refused: Refusals,
  answerOf: (status: RefusalStatus, words: string | true) => ZodOpenApiResponseObject,
): ZodOpenApiResponsesObject {
  const entries = Object.entries(refused) as [`${RefusalStatus}`, string | true][];
  return Object.fromEntries(entries.map(([status, words]) => [status, answerOf(Number(status) as RefusalStatus, words)]));
}

/** A refusal with the usual texts: one object for each status, so that the document has it once, as a component. */
const usualRefusal = oncePer((status: RefusalStatus): ZodOpenApiResponseObject => {
  const { id, error, code } = REFUSALS[status];
  const example = { error, code, requestId: REQUEST_ID };
  return { id, ...refusal(status), content: { 'application/json': { schema: errorJson, example } } };
});

/** The security of addresses that a token of this scope opens, too. */
export const sessionOrToken = (scope: 'read' | 'promises') => [{ session: [] }, { token: [scope] }];

/** How a request without a session may be refused. */
export const OPEN: Refusals = { 401: true, 403: true, 429: true, 500: true, 503: true };
/** How a request to read something with a session may be refused. */
export const READING: Refusals = { ...OPEN };
/** How a form of the sign-in may be refused. */
export const SIGNING: Refusals = { ...OPEN, 400: true, 403: true, 413: true, 415: true };
/** How JSON sent with a session may be refused. */
export const WRITING: Refusals = { ...READING, ...SIGNING };
export const MESSENGER_REFUSALS: Refusals = {
  429: 'Too many requests, or the messenger asks us to wait.',
  502: true,
  504: true,
};
