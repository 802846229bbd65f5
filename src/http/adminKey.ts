import type { Request, RequestHandler } from 'express';
import { isSameSecret } from '../lib/crypto.ts';
import { NotFound, WrongKey } from '../lib/errors.ts';

/**
 * Opens an address to holders of the operator's key: `?key=`, or as a bearer token. Without a key configured the
 * address is not there. The key is in the address, so referrers and caches must not keep it.
 */
export function requireAdminKey(apiKey: string | undefined): RequestHandler {
  return (req, res, next) => {
    res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    if (!apiKey) return next(new NotFound('page'));
    next(showsAdminKey(req, apiKey) ? undefined : new WrongKey());
  };
}

export function showsAdminKey(req: Request, apiKey: string | undefined): boolean {
  const { key } = req.query;
  const bearer = req.get('authorization')?.match(/^Bearer (.+)$/i)?.[1];
  const shown = typeof key === 'string' ? key : bearer;
  return apiKey !== undefined && shown !== undefined && isSameSecret(shown, apiKey);
}
