import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { IRouter, Request, Response } from 'express';
import { z } from 'zod';
import { chooseKeys, type Renderer, setFlash } from '../../../http/render.ts';
import {
  currentSession,
  currentUser,
  fieldErrors,
  findCurrentSession,
  parseInput,
  requireUser,
} from '../../../http/request.ts';
import { clearSiteData, type SessionCookie } from '../../../http/sessionCookie.ts';
import { forgetBrowserSession } from '../../../http/shortLivedSession.ts';
import type { Timed } from '../../../lib/clock.ts';
import { InvalidInput } from '../../../lib/errors.ts';
import { formatQuantity } from '../../../lib/words.ts';
import { getSettings } from '../../base/settings/service.ts';
import { listDevices } from '../../base/users/repo.ts';
import { deleteAllDevices, endDevice, setName } from '../../base/users/service.ts';
import { presentConsequences, presentDevice, presentGoodbye } from './present.ts';
import { deletionForm, keysForm, MAX_NAME_LENGTH, nameForm } from './schema.ts';
import { type DeletionDeps, deleteAccount, exportAccount, listConsequences } from './service.ts';

type Deps = Timed & { render: Renderer; sessionCookie: SessionCookie };

const PAGE = '/settings/account';

/** The person's name, where they are signed in, their keys, and the ways to their data. */
export function accountPages(pages: IRouter, deps: Deps): void {
  pages.use(PAGE, requireUser);

  pages.get(PAGE, async (req, res) => showAccount(deps, req, res, { typed: currentUser(req).name ?? '', errors: {} }));

  pages.post(`${PAGE}/name`, async (req, res) => {
    try {
      const { name } = parseInput(nameForm, req.body);
      await setName(deps.db, { userId: currentUser(req).id, name });
      setFlash(req, { tone: 'ok', title: 'Saved' });
      res.redirect(303, PAGE);
    } catch (err) {
      await showAccount(deps, req, res, { typed: String(req.body?.name ?? ''), errors: fieldErrors(err) });
    }
  });

  pages.post(`${PAGE}/devices/:id/end`, async (req, res) => {
    const { user, sessionId } = currentSession(req);
    const id = String(req.params.id);
    await endDevice(deps, { userId: user.id, id });
    if (id === sessionId) return signedOut(deps, res);
    setFlash(req, { tone: 'ok', title: 'That device is signed out' });
    // A full page load shows the outcome at the top.
    res.redirect(303, PAGE);
  });

  pages.post(`${PAGE}/devices/end-all`, async (req, res) => {
    await deleteAllDevices(deps.db, { userId: currentUser(req).id });
    signedOut(deps, res);
  });

  pages.get(`${PAGE}/export`, async (req, res) => {
    const day = deps.clock.now().toISOString().slice(0, 10);
    res.set({ 'Cache-Control': 'no-store', 'Content-Disposition': `attachment; filename="forenoon-${day}.json"` });
    res.type('json');
    await pipeline(Readable.from(exportAccount(deps, { userId: currentUser(req).id })), res);
  });

  pages.post(`${PAGE}/keys`, (req, res) => {
    const { keys } = parseInput(keysForm, req.body);
    chooseKeys(req, res, keys);
    res.redirect(303, `${PAGE}#keyboard`);
  });
}

function signedOut({ sessionCookie }: Deps, res: Response): void {
  sessionCookie.clear(res);
  clearSiteData(res);
  res.redirect(303, '/signin');
}

type FormState = { typed: string; errors: Record<string, string> };
const isWrong = ({ errors }: FormState) => Object.keys(errors).length > 0;

async function showAccount(deps: Deps, req: Request, res: Response, shown: FormState): Promise<void> {
  const { user, sessionId } = currentSession(req);
  const owner = { userId: user.id };
  const [{ timezone }, stored] = await Promise.all([
    getSettings(deps, owner),
    listDevices(deps.db, { ...owner, now: deps.clock.now() }),
  ]);
  const context = { now: deps.clock.now(), timezone, sessionId };
  const devices = stored.map(device => presentDevice(device, context));
  const count = formatQuantity(devices.length, 'device', 'devices');
  const data = { ...shown, email: user.email, devices, count, longestName: MAX_NAME_LENGTH };
  const about = { title: 'Account and privacy', nav: 'settings', isRefused: isWrong(shown) } as const;
  deps.render.page(res, 'account/index', data, about);
}

type DeletionPagesDeps = DeletionDeps & { render: Renderer; sessionCookie: SessionCookie };

const DELETION_PAGE = '/settings/account/delete';
const OTHER_ADDRESS = 'That isn’t this account’s email address.';

const goodbyeQuery = z.object({ left: z.string().max(100).catch('') });

export function deletionPages(pages: IRouter, deps: DeletionPagesDeps): void {
  pages.get(DELETION_PAGE, requireUser, async (req, res) => showDeletion(deps, req, res, { typed: '', errors: {} }));

  pages.post(DELETION_PAGE, requireUser, async (req, res) => {
    const { id: userId, email } = currentUser(req);
    try {
      const typed = parseInput(deletionForm, req.body);
      if (typed.email !== email) throw new InvalidInput(OTHER_ADDRESS, { email: OTHER_ADDRESS });
    } catch (err) {
      return showDeletion(deps, req, res, { typed: String(req.body?.email ?? ''), errors: fieldErrors(err) });
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
}

async function showDeletion(deps: DeletionPagesDeps, req: Request, res: Response, shown: FormState): Promise<void> {
  const { id: userId, email } = currentUser(req);
  const data = { ...shown, email, happens: presentConsequences(await listConsequences(deps, { userId })) };
  const about = { title: 'Delete the account', nav: 'settings', isRefused: isWrong(shown) } as const;
  deps.render.page(res, 'deletion/confirm/index', data, about);
}
