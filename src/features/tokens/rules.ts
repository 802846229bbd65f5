import type { Scope } from './schema.ts';

/** A user has no more tokens than this at the same time, those that expired among them. */
export const MOST_TOKENS = 50;

type Door = { method: 'GET' | 'PATCH' | 'POST'; path: RegExp; scope: Scope };

/** Every address of the API that a token opens, and the scope it takes: a new one is a line here. All others answer 403. */
const DOORS: readonly Door[] = [
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
export function scopeFor({ method, path }: { method: string; path: string }): Scope | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return DOORS.find(one => one.method === asked && one.path.test(path))?.scope;
}
