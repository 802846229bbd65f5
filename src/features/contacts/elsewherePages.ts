import type { Request, Response } from 'express';
import { setFlash } from '../../http/flash.ts';
import { isHtmx } from '../../http/htmx.ts';
import { ownPath } from '../../http/ownPath.ts';
import { nameOf } from './contactName.ts';
import { describeLink } from './link.ts';
import { countToReview, getMatched } from './review.ts';
import type { ContactsPagesDeps } from './reviewPages.ts';

type Owned = { userId: string; dialogId: string; from: 'today' | 'conversations' };

/** A match confirmed on another page: what was decided stays there until the next load, with Undo. */
export async function confirmedElsewhere(
  deps: ContactsPagesDeps,
  req: Request,
  res: Response,
  { token, ...owned }: Owned & { token: string | null },
): Promise<void> {
  const { dialog, state } = await getMatched(deps, owned);
  const name = dialog.crmContactName ?? (state.contact && nameOf(state.contact)) ?? 'the contact';
  const company = state.contact?.company ?? '';
  const who = company && company !== name ? `${name}, ${company}` : name;
  if (!isHtmx(req)) {
    setFlash(req, {
      tone: 'ok',
      title: `Confirmed: ${who}`,
      text: 'Its notes go to the CRM. You can undo it under Contacts.',
    });
    return res.redirect(303, `/${owned.from}`);
  }
  const data = { id: owned.dialogId, name, company: company === name ? '' : company, token, from: owned.from };
  const beside = await countsElsewhere(deps, req, owned);
  deps.render.fragment(res, 'contacts/_confirmed', {
    ...data,
    ...beside,
    say: `Confirmed: ${who}. Its notes go to the CRM.`,
  });
}

/** What was confirmed on another page is a question again. */
export async function undoneElsewhere(deps: ContactsPagesDeps, req: Request, res: Response, owned: Owned) {
  const link = await describeLink(deps, owned);
  const data = { link, id: owned.dialogId, from: owned.from, takesFocus: true };
  deps.render.fragment(res, 'contacts/_unconfirmed', {
    ...data,
    ...(await countsElsewhere(deps, req, owned)),
    say: 'Undone',
  });
}

/** The numbers that a decision moves: in the navigation, and on Today. */
async function countsElsewhere(deps: ContactsPagesDeps, req: Request, { userId, from }: Owned) {
  const here = ownPath(req.get('hx-current-url'), req.get('host')) ?? '/today';
  const [toReview, counts] = await Promise.all([
    countToReview(deps, { userId }),
    from === 'today' ? deps.countToday({ userId, here }) : undefined,
  ]);
  return { toReview, counts };
}
