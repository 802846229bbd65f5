import { type Request, type Response, Router, urlencoded } from 'express';
import { z } from 'zod';
import { type Pages, securityHeaders } from '../../pages/pages.ts';
import type { Gate } from '../gate.ts';
import { scopeInWords, scopesIn } from './scopes.ts';

/** The consent page: `/oauth/authorize`. */

const question = z.object({
  client_id: z.string(),
  redirect_uri: z.url({ protocol: /^https?$/ }),
  scope: z.string().default(''),
  optional_scope: z.string().default(''),
  state: z.string().default(''),
});
type Question = z.output<typeof question>;

const decision = question.extend({ account: z.string().default(''), decision: z.enum(['allow', 'refuse']) });

export function consentRouter(gate: Gate, clientId: string, { render, showProblem }: Pages): Router {
  const router = Router();
  router.get('/authorize', (req, res) => {
    const asked = question.safeParse(req.query);
    if (!asked.success || asked.data.client_id !== clientId) return refuseToAsk(res, asked.data);
    askPerson(req, res, asked.data);
  });
  router.post('/authorize', urlencoded({ extended: false }), (req, res) => {
    const decided = decision.safeParse(req.body);
    if (!decided.success || decided.data.client_id !== clientId) return refuseToAsk(res, decided.data);
    const portal = gate.state.portals.get(decided.data.account);
    if (decided.data.decision === 'allow' && !portal) return refuseToAsk(res, decided.data);
    res.redirect(decided.data.decision === 'allow' && portal ? allowed(decided.data, portal.id) : refused(decided.data));
  });

  function askPerson(req: Request, res: Response, asked: Question): void {
    // Browsers check a redirect against the form's allowed targets, too.
    securityHeaders([new URL(asked.redirect_uri).origin])(req, res, () => {
      const portals = [...gate.state.portals.values()].map(({ id, name }) => ({ id, name }));
      const scopes = scopesIn(`${asked.scope} ${asked.optional_scope}`).map(scopeInWords);
      const app = new URL(asked.redirect_uri).host;
      res.send(render('authorize', { asked, portals, scopes, app }));
    });
  }

  function allowed({ client_id, redirect_uri, scope, optional_scope, state }: Question, portalId: string): string {
    const scopes = scopesIn(`${scope} ${optional_scope}`);
    const code = gate.tokens.issueCode({ clientId: client_id, redirectUri: redirect_uri, portalId, scopes });
    return backTo(redirect_uri, { code, state });
  }

  function refuseToAsk(res: Response, asked: Question | undefined): void {
    const problem = asked
      ? 'The app that sent you here is unknown: its client ID is wrong.'
      : 'The link that brought you here is incomplete: the app or the redirect address is missing.';
    showProblem(res, 400, { title: 'Authorization failed', problem });
  }

  return router;
}

function refused({ redirect_uri, state }: Question): string {
  return backTo(redirect_uri, { error: 'access_denied', error_description: 'The user declined access', state });
}

function backTo(address: string, query: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) if (value !== '') url.searchParams.set(name, value);
  return url.href;
}
