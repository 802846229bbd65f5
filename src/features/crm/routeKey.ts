import { Router } from 'express';
import { ClientError } from '../../clients/errors.ts';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { type Flash, setFlash } from '../../http/flash.ts';
import type { Renderer } from '../../http/render.ts';
import { NotFound } from '../../lib/errors.ts';
import { type ConnectDeps, type Connected, connectByKey } from './completeConnection.ts';
import { isOwner } from './freshAccessToken.ts';
import { beforeConnecting, CRM_NAME } from './present.ts';
import { getConnection } from './repo.ts';
import { connectQuery } from './schema.ts';

export const BY_KEY = '/settings/crm/key';

/** For servers where the operator set a key instead of an app: one button connects the account that the key opens. */
export function routeKey(deps: ConnectDeps & { render: Renderer }): Router {
  const pages = Router();

  pages.get(BY_KEY, requireUser, async (req, res) => {
    const owner = { userId: currentUser(req).id };
    if (deps.crm?.ownKey === undefined) return res.redirect(302, '/settings');
    if (!(await isOwner(deps, owner.userId))) throw new NotFound('key');
    const { sureMatchesWrite } = await getConnection(deps.db, owner.userId);
    const { from = '' } = connectQuery.parse(req.query);
    const what = { from, crmName: CRM_NAME, words: beforeConnecting(sureMatchesWrite) };
    deps.render.page(res, 'crm/key/index', what, { title: `Connect ${CRM_NAME}`, nav: 'settings' });
  });

  pages.post(BY_KEY, requireUser, async (req, res) => {
    const { from } = connectQuery.parse(req.body ?? {});
    const place = from ? '/start' : '/settings';
    try {
      setFlash(req, describeConnected(await connectByKey(deps, { userId: currentUser(req).id })));
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

export const NOT_NOW: Flash = {
  tone: 'warn',
  title: 'The CRM isn’t connected',
  text: 'It sent an unexpected response. Try again in a few minutes.',
};

/** What is said once an account is connected. */
export function describeConnected({ connection: { propertiesReady, sureMatchesWrite }, isOther }: Connected): Flash {
  if (!propertiesReady) {
    return {
      tone: 'warn',
      title: 'The CRM is connected, but not ready yet',
      text: 'It hasn’t created the Telegram contact properties. The next sync tries again; notes wait until then.',
    };
  }
  const anew = 'It’s a different account than before, so every conversation is matched again. ';
  const writes = sureMatchesWrite
    ? 'Notes for confident matches start with the next sync.'
    : 'Notes are added once you confirm a match.';
  return { tone: 'ok', title: 'The CRM is connected', text: `${isOther ? anew : ''}${writes}` };
}
