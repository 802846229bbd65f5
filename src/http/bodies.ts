import express, { type RequestHandler, Router } from 'express';
import { InvalidInput } from '../lib/errors.ts';

/** Reads request bodies: JSON for the API, forms for pages and for signing in. */
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

/** A body of another kind would count as empty, and the answer would be "saved" although nothing was. */
function refuseUnread(code: string, sentence: string): RequestHandler {
  return (req, _res, next) => {
    const isSent = Number(req.get('content-length') ?? 0) > 0 || req.get('transfer-encoding') !== undefined;
    const isRead = req.body !== undefined;
    next(isSent && !isRead ? new InvalidInput(sentence, {}, code) : undefined);
  };
}
