import type { NextFunction, Request, Response } from 'express';
import type { z } from 'zod';
import { isApiToken } from '../lib/crypto.ts';
import { InvalidInput, NotSignedIn } from '../lib/errors.ts';
import type { SessionCookie } from './sessionCookie.ts';

export type CurrentUser = { id: string; email: string; name: string | null };

/** The user and the session of a valid session token. */
export type SignedIn = {
  user: CurrentUser;
  sessionId: string;
  expiresAt: Date;
  /** A newer token for the same session, when the one shown is more than a day old. */
  renewedToken?: string;
};

/** Finds the user of a session token, through the users feature. */
export type Authenticate = (token: string) => Promise<SignedIn | undefined>;

/** Finds an API token's user, through the tokens feature. Throws WrongToken, or Forbidden where it may not go. */
export type AdmitToken = (request: { token: string; method: string; path: string }) => Promise<{
  user: CurrentUser;
  /** Called once the request is answered without an error. */
  countUse: () => void;
}>;

const signedIn = new WeakMap<Request, SignedIn>();
const byToken = new WeakMap<Request, CurrentUser>();
const requestsWithEndedSession = new WeakSet<Request>();

type IdentifyDeps = { authenticate: Authenticate; admitToken: AdmitToken; sessionCookie: SessionCookie };

/** Middleware that finds the user by API token, else by session cookie; clears the cookie of a session that is gone. */
export function identify({ authenticate, admitToken, sessionCookie }: IdentifyDeps) {
  return async (req: Request, res: Response, next: NextFunction) => {
    const shown = apiTokenOf(req);
    if (shown !== undefined) {
      const { user, countUse } = await admitToken({ token: shown, method: req.method, path: req.path });
      rememberTokenUser(req, user);
      res.once('finish', () => {
        if (res.statusCode < 400) countUse();
      });
      return next();
    }
    const token = sessionCookie.read(req);
    if (!token) return next();
    const session = await authenticate(token);
    if (!session) {
      sessionCookie.clear(res);
      requestsWithEndedSession.add(req);
    } else signedIn.set(req, session);
    if (session?.renewedToken) sessionCookie.set(res, session.renewedToken, session.expiresAt);
    next();
  };
}

/** Whether the request had a session that has ended: the user was signed in a moment ago. */
export function hasEnded(req: Request): boolean {
  return requestsWithEndedSession.has(req);
}

/** The API token in the header, ignoring others, such as a proxy's own. */
export function apiTokenOf(req: Request): string | undefined {
  const shown = /^Bearer +(\S+) *$/i.exec(req.get('authorization') ?? '')?.[1];
  return shown !== undefined && isApiToken(shown) ? shown : undefined;
}

/** Records the user of a token for this request, at addresses that take no session. */
export function rememberTokenUser(req: Request, user: CurrentUser): void {
  byToken.set(req, user);
}

/** The user of the request's API token; undefined without one. */
export function findTokenUser(req: Request): CurrentUser | undefined {
  return byToken.get(req);
}

/** Lets requests of a signed-in user, or with an API token, through. All others get NotSignedIn: pages lead to the sign-in. */
export function requireUser(req: Request, _res: Response, next: NextFunction) {
  next(signedIn.has(req) || byToken.has(req) ? undefined : new NotSignedIn());
}

/** The user who makes the request. Only behind {@link requireUser}; throws NotSignedIn elsewhere. */
export function currentUser(req: Request): CurrentUser {
  return byToken.get(req) ?? currentSession(req).user;
}

export function currentSession(req: Request): SignedIn {
  const found = signedIn.get(req);
  if (!found) throw new NotSignedIn();
  return found;
}

export function findCurrentSession(req: Request): SignedIn | undefined {
  return signedIn.get(req);
}

/** Parses input; a missing body is empty. Throws InvalidInput with a sentence per field, never a value. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  refuseControlCharacters(input);
  const parsed = schema.safeParse(input ?? {}, { error: sentenceFor });
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message;
  const [first] = Object.values(fields);
  throw new InvalidInput(first ?? 'This isn’t valid.', fields);
}

/** Validation errors by field, to show with the form. Rethrows all others. */
export function fieldErrors(err: unknown): Record<string, string> {
  if (err instanceof InvalidInput) return err.fields;
  throw err;
}

/** Control characters except tabs and line endings, and unpaired surrogates: Postgres stores neither those nor NUL. */
const UNWANTED = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/** Refuses control characters, in unknown fields, too. Iterates, as recursion would overflow on deep input. */
function refuseControlCharacters(input: unknown): void {
  const parts = [{ value: input, path: '' }];
  for (const { value, path } of parts) {
    if (typeof value === 'string' && UNWANTED.test(value)) {
      const sentence = 'This contains an invalid character.';
      throw new InvalidInput(sentence, { [path || 'body']: sentence });
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [field, part] of Object.entries(value)) parts.push({ value: part, path: path ? `${path}.${field}` : field });
  }
}

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** The sentence for an invalid input, where the schema has none of its own. */
function sentenceFor(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') {
    if (issue.expected === 'object') return 'Send a JSON object.';
    return issue.input === undefined ? 'This is missing.' : `This must be ${KINDS[issue.expected] ?? issue.expected}.`;
  }
  if (issue.code === 'invalid_value') return `Choose one of ${issue.values.join(', ')}.`;
  if (issue.code === 'too_big') return `This is too ${issue.origin === 'string' ? 'long' : 'large'}.`;
  if (issue.code === 'too_small') return issue.input === '' ? 'This is missing.' : 'This is too small.';
  return 'This isn’t valid.';
}

/** Whether htmx expects a fragment. A history restore needs the whole page. */
export function isHtmx(req: Request): boolean {
  return req.get('hx-request') === 'true' && req.get('hx-history-restore-request') !== 'true';
}
