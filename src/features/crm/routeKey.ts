import { Router } from 'express';
import { z } from 'zod';
import { ClientError } from '../../clients/errors.ts';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { type Flash, setFlash } from '../../http/flash.ts';
import type { Renderer } from '../../http/render.ts';
import { NotFound } from '../../lib/errors.ts';
import { type ConnectDeps, connectByKey } from './completeConnection.ts';
import { isOwner } from './freshAccessToken.ts';
import { beforeConnecting, CRM_NAME, NOT_NOW, presentConnected } from './present.ts';
import { getConnection } from './service.ts';

export const BY_KEY = '/settings/crm/key';
/** New users come from onboarding and return there. */
const asked = z.object({ from: z.literal('start').optional().catch(undefined) });

/** Where the operator set a key instead of an app: the account it opens is connected with a press of a button. */
export function routeKey(deps: ConnectDeps & { render: Renderer }): Router {
  const pages = Router();

  pages.get(BY_KEY, requireUser, async (req, res) => {
    const owner = { userId: currentUser(req).id };
    if (deps.crm?.ownKey === undefined || !(await isOwner(deps, owner.userId))) throw new NotFound('key');
    const { sureMatchesWrite } = await getConnection(deps, owner);
    const { from = '' } = asked.parse(req.query);
    const what = { from, crmName: CRM_NAME, words: beforeConnecting(sureMatchesWrite) };
    deps.render.page(res, 'crm/key/index', what, { title: `Connect ${CRM_NAME}`, nav: 'settings' });
  });

  pages.post(BY_KEY, requireUser, async (req, res) => {
    const { from } = asked.parse(req.body ?? {});
    const place = from ? '/start' : '/settings';
    try {
      setFlash(req, presentConnected(await connectByKey(deps, { userId: currentUser(req).id })));
    } catch (err) {
      if (!(err instanceof ClientError)) throw err;
      deps.log.warn({ err }, 'CRM not connected');
      setFlash(req, KEY_REFUSALS[err.code] ?? NOT_NOW);
    }
    res.redirect(303, place);
  });

  return pages;
}

const KEY_REFUSALS: Record<string, Flash> = {
  CRM_AUTH: {
    tone: 'warn',
    title: 'The CRM isn’t connected',
    text: 'It doesn’t accept the key of this installation. Put a new one in CRM_ACCESS_TOKEN and restart.',
  },
  CRM_SCOPE_MISSING: {
    tone: 'warn',
    title: 'The CRM isn’t connected',
    text: 'The key may not read contacts there. Add the scopes that the guide names, then connect again.',
  },
};
