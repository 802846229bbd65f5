import type { Request, RequestHandler } from 'express';
import { customAlphabet } from 'nanoid';
import { pinoHttp } from 'pino-http';
import { errorForLog, type Log } from '../lib/log.ts';
import { findCurrentSession } from './request.ts';

/** Letters and digits that are not mistaken for one another when read out on the phone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const fiveLetters = customAlphabet(ALPHABET, 5);

/** Gives every request its id and writes one line when it is answered: no query, no header, no body. */
export function requestLog(log: Log): RequestHandler {
  return pinoHttp({
    // The serializers below let nothing through that would need redacting.
    logger: log.child({}, { redact: [] }),
    genReqId: (_req, res) => {
      // For example `7F3K2-9QTRM`: short enough for a person to tell us.
      const id = `${fiveLetters()}-${fiveLetters()}`;
      res.setHeader('X-Request-Id', id);
      return id;
    },
    serializers: {
      req: req => ({ id: req.id, method: req.method, path: pathForLog(String(req.url)) }),
      res: res => ({ status: res.statusCode }),
      err: errorForLog,
    },
    // Requests that anybody can send must not fill the log: unknown addresses, and all refusals of strangers.
    customLogLevel: (req, res, err) => {
      if (err || res.statusCode >= 500) return 'error';
      const isRefusal = res.statusCode >= 400 && res.statusCode !== 404;
      return isRefusal && findCurrentSession(req as Request) ? 'info' : 'debug';
    },
  }) as RequestHandler;
}

/** The path without query and secrets: calendar tokens and segments too long for a name. */
function pathForLog(url: string): string {
  const [path = ''] = url.split('?');
  return path.replace(/(\/calendar\/+)[^/]+/gi, '$1…').replace(/[^/]{80,}/g, '…');
}

export function requestId(req: Request): string {
  return String(req.id ?? '');
}

/** How a request went: `route` is the pattern it matched, never the address itself, which holds ids. */
type RequestTime = { method: string; route: string; status: number; seconds: number };

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
