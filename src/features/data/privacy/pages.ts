import type { IRouter, Request } from 'express';
import type { Renderer } from '../../../http/render.ts';
import { findCurrentSession } from '../../../http/request.ts';
import type { Timed } from '../../../lib/clock.ts';
import { presentConsent } from '../../assistants/present.ts';
import { listConsents } from '../../assistants/repo.ts';
import { getSettings } from '../../base/settings/service.ts';
import { presentChoice } from '../../messenger/consent/present.ts';
import { listChoices } from '../../messenger/consent/repo.ts';
import { accountName } from '../../messenger/present.ts';
import { listAccounts } from '../../messenger/repo.ts';
import { presentPrivacy, type Services } from './present.ts';

type Deps = Timed & { render: Renderer; services: Services };

/** The export lists all choices. */
const MAX_LISTED = 100;

/** Open to everybody: people want to know before they sign in. */
export function privacyPages(pages: IRouter, deps: Deps): void {
  const data = presentPrivacy(deps.services);

  pages.get('/privacy', async (req, res) => {
    const isSignedIn = findCurrentSession(req) !== undefined;
    const nav = isSignedIn ? { nav: 'settings' as const } : {};
    const shown = { ...data, isSignedIn, ...(await readAgreements(deps, req)) };
    deps.render.page(res, 'privacy/index', shown, { title: 'How your data is used', ...nav });
  });
}

/** The user's choices about who writes their digests, and what assistants may read. */
async function readAgreements(deps: Deps, req: Request) {
  const userId = findCurrentSession(req)?.user.id;
  if (!userId) return { choices: [], consents: [] };
  const [choices, consents, accounts, { timezone }] = await Promise.all([
    listChoices(deps.db, { userId, limit: MAX_LISTED }),
    listConsents(deps.db, { userId, limit: MAX_LISTED }),
    listAccounts(deps.db, userId),
    getSettings(deps, { userId }),
  ]);
  const accountNames = new Map(accounts.map(account => [account.id, accountName(account)]));
  const now = { now: deps.clock.now(), timezone };
  const context = { accountNames, service: deps.services.ai, ...now };
  return {
    choices: choices.map(choice => presentChoice(choice, context)),
    consents: consents.map(consent => presentConsent(consent, now)),
  };
}
