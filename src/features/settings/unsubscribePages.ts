import { type Request, Router } from 'express';
import type { Renderer } from '../../http/render.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { changeMailModeByLink } from './mail.ts';
import { readUnsubscribe, type Unsubscribe } from './unsubscribeToken.ts';

type Deps = { db: Db; clock: Clock; render: Renderer; sessionSecret: string };

const NO_LINK = 'This link is not complete, or it is too old. You can change the mails in your settings.';

/**
 * The address in the `List-Unsubscribe` header of a mail (RFC 8058): a mail service posts to it for the person, from
 * anywhere and without a session, so it belongs before what refuses other sites. Asked twice, it does the same.
 */
export function unsubscribeDoor(deps: Deps): Router {
  const door = Router();
  door.post('/mail/unsubscribe/:token', async (req, res) => {
    await changeMailModeByLink(deps, { userId: (await linkOf(deps, req)).userId, mode: 'OFF' });
    const token = String(req.params.token);
    deps.render.page(res, 'settings/unsubscribed', { token }, { title: 'The mails are stopped' });
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
    deps.render.page(res, 'settings/unsubscribe', { token }, { title: 'Stop the emails' });
  });

  pages.post('/mail/resubscribe/:token', async (req, res) => {
    const { userId, mode } = await linkOf(deps, req);
    if (!(await changeMailModeByLink(deps, { userId, mode }))) throw new InvalidInput(NO_LINK);
    deps.render.page(res, 'settings/resubscribed', { mode }, { title: 'The mails go on' });
  });

  return pages;
}

/** Throws InvalidInput for a token that is not ours, was altered or is too old. */
async function linkOf({ sessionSecret, clock }: Deps, req: Request): Promise<Unsubscribe> {
  const link = await readUnsubscribe(sessionSecret, String(req.params.token), clock.now());
  if (!link) throw new InvalidInput(NO_LINK);
  return link;
}
