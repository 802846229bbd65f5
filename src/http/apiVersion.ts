import type { RequestHandler } from 'express';

/** Marks answers of the API. Version 1 takes additive changes only. */
export const apiVersion: RequestHandler = (_req, res, next) => {
  res.set('X-API-Version', '1');
  res.set('Cache-Control', 'no-store');
  next();
};
