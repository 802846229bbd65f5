import type { Request } from 'express';

/** True when htmx asks and the answer is to be a fragment. A history restore needs the whole page. */
export function isHtmx(req: Request): boolean {
  return req.get('hx-request') === 'true' && req.get('hx-history-restore-request') !== 'true';
}

/**
 * The attributes of an element whose links replace a part of the page, as markup, where the browser runs JavaScript; elsewhere
 * they load a page. The last click counts: what an earlier one asked for is dropped.
 */
export function linksReplace(selector: string): string {
  return `hx-boost:inherited="target:${selector} swap:'outerHTML show:none'" hx-sync:inherited="main:replace"`;
}
