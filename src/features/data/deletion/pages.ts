import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { forgetBrowserSession } from '../../../http/browserSession.ts';
import { clearSiteData } from '../../../http/clearSiteData.ts';
import { currentUser, findCurrentSession, requireUser } from '../../../http/currentUser.ts';
import { parseInput } from '../../../http/input.ts';
import type { Renderer } from '../../../http/render.ts';
import type { SessionCookie } from '../../../http/sessionCookie.ts';
import { InvalidInput } from '../../../lib/errors.ts';
import { type DeletionDeps, deleteAccount } from './deleteAccount.ts';
import { listConsequences } from './listConsequences.ts';
import { presentConsequences, presentGoodbye } from './present.ts';
import { deletionForm } from './schema.ts';

type Deps = DeletionDeps & { render: Renderer; sessionCookie: SessionCookie };

const PAGE = '/settings/account/delete';
const OTHER_ADDRESS = 'That isn’t this account’s email address.';

const goodbyeQuery = z.object({ left: z.string().max(100).catch('') });

export function deletionPages(deps: Deps): Router {
  const pages = Router();

  pages.get(PAGE, requireUser, async (req, res) => show(deps, req, res, { typed: '', errors: {} }));

  pages.post(PAGE, requireUser, async (req, res) => {
    const { id: userId, email } = currentUser(req);
    try {
      const typed = parseInput(deletionForm, req.body);
      if (typed.email !== email) throw new InvalidInput(OTHER_ADDRESS, { email: OTHER_ADDRESS });
    } catch (err) {
      if (!(err instanceof InvalidInput)) throw err;
      return show(deps, req, res, { typed: String(req.body?.email ?? ''), errors: err.fields });
    }
    const unreached = await deleteAccount(deps, { userId, email });
    deps.sessionCookie.clear(res);
    forgetBrowserSession(res);
    clearSiteData(res);
    res.redirect(303, unreached.size > 0 ? `/goodbye?left=${[...unreached].join(',')}` : '/goodbye');
  });

  pages.get('/goodbye', (req, res) => {
    if (findCurrentSession(req)) return res.redirect(302, '/today');
    const { left } = goodbyeQuery.parse(req.query);
    deps.render.page(res, 'deletion/goodbye/index', presentGoodbye(left.split(',')), { title: 'Goodbye' });
  });

  return pages;
}

type Shown = { typed: string; errors: Record<string, string> };

async function show(deps: Deps, req: Request, res: Response, shown: Shown): Promise<void> {
  const { id: userId, email } = currentUser(req);
  const isWrong = Object.keys(shown.errors).length > 0;
  const data = { ...shown, email, happens: presentConsequences(await listConsequences(deps, { userId })) };
  const title = isWrong ? 'Error: Delete the account' : 'Delete the account';
  deps.render.page(res, 'deletion/confirm/index', data, { title, nav: 'settings', status: isWrong ? 400 : 200 });
}
