import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { ClientError } from '../clients/errors.ts';
import { isDatabaseFailure } from '../lib/db.ts';
import * as errors from '../lib/errors.ts';
import { describeOutage } from '../lib/failures.ts';
import type { Log } from '../lib/log.ts';
import { hasEnded, isHtmx } from './request.ts';
import { requestId } from './requestLog.ts';

/** The JSON of every refused or failed request. A conflict adds its `details`, which a program needs to go on. */
export const errorJson = z
  .strictObject({
    error: z.string().meta({ description: 'A sentence for a person' }),
    code: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]*$/)
      .meta({ description: 'For programs; stays the same when the words change' }),
    fields: z.record(z.string(), z.string()).optional().meta({ description: 'A sentence for each field that is not right' }),
    requestId: z.string().meta({ description: 'Also in the header X-Request-Id, and in the log' }),
  })
  .meta({ id: 'Error' });

export type ErrorAnswer = z.output<typeof errorJson> & {
  status: number;
  /** Only for a conflict. */
  details?: Readonly<Record<string, string>>;
};

export type RenderError = (req: Request, res: Response, answer: ErrorAnswer) => Promise<void>;

const UNFORESEEN = {
  status: 500,
  error: 'Something went wrong on our side. Nothing was lost. Try again, or send us the reference.',
  code: 'INTERNAL',
};

const NO_DATABASE = {
  status: 503,
  error: 'Our database isn’t answering right now. What was saved is safe. Try again in a minute.',
  code: 'DATABASE_UNAVAILABLE',
};
const DATABASE_PAUSE_SECONDS = 10;

type Deps = { log: Log; renderError: RenderError };

const answeredWithPages = new WeakSet<Request>();

/**
 * For addresses under /api that people arrive at in a browser: errors are pages where these are asked for.
 * @param types what is answered, the one first that is meant by whoever takes anything
 */
export function answerWithPages(types: ['html', 'json'] | ['json', 'html']): RequestHandler {
  return (req, _res, next) => {
    // No page asks with a token.
    if (!req.headers.authorization && (req.accepts(types) || types[0]) === 'html') answeredWithPages.add(req);
    next();
  };
}

/** The one place where an error becomes a status: JSON under /api, a page or a fragment elsewhere. */
export function answerErrors(deps: Deps): ErrorRequestHandler {
  return async (err: unknown, req, res, _next) => {
    if (res.headersSent) return breakOff(deps, err, req);
    const answer = { ...toErrorAnswer(err), requestId: requestId(req) };
    if (answer.status >= 500) deps.log.error({ err, requestId: answer.requestId }, 'request failed');
    const wait = answer.code === NO_DATABASE.code ? DATABASE_PAUSE_SECONDS : retryAfterSeconds(err);
    if (wait !== undefined) res.set('Retry-After', String(wait));
    if (err instanceof errors.WrongToken) res.set('WWW-Authenticate', 'Bearer error="invalid_token"');
    const { status, details, ...body } = answer;
    if (isApi(req) && !answeredWithPages.has(req)) res.status(status).json({ ...body, ...details });
    else if (err instanceof errors.NotSignedIn) sendToSignIn(req, res);
    else await sendPage(deps, req, res, answer);
  };
}

/** Half a response is sent already: the client must see that it is incomplete. */
function breakOff({ log }: Deps, err: unknown, req: Request) {
  log.error({ err, requestId: requestId(req) }, 'request failed in the middle of its answer');
  req.socket.destroy();
}

/** Whether the address is under /api or /mcp, without regard to case, as the router compares addresses. */
export function isApi(req: Request): boolean {
  return /^\/(api|mcp)(\/|\?|$)/i.test(req.originalUrl);
}

/** Answers with plain text if the error page can't be rendered: the framework's own page would show the stack. */
async function sendPage({ log, renderError }: Deps, req: Request, res: Response, answer: ErrorAnswer) {
  try {
    await renderError(req, res, answer);
  } catch (err) {
    log.error({ err, requestId: answer.requestId }, 'error page failed');
    res.status(answer.status).type('text').send(`${answer.error}\nReference: ${answer.requestId}\n`);
  }
}

