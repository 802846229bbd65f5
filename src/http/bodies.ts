import express, { type RequestHandler, Router } from 'express';
import { InvalidInput } from '../lib/errors.ts';

/** Reads what was sent: JSON by the API, forms by pages and by signing in. */
export function bodies(): Router {
  const form = express.urlencoded({ extended: false, limit: '10kb' });
  const routes = Router();
  routes.use('/api/auth', form);
  routes.use(
    '/api',
    express.json({ limit: '100kb' }),
    refuseUnread('NOT_JSON', 'Send JSON, with Content-Type: application/json.'),
  );
  routes.use(form, refuseUnread('NOT_A_FORM', 'Send a form, with Content-Type: application/x-www-form-urlencoded.'));
  return routes;
}

/** A body of another kind would count as an empty one, and "saved" would be the answer to nothing. */
function refuseUnread(code: string, sentence: string): RequestHandler {
  return (req, _res, next) => {
    const isSent = Number(req.get('content-length') ?? 0) > 0 || req.get('transfer-encoding') !== undefined;
    const isRead = req.body !== undefined;
    next(isSent && !isRead ? new InvalidInput(sentence, {}, code) : undefined);
  };
}
