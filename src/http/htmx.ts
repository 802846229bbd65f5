import type { Request } from 'express';

/** True when htmx asks, and so a fragment is the answer. A history restore wants the page. */
export function isHtmx(req: Request): boolean {
  return req.get('hx-request') === 'true' && req.get('hx-history-restore-request') !== 'true';
}
