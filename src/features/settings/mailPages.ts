import { Router } from 'express';
import type { Mailer } from '../../clients/mailer/types.ts';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { setFlash } from '../../http/flash.ts';
import { isHtmx } from '../../http/htmx.ts';
import { parseInput } from '../../http/input.ts';
import type { Renderer } from '../../http/render.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { changeMailMode } from './mail.ts';
import { type MailMode, mailForm } from './mailSchema.ts';
import { presentMail } from './presentMail.ts';

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
    // Without a place on the page: what happened is told at its top.
    res.redirect(303, '/settings');
  });

  return pages;
}

/** The section the settings page shows. */
export async function mailSection(deps: MailSectionDeps, { id: userId, email }: Reader, mode: MailMode, saved = '') {
  const past = await deps.countUrgentDays({ userId });
  return presentMail({ mode, email, past, isConfigured: deps.mailer !== undefined, saved });
}
