import type { Request, RequestHandler } from 'express';

/** How a request went: `route` is the pattern it matched, never the address itself, which holds ids. */
export type RequestTime = { method: string; route: string; status: number; seconds: number };

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

export function timeRequests(take: (time: RequestTime) => void): RequestHandler {
  return (req, res, next) => {
    const began = performance.now();
    res.once('finish', () => {
      const method = METHODS.has(req.method) ? req.method : 'other';
      take({ method, route: routeOf(req), status: res.statusCode, seconds: (performance.now() - began) / 1000 });
    });
    next();
  };
}

function routeOf(req: Request): string {
  const path: unknown = req.route?.path;
  return typeof path === 'string' ? req.baseUrl + path : 'none';
}
