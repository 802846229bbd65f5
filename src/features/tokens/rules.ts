import type { Scope } from './schema.ts';

/** A user has no more tokens than this at the same time, those that expired among them. */
export const MOST_TOKENS = 50;

type Door = { method: 'GET' | 'PATCH' | 'POST'; path: RegExp; scope: Scope };

const ID = '[^/]+';
const door = (method: Door['method'], path: string, scope: Scope): Door => ({
  method,
  path: new RegExp(`^${path}/?$`, 'i'),
  scope,
});

/** Every address of the API that a token opens, and the scope it takes: a new one is a line here. All others answer 403. */
const DOORS: readonly Door[] = [
  door('GET', '/api/digests', 'read'),
  door('GET', '/api/crm/contacts/search', 'read'),
  door('GET', '/api/promises', 'read'),
  door('GET', '/api/ask', 'read'),
  door('GET', '/api/brief', 'read'),
  door('PATCH', `/api/promises/${ID}`, 'promises'),
  door('PATCH', `/api/promises/${ID}/fields`, 'promises'),
  door('POST', '/api/promises/bulk', 'promises'),
];

/** The scope that a request with a token takes; undefined where no token is let in. */
export function scopeFor({ method, path }: { method: string; path: string }): Scope | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return DOORS.find(one => one.method === asked && one.path.test(path))?.scope;
}
