import { type Request, Router } from 'express';
import { findCurrentSession } from '../../http/currentUser.ts';
import type { Renderer } from '../../http/render.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { presentChoice } from '../consent/present.ts';
import { listChoices } from '../consent/repo.ts';
import { accountName } from '../messenger/present.ts';
import { listAccounts } from '../messenger/service.ts';
import { getSettings } from '../settings/service.ts';
import { presentPrivacy, type Services } from './present.ts';

type Deps = { db: Db; clock: Clock; render: Renderer; services: Services };

/** The export lists all choices. */
const MOST_LISTED = 100;

/** Open to everybody: people want to know before they sign in. */
export function privacyPages(deps: Deps): Router {
  const pages = Router();
  const data = presentPrivacy(deps.services);

  pages.get('/privacy', async (req, res) => {
    const isSignedIn = findCurrentSession(req) !== undefined;
    const nav = isSignedIn ? { nav: 'settings' as const } : {};
    const shown = { ...data, isSignedIn, choices: await choicesOf(deps, req) };
    deps.render.page(res, 'privacy/index', shown, { title: 'How your data is used', ...nav });
  });

  return pages;
}

/** What the person chose about who writes their digests. */
async function choicesOf(deps: Deps, req: Request) {
  const userId = findCurrentSession(req)?.user.id;
  if (!userId) return [];
  const [choices, accounts, { timezone }] = await Promise.all([
    listChoices(deps.db, { userId, limit: MOST_LISTED }),
    listAccounts(deps, { userId }),
    getSettings(deps, { userId }),
  ]);
  const accountNames = new Map(accounts.map(account => [account.id, accountName(account)]));
  const context = { accountNames, service: deps.services.ai, now: deps.clock.now(), timezone };
  return choices.map(choice => presentChoice(choice, context));
}
