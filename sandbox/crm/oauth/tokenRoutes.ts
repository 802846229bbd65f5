import { type Request, Router, text } from 'express';
import { type Gate, passing } from '../gate.ts';
import type { Answer } from '../routes/route.ts';
import { badGrant } from './tokens.ts';

/** The routes under `/token`: https://developers.hubspot.com/docs/api-reference/latest/authentication/manage-oauth-tokens */
export function tokenRouter(gate: Gate): Router {
  const { tokens } = gate;
  const router = Router();
  const readForm = text({ type: 'application/x-www-form-urlencoded' });
  router.post('/token', readForm, (req, res, next) => {
    const grantType = formOf(req).get('grant_type');
    passing(gate, grantType === 'refresh_token' ? 'oauth.refresh' : 'oauth.exchange', () => grant(grantType, req))(
      req,
      res,
      next,
    );
  });
  router.post(
    '/token/introspect',
    readForm,
    passing(gate, 'oauth.introspect', req => ({ status: 200, body: tokens.introspect(formOf(req)) })),
  );
  router.post(
    '/token/revoke',
    readForm,
    passing(gate, 'oauth.revoke', req => {
      tokens.revoke(formOf(req));
      return { status: 200, body: {} };
    }),
  );

  function grant(grantType: string | null, req: Request): Answer {
    const form = formOf(req);
    if (grantType === 'authorization_code') return { status: 200, body: tokens.exchange(form) };
    if (grantType === 'refresh_token') return { status: 200, body: tokens.refresh(form) };
    throw badGrant('BAD_GRANT_TYPE', 'missing or unknown grant type');
  }

  return router;
}

function formOf(req: Request): URLSearchParams {
  return new URLSearchParams(typeof req.body === 'string' ? req.body : '');
}
