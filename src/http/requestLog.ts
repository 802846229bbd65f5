import { randomBytes } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import { errorForLog, type Log } from '../lib/log.ts';

/** Letters and digits that are not mistaken for one another when read out on the phone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** For example `7F3K2-9QTRM`: short enough to be told to us by a person. */
function newRequestId(): string {
  const letters = Array.from(randomBytes(10), byte => ALPHABET[byte % 32]).join('');
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}

/** Gives every request its id and writes one line when it is answered: no query, no header, no body. */
export function requestLog(log: Log): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId: (_req, res) => {
      const id = newRequestId();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    serializers: {
      req: req => ({ id: req.id, method: req.method, path: String(req.url).split('?')[0] }),
      res: res => ({ status: res.statusCode }),
      err: errorForLog,
    },
    customLogLevel: (_req, res, err) => {
      if (err || res.statusCode >= 500) return 'error';
      return res.statusCode >= 400 ? 'info' : 'debug';
    },
  }) as RequestHandler;
}

export function requestId(req: Request): string {
  return String(req.id ?? '');
}
