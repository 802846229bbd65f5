import type { Counts, TokenScope, UsesOfHour } from './schema.ts';

/** A user's tokens, including expired ones. */
export const MAX_TOKENS = 50;

type RoutePermission = { method: 'GET' | 'PATCH' | 'POST'; path: RegExp; scope: TokenScope };

/**
 * Every address of the API that a token opens, and the scope it takes: a new one is a line here. All others answer 403. Which
 * conversations an assistant may read there, `assistants/repo.ts` says.
 */
const TOKEN_ROUTES: readonly RoutePermission[] = [
  { method: 'GET', path: /^\/api\/digests\/?$/i, scope: 'read' },
  { method: 'GET', path: /^\/api\/crm\/contacts\/search\/?$/i, scope: 'read' },
  { method: 'GET', path: /^\/api\/promises\/?$/i, scope: 'read' },
  { method: 'GET', path: /^\/api\/ask\/?$/i, scope: 'read' },
  { method: 'GET', path: /^\/api\/brief\/?$/i, scope: 'read' },
  { method: 'PATCH', path: /^\/api\/promises\/[^/]+\/?$/i, scope: 'promises' },
  { method: 'PATCH', path: /^\/api\/promises\/[^/]+\/fields\/?$/i, scope: 'promises' },
  { method: 'POST', path: /^\/api\/promises\/bulk\/?$/i, scope: 'promises' },
];

/** The scope that a request with a token takes; undefined where no token is let in. */
export function scopeFor({ method, path }: { method: string; path: string }): TokenScope | undefined {
  const effectiveMethod = method === 'HEAD' ? 'GET' : method;
  return TOKEN_ROUTES.find(one => one.method === effectiveMethod && one.path.test(path))?.scope;
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** Adds counts to the present hour, and drops the hours that are older than a day. */
export function addUses(uses: readonly UsesOfHour[], more: Counts, now: Date): UsesOfHour[] {
  const hour = new Date(now.getTime() - (now.getTime() % HOUR_MS)).toISOString();
  const earlier = usesOfLastDay(uses, now).filter(one => one.hour !== hour);
  const present = sumUses([...uses.filter(one => one.hour === hour), more]);
  return [...earlier, { hour, ...present }];
}

/** The uses that are not older than a day, to the hour. */
export function usesOfLastDay(uses: readonly UsesOfHour[], now: Date): UsesOfHour[] {
  const since = new Date(now.getTime() - DAY_HOURS * HOUR_MS).toISOString();
  return uses.filter(({ hour }) => hour > since);
}

export function sumUses(all: readonly Counts[]): Counts {
  const sumOf = (kind: keyof Counts) => all.reduce((sum, counts) => sum + counts[kind], 0);
  return { reads: sumOf('reads'), changes: sumOf('changes'), refused: sumOf('refused') };
}
