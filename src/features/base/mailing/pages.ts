import { type Request, Router } from 'express';
import type { Mailer } from '../../../clients/mailer/types.ts';
import { currentUser, requireUser } from '../../../http/currentUser.ts';
import { setFlash } from '../../../http/flash.ts';
import { isHtmx } from '../../../http/htmx.ts';
import { parseInput } from '../../../http/input.ts';
import type { Renderer } from '../../../http/render.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { InvalidInput } from '../../../lib/errors.ts';
import type { MailMode, Standing } from '../settings/schema.ts';
import { getStanding } from '../settings/service.ts';
import { describeLink, presentMail, presentWeekMail, weekMailWords } from './present.ts';
import { readUnsubscribe } from './rules.ts';
import { MODE_LABELS, mailForm, type Unsubscribe, weekMailForm } from './schema.ts';
import { bringMailsBack, changeMailMode, changeWeekMail, endMails, getWeekMail } from './service.ts';

type MailSectionDeps = {
  db: Db;
  clock: Clock;
  /** Undefined where the operator configured none. */
  mailer: Mailer | undefined;
  /** Undefined where no model writes: nothing is ever urgent then. */
  aiService: object | undefined;
  /** On how many of the newest days with digests something was urgent. Supplied by the feature that has the digests. */
  countUrgentDays(owner: { userId: string }): Promise<{ days: number; urgent: number }>;
};

type Reader = { id: string; email: string };

export function mailPages(deps: MailSectionDeps & { render: Renderer }): Router {
  const pages = Router();

  pages.post('/settings/mail', requireUser, async (req, res) => {
    const reader = currentUser(req);
    const { mailDigests: mode } = parseInput(mailForm, req.body ?? {});
    await changeMailMode(deps, { userId: reader.id, mode });
    if (isHtmx(req)) {
      return deps.render.fragment(res, 'settings/_mail', await mailSection(deps, reader, { mode, saved: 'Saved' }));
    }
    setFlash(req, { tone: 'ok', title: 'Saved' });
    // No fragment: the outcome is shown at the top of the page.
    res.redirect(303, '/settings');
  });

  pages.post('/settings/week-mail', requireUser, async (req, res) => {
    const reader = currentUser(req);
    const weekMail = parseInput(weekMailForm, req.body ?? {});
    await changeWeekMail(deps, { userId: reader.id, weekMail });
    const standing = await getStanding(deps, { userId: reader.id });
    const section = await weekMailSection(deps, reader, { standing, isSaved: true });
    if (isHtmx(req)) return deps.render.fragment(res, 'settings/_weekMail', section);
    setFlash(req, { tone: 'ok', title: 'Saved', ...(section.next && { text: section.next }) });
    res.redirect(303, '/settings');
  });

  return pages;
}

/** What the settings page shows of the daily email. */
export async function mailSection(
  deps: MailSectionDeps,
  { id: userId, email }: Reader,
  { mode, saved = '' }: { mode: MailMode; saved?: string },
) {
  const past = await deps.countUrgentDays({ userId });
  return presentMail({
    ...{ mode, email, past, saved },
    ...{ isConfigured: deps.mailer !== undefined, hasModel: deps.aiService !== undefined },
  });
}

/** The same for the weekly email. If it is off, nothing more needs to be read. */
export async function weekMailSection(
  deps: MailSectionDeps,
  { id: userId, email }: Reader,
  { standing, isSaved = false }: { standing: Standing; isSaved?: boolean },
) {
  const { weekMail: isOn, weekMailDay: day, weekMailHour: hour } = standing;
  const { timezone } = standing.config;
  const weekMail = isOn ? await getWeekMail(deps, { userId }) : { isOn, day, hour, newest: null };
  const isConfigured = deps.mailer !== undefined;
  return presentWeekMail({ weekMail, email, timezone, now: deps.clock.now(), isConfigured, isSaved });
}

type Deps = { db: Db; clock: Clock; render: Renderer; sessionSecret: string };

const NO_LINK = 'This link is incomplete or has expired. You can change your email settings in your account.';

/**
 * The address in the `List-Unsubscribe` header of a mail (RFC 8058): a mail service posts to it for the person, from
 * anywhere and without a session, so it belongs before what refuses other sites. A repeated request changes nothing.
 */
export function oneClickUnsubscribe(deps: Deps): Router {
  const door = Router();
  door.post('/mail/unsubscribe/:token', async (req, res) => {
    const link = await linkOf(deps, req);
    await endMails(deps, link);
    const words = describeLink(link);
    const data = { token: String(req.params.token), words };
    deps.render.page(res, 'mailSettings/unsubscribed/index', data, { title: `The ${words.name} is off` });
  });
  return door;
}

/** What a person sees who opens the link, and the way back. */
export function unsubscribePages(deps: Deps): Router {
  const pages = Router();

  // Changes nothing: mail scanners open every link.
  pages.get('/mail/unsubscribe/:token', async (req, res) => {
    const words = describeLink(await linkOf(deps, req));
    const data = { token: String(req.params.token), words };
    deps.render.page(res, 'mailSettings/unsubscribe/index', data, { title: `Stop the ${words.name}` });
  });

  pages.post('/mail/resubscribe/:token', async (req, res) => {
    const link = await linkOf(deps, req);
    if (!(await bringMailsBack(deps, link))) throw new InvalidInput(NO_LINK);
    const words = describeLink(link);
    const when =
      link.mail === 'week' ? weekMailWords(await getWeekMail(deps, { userId: link.userId })) : MODE_LABELS[link.mode];
    const title = `The ${words.name} is back on`;
    deps.render.page(res, 'mailSettings/resubscribed/index', { words, when }, { title });
  });

  return pages;
}

/** Whose emails the link of this request is about; undefined for a wrong one, and for any other address. */
export async function findLinkOwner(
  { sessionSecret, clock }: Pick<Deps, 'sessionSecret' | 'clock'>,
  { originalUrl }: Request,
): Promise<string | undefined> {
  const token = /^\/mail\/(?:un|re)subscribe\/([^/?]+)/.exec(originalUrl)?.[1];
  const link = token && (await readUnsubscribe(sessionSecret, token, clock.now()));
  // Apart from what the user does signed in: whoever has an old mail has its link.
  return link ? `mail ${link.userId}` : undefined;
}

/** Throws InvalidInput for a token that is not ours, was altered or is too old. */
async function linkOf({ sessionSecret, clock }: Deps, req: Request): Promise<Unsubscribe> {
  const link = await readUnsubscribe(sessionSecret, String(req.params.token), clock.now());
  if (!link) throw new InvalidInput(NO_LINK);
  return link;
}
