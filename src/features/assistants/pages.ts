import { randomUUID } from 'node:crypto';
import type { IRouter, Request, Response } from 'express';
import { type Renderer, setFlash } from '../../http/render.ts';
import { currentUser, fieldErrors, parseInput, requireUser } from '../../http/request.ts';
import type { Timed } from '../../lib/clock.ts';
import { deleteFeed, openFeed } from '../promises/calendar/service.ts';
import { presentApps, presentConsentForm, readTokenForm, type TokenForm } from './present.ts';
import { agreeForm } from './schema.ts';
import { getApps, getConsentForm, grantConsent, revokeAll, revokeAssistant } from './service.ts';
import { createForm } from './tokens/schema.ts';
import { type CreatedToken, createToken, type Uses } from './tokens/service.ts';

const PATH = '/settings/apps/tokens/:id/reading';

/** Pages that ask what an assistant may read: for each by its name, with nothing chosen beforehand. */
export function assistantsPages(pages: IRouter, deps: Timed & { render: Renderer }): void {
  pages.get(PATH, requireUser, async (req, res) => {
    const question = presentConsentForm(await getConsentForm(deps, ofToken(req)));
    deps.render.page(res, 'assistants/index', question, { title: question.title, nav: 'settings' });
  });

  pages.post(PATH, requireUser, async (req, res) => {
    const { private: all, groups } = parseInput(agreeForm, req.body);
    const { name } = await grantConsent(deps, ofToken(req), { isPrivate: all === '1', groups });
    setFlash(req, { tone: 'ok', title: 'Saved', text: `What ${name} may read is listed under Privacy.` });
    res.redirect(303, '/settings/apps');
  });
}

const ofToken = (req: Request) => ({ userId: currentUser(req).id, tokenId: String(req.params.id) });

type AppsPagesDeps = Timed & { uses: Uses; render: Renderer; appUrl: string };

const PAGE = '/settings/apps';

/** Ways for other programs to read a person's digests or change their promises, each closed on its own. */
export function connectedAppsPages(pages: IRouter, deps: AppsPagesDeps): void {
  pages.use(PAGE, requireUser);

  pages.get(PAGE, async (req, res) => showApps(deps, req, res));

  pages.post(`${PAGE}/tokens`, async (req, res) => {
    try {
      const created = await createToken(deps, { userId: currentUser(req).id, ...parseInput(createForm, req.body) });
      // No redirect: only this response contains the token. Submitting the form again finds it created.
      if (created) return await showApps(deps, req, res, { created });
      res.redirect(303, PAGE);
    } catch (err) {
      await showApps(deps, req, res, { typed: readTokenForm(req.body), errors: fieldErrors(err) });
    }
  });

  pages.post(`${PAGE}/tokens/:id/revoke`, async (req, res) => {
    await revokeAssistant(deps, { userId: currentUser(req).id, tokenId: String(req.params.id) });
    setFlash(req, { tone: 'ok', title: 'Revoked', text: 'That token has stopped working.' });
    res.redirect(303, PAGE);
  });

  pages.post(`${PAGE}/calendar`, async (req, res) => {
    // No redirect: only this response contains the link.
    await showApps(deps, req, res, { secretOfFeed: await openFeed(deps, { userId: currentUser(req).id }) });
  });

  pages.post(`${PAGE}/calendar/close`, async (req, res) => {
    await deleteFeed(deps.db, { userId: currentUser(req).id });
    setFlash(req, { tone: 'ok', title: 'The calendar feed is off', text: 'Its link has stopped working.' });
    res.redirect(303, PAGE);
  });

  pages.post(`${PAGE}/revoke-all`, async (req, res) => {
    const owner = { userId: currentUser(req).id };
    await Promise.all([revokeAll(deps, owner), deleteFeed(deps.db, owner)]);
    setFlash(req, { tone: 'ok', title: 'Everything is revoked', text: 'No token and no link opens anything any more.' });
    res.redirect(303, PAGE);
  });
}

type AppsView = { created?: CreatedToken; secretOfFeed?: string; typed?: TokenForm; errors?: Record<string, string> };

async function showApps(deps: AppsPagesDeps, req: Request, res: Response, shown: AppsView = {}): Promise<void> {
  const apps = await getApps(deps, { userId: currentUser(req).id });
  const { errors = {} } = shown;
  const data = { ...presentApps(apps, { errors, ...shown, appUrl: deps.appUrl }), formId: randomUUID(), errors };
  const about = { title: 'Connected apps', nav: 'settings', isRefused: Object.keys(errors).length > 0 } as const;
  deps.render.page(res, 'connectedApps/index', data, about);
}
