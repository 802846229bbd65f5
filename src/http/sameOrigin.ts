import type { NextFunction, Request, Response } from 'express';
import { Forbidden } from '../lib/errors.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses unsafe requests that another site made the browser send, by Fetch Metadata, else by Origin.
 * With SameSite=Lax cookies this stands in for CSRF tokens. A request with neither header is no browser's.
 */
export function sameOriginOnly(req: Request, _res: Response, next: NextFunction) {
  next(SAFE.has(req.method) || isOwn(req) ? undefined : new Forbidden('This came from another site and was not done.'));
}

function isOwn(req: Request): boolean {
  const site = req.get('sec-fetch-site');
  if (site) return site === 'same-origin' || site === 'none';
  const origin = req.get('origin');
  return origin === undefined || hostOf(origin) === req.get('host');
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