function sendToSignIn(req: Request, res: Response) {
  const ended = hasEnded(req) ? '&ended=1' : '';
  const target = `/signin?callbackUrl=${encodeURIComponent(pageOf(req))}${ended}`;
  if (isHtmx(req)) res.status(401).set('HX-Redirect', target).end();
  else res.redirect(302, target);
}

/** The current page: the requested one, or that of the form or link. */
function pageOf(req: Request): string {
  if (isHtmx(req)) return pathOf(req.get('hx-current-url'));
  return req.method === 'GET' ? req.originalUrl : pathOf(req.get('referer'));
}

function pathOf(address: string | undefined): string {
  if (!address || !URL.canParse(address)) return '/today';
  const { pathname, search } = new URL(address);
  return pathname + search;
}

function toErrorAnswer(err: unknown): Omit<ErrorAnswer, 'requestId'> {
  if (err instanceof errors.AppError) return describeAppError(err);
  if (err instanceof ClientError) return describeClientError(err);
  return describeHttpError(err) ?? (isDatabaseFailure(err) ? NO_DATABASE : UNFORESEEN);
}

function describeAppError(err: errors.AppError): Omit<ErrorAnswer, 'requestId'> {
  const answer = { status: statusOf(err), error: err.message, code: err.code };
  if (err instanceof errors.Conflict) return { ...answer, details: err.details };
  const hasFields = err instanceof errors.InvalidInput && Object.keys(err.fields).length > 0;
  return hasFields ? { ...answer, fields: err.fields } : answer;
}

function statusOf(err: errors.AppError): number {
  if (err instanceof errors.InvalidInput) return 400;
  if (err instanceof errors.NotSignedIn || err instanceof errors.WrongKey || err instanceof errors.WrongToken) return 401;
  if (err instanceof errors.Forbidden) return 403;
  if (err instanceof errors.NotFound) return 404;
  if (err instanceof errors.NotAllowed) return 405;
  if (err instanceof errors.Conflict) return 409;
  if (err instanceof errors.TooManyRequests) return 429;
  return 503;
}

export function statusOfOutage({ kind, code }: ClientError): number {
  if (kind === 'rateLimited') return 429;
  return code === 'TIMEOUT' ? 504 : 502;
}

function describeClientError(err: ClientError): Omit<ErrorAnswer, 'requestId'> {
  const { sentence, advice } = describeOutage(err);
  return { status: statusOfOutage(err), error: `${sentence} ${advice}`, code: err.code };
}

const BODY_ERRORS: Record<string, Omit<ErrorAnswer, 'requestId'>> = {
  'entity.too.large': { status: 413, error: 'This is too large to be accepted.', code: 'TOO_LARGE' },
  'entity.parse.failed': { status: 400, error: 'The body is not valid JSON.', code: 'MALFORMED_JSON' },
};

/** Errors of the framework and its body parsers carry a status of their own. */
function describeHttpError(err: unknown): Omit<ErrorAnswer, 'requestId'> | undefined {
  if (!(err instanceof Error) || !('status' in err) || typeof err.status !== 'number') return undefined;
  const known = 'type' in err && typeof err.type === 'string' ? BODY_ERRORS[err.type] : undefined;
  if (known) return known;
  if (err.status < 400 || err.status > 499) return undefined;
  return { status: err.status, error: 'This request couldn’t be read.', code: 'BAD_REQUEST' };
}

function retryAfterSeconds(err: unknown): number | undefined {
  return err instanceof errors.TooManyRequests || err instanceof ClientError ? err.retryAfterSeconds : undefined;
}

export const answerNotFound: RequestHandler = (_req, _res, next) => next(new errors.NotFound('page'));

export function exceptApi(handler: RequestHandler): RequestHandler {
  return (req, res, next) => (isApi(req) ? next() : handler(req, res, next));
}
