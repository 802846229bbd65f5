import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** Runs middleware that doesn't need one another's results, all at the same time. */
export function inParallel(...handlers: RequestHandler[]): RequestHandler {
  return async (req, res, next) => {
    await Promise.all(handlers.map(handler => passed(handler, req, res)));
    next();
  };
}

/** Resolves when the handler lets the request on, rejects with its error. Never settles when it answers itself. */
function passed(handler: RequestHandler, req: Request, res: Response): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const next: NextFunction = (err?: unknown) => (err ? reject(err) : resolve());
  Promise.resolve(handler(req, res, next)).catch(reject);
  return promise;
}
