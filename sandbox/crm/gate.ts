import { setTimeout as sleep } from 'node:timers/promises';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import type { FaultPlan } from '../faultPlan.ts';
import type { CrmFault } from './faults.ts';
import type { Tokens } from './oauth/tokens.ts';
import { createRateLimits, type RateLimits, tooManyCalls, tooManySearches } from './rateLimits.ts';
import { invalid, Refusal } from './refusals.ts';
import type { Answer, Call, Route } from './routes/route.ts';
import type { CrmState } from './state.ts';

/** A call as it came in, without secrets, and its response status, null when it got no answer. */
export type SeenCall = {
  kind: string;
  method: string;
  path: string;
  body: string;
  status: number | null;
  /** When it came in, in Unix milliseconds. */
  at: number;
};

/** The state that every call goes through. */
export type Gate = {
  state: CrmState;
  tokens: Tokens;
  faults: FaultPlan<CrmFault>;
  rateLimits: RateLimits;
  seen: SeenCall[];
  /** Calls by kind since the last reset. */
  counts: Map<string, number>;
};

/** How many calls are kept, and how many characters of each body. */
const MAX_SEEN = 5_000;
const MAX_CHARACTERS = 10_000;

export function createGate(
  about: Pick<Gate, 'state' | 'tokens' | 'faults'> & { limits: Parameters<typeof createRateLimits>[0] },
): Gate {
  const { limits, ...rest } = about;
  return { ...rest, rateLimits: createRateLimits(limits, rest.state.now), seen: [], counts: new Map() };
}

const readText = express.text({ type: () => true, limit: '10mb' });

/** The routes as one router, each behind authentication, scopes, limits and faults. */
export function routerFor(gate: Gate, routes: readonly Route[]): Router {
  const router = Router({ mergeParams: true });
  for (const route of routes) router[route.method](route.path, readText, passing(gate, route.kind, answerTo(gate, route)));
  return router;
}

/** Counts a call, applies the fault planned for its kind, and sends what the function answers. */
export function passing(gate: Gate, kind: string, answer: (req: Request, res: Response) => Answer): RequestHandler {
  return async (req, res) => {
    const call = remember(gate, kind, req);
    const fault = gate.faults.take({ kind });
    if (fault.isSilent) return;
    if (fault.delayMs > 0) await sleep(fault.delayMs);
    const { status, body, headers } = settle(() => {
      if (fault.status !== undefined) throw plannedRefusal(kind, fault.status, fault.retryAfterSeconds);
      return answer(req, res);
    });
    if (fault.losesAnswer) return void res.destroy();
    call.status = status;
    res.status(status).set(headers);
    if (body === undefined) res.end();
    else res.json(body);
  };
}

function remember({ seen, counts }: Gate, kind: string, req: Request): SeenCall {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const body = kind.startsWith('oauth.') ? '' : textOf(req).slice(0, MAX_CHARACTERS);
  const call: SeenCall = { kind, method: req.method, path: req.originalUrl, body, status: null, at: Date.now() };
  seen.push(call);
  if (seen.length > MAX_SEEN) seen.shift();
  return call;
}

function settle(answer: () => Answer): Answer & { headers: Record<string, string> } {
  try {
    return { headers: {}, ...answer() };
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: error.body, headers: error.headers };
    throw error;
  }
}

function answerTo(gate: Gate, route: Route): (req: Request, res: Response) => Answer {
  return (req, res) => {
    const { portal, scopes, isPersonal } = gate.tokens.authenticate(req.headers.authorization);
    requireScope(route, scopes);
    res.set(gate.rateLimits.take(portal.id, route.kind.endsWith('.search')));
    return route.handle(toCall({ state: gate.state, portal, isPersonal }, req));
  };
}

function requireScope({ scopes: wanted }: Route, scopes: readonly string[]): void {
  if (wanted.length === 0 || wanted.some(scope => scopes.includes(scope))) return;
  const message = "This app hasn't been granted all required scopes to make this call.";
  const context = { requiredGranularScopes: [...wanted] };
  const errors = [{ message: 'One or more of the following scopes are required.', context }];
  throw new Refusal(403, { message, category: 'MISSING_SCOPES', errors });
}

/** Versions of the API before this one ignore an administrator's rules. */
const VALIDATED = /\/2026-09\//;

function toCall(about: Pick<Call, 'state' | 'portal' | 'isPersonal'>, req: Request): Call {
  const text = textOf(req);
  const params = Object.entries(req.params).map(([name, value]) => [name, String(value)]);
  return {
    ...about,
    isValidated: VALIDATED.test(req.originalUrl),
    params: Object.fromEntries(params),
    query: new URL(req.originalUrl, 'http://crm.invalid').searchParams,
    body: text === '' ? undefined : parseJson(text),
    characters: text.length,
  };
}

function textOf(req: Request): string {
  return typeof req.body === 'string' ? req.body : '';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('Invalid input JSON: the body could not be parsed.');
  }
}

function plannedRefusal(kind: string, status: number, retryAfterSeconds: number | undefined): Refusal {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  if (status === 429) return kind.endsWith('.search') ? tooManySearches(headers) : tooManyCalls(headers);
  return new Refusal(status, { message: 'internal error' }, headers);
}
