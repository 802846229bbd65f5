import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** Middleware that does not need one another's results: what each waits for is waited for together. */
export function sideBySide(...handlers: RequestHandler[]): RequestHandler {
  return async (req, res, next) => {
    await Promise.all(handlers.map(handler => passed(handler, req, res)));
    next();
  };
}

/** When the handler lets the request on. Fails with its error. Never comes back when it answers itself. */
function passed(handler: RequestHandler, req: Request, res: Response): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const next: NextFunction = (err?: unknown) => (err ? reject(err) : resolve());
  Promise.resolve(handler(req, res, next)).catch(reject);
  return promise;
}
