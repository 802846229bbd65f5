import type { IRouter, Request } from 'express';
import type { Renderer } from '../../../http/render.ts';
import type { Timed } from '../../../lib/clock.ts';
import { InvalidInput } from '../../../lib/errors.ts';
import { MAIL_WORDS, weekMailWords } from './present.ts';
import { readUnsubscribe } from './rules.ts';
import { MODE_LABELS, type Unsubscribe } from './schema.ts';
import { getWeekMail, switchMails } from './service.ts';

type Deps = Timed & { render: Renderer; sessionSecret: string };

const NO_LINK = 'This link is incomplete or has expired. You can change your email settings in your account.';

/**
 * The address in the `List-Unsubscribe` header of a mail (RFC 8058): a mail service posts to it for the person, from
 * anywhere and without a session, so it belongs before what refuses other sites. A repeated request changes nothing.
 */
export function oneClickUnsubscribe(door: IRouter, deps: Deps): void {
  door.post('/mail/unsubscribe/:token', async (req, res) => {
    const link = await readLink(deps, req);
    await switchMails(deps, link, false);
    const words = MAIL_WORDS[link.mail];
    const data = { token: String(req.params.token), words };
    deps.render.page(res, 'mailSettings/unsubscribed/index', data, { title: `The ${words.name} is off` });
  });
}

/** Pages of the link in a mail, and the way back. */
export function unsubscribePages(pages: IRouter, deps: Deps): void {
  // Changes nothing: mail scanners open every link.
  pages.get('/mail/unsubscribe/:token', async (req, res) => {
    const words = MAIL_WORDS[(await readLink(deps, req)).mail];
    const data = { token: String(req.params.token), words };
    deps.render.page(res, 'mailSettings/unsubscribe/index', data, { title: `Stop the ${words.name}` });
  });

  pages.post('/mail/resubscribe/:token', async (req, res) => {
    const link = await readLink(deps, req);
    if (!(await switchMails(deps, link, true))) throw new InvalidInput(NO_LINK);
    const words = MAIL_WORDS[link.mail];
    const when =
      link.mail === 'week' ? weekMailWords(await getWeekMail(deps, { userId: link.userId })) : MODE_LABELS[link.mode];
    const title = `The ${words.name} is back on`;
    deps.render.page(res, 'mailSettings/resubscribed/index', { words, when }, { title });
  });
}

/** Finds the user of the link in this request; undefined for a wrong one, and for any other address. */
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
async function readLink({ sessionSecret, clock }: Deps, req: Request): Promise<Unsubscribe> {
  const link = await readUnsubscribe(sessionSecret, String(req.params.token), clock.now());
  if (!link) throw new InvalidInput(NO_LINK);
  return link;
}
