import { type Request, Router } from 'express';
import type { Mailer } from '../../clients/mailer/types.ts';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { setFlash } from '../../http/flash.ts';
import { isHtmx } from '../../http/htmx.ts';
import { parseInput } from '../../http/input.ts';
import type { Renderer } from '../../http/render.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { InvalidInput } from '../../lib/errors.ts';
import type { MailMode } from '../settings/schema.ts';
import { presentMail } from './present.ts';
import { setMailMode } from './repo.ts';
import { readUnsubscribe, type Unsubscribe } from './rules.ts';
import { mailForm } from './schema.ts';
import { changeMailMode } from './service.ts';

export type MailSectionDeps = {
  db: Db;
  /** Undefined where the operator configured none. */
  mailer: Mailer | undefined;
  /** On how many of the newest days with digests something was urgent. Told by the feature that has them. */
  countUrgentDays(owner: { userId: string }): Promise<{ days: number; urgent: number }>;
};

type Reader = { id: string; email: string };

export function mailPages(deps: MailSectionDeps & { clock: Clock; render: Renderer }): Router {
  const pages = Router();

  pages.post('/settings/mail', requireUser, async (req, res) => {
    const reader = currentUser(req);
    const { mailDigests: mode } = parseInput(mailForm, req.body ?? {});
    await changeMailMode(deps, { userId: reader.id, mode });
    if (isHtmx(req)) return deps.render.fragment(res, 'settings/_mail', await mailSection(deps, reader, mode, 'Saved'));
    setFlash(req, { tone: 'ok', title: 'Saved' });
    // Not part of the page: the outcome is shown at its top.
    res.redirect(303, '/settings');
  });

  return pages;
}

/** The section the settings page shows. */
export async function mailSection(deps: MailSectionDeps, { id: userId, email }: Reader, mode: MailMode, saved = '') {
  const past = await deps.countUrgentDays({ userId });
  return presentMail({ mode, email, past, isConfigured: deps.mailer !== undefined, saved });
}

type Deps = { db: Db; clock: Clock; render: Renderer; sessionSecret: string };

const NO_LINK = 'This link is incomplete or has expired. You can change your email settings in your account.';

/**
 * The address in the `List-Unsubscribe` header of a mail (RFC 8058): a mail service posts to it for the person, from
 * anywhere and without a session, so it belongs before what refuses other sites. Asked twice, it does the same.
 */
export function oneClickUnsubscribe(deps: Deps): Router {
  const door = Router();
  door.post('/mail/unsubscribe/:token', async (req, res) => {
    await setMailMode(deps.db, (await linkOf(deps, req)).userId, 'OFF', deps.clock.now());
    const token = String(req.params.token);
    deps.render.page(res, 'mailSettings/unsubscribed/index', { token }, { title: 'Digest emails are off' });
  });
  return door;
}

/** What a person sees who opens the link, and the way back. */
export function unsubscribePages(deps: Deps): Router {
  const pages = Router();

  // Changes nothing: mail scanners open every link.
  pages.get('/mail/unsubscribe/:token', async (req, res) => {
    await linkOf(deps, req);
    const token = String(req.params.token);
    deps.render.page(res, 'mailSettings/unsubscribe/index', { token }, { title: 'Stop digest emails' });
  });

  pages.post('/mail/resubscribe/:token', async (req, res) => {
    const { userId, mode } = await linkOf(deps, req);
    if (!(await setMailMode(deps.db, userId, mode, deps.clock.now()))) throw new InvalidInput(NO_LINK);
    deps.render.page(res, 'mailSettings/resubscribed/index', { mode }, { title: 'Digest emails are back on' });
  });

  return pages;
}

/** Throws InvalidInput for a token that is not ours, was altered or is too old. */
async function linkOf({ sessionSecret, clock }: Deps, req: Request): Promise<Unsubscribe> {
  const link = await readUnsubscribe(sessionSecret, String(req.params.token), clock.now());
  if (!link) throw new InvalidInput(NO_LINK);
  return link;
}
