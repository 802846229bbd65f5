import type { Request, Response } from 'express';
import { setFlash } from '../../../http/flash.ts';
import { isHtmx } from '../../../http/htmx.ts';
import { ownPath } from '../../../http/ownPath.ts';
import { isolated } from '../../../lib/textDirection.ts';
import { contactName } from '../comparison/contactName.ts';
import type { Decided } from '../decide.ts';
import { describeLink } from '../matching/describeLinks.ts';
import { countToReview, getMatched } from './service.ts';
import type { ReviewPagesDeps } from './showReview.ts';

type Owned = { userId: string; dialogId: string; from: 'today' | 'conversations' };

/** Shows a match confirmed on another page: the decision stays there, with Undo, until the next load. */
export async function showConfirmed(
  deps: ReviewPagesDeps,
  req: Request,
  res: Response,
  { decide, ...owned }: Owned & { decide(): Promise<Decided> },
): Promise<void> {
  const deciding = decide();
  const [{ decisionId: token }, { dialog, state }, beside] = await Promise.all([
    deciding,
    deciding.then(() => getMatched(deps, owned)),
    isHtmx(req) ? countsElsewhere(deps, req, { ...owned, deciding }) : deciding.then(() => ({})),
  ]);
  const name = dialog.crmContactName ?? (state.contact && contactName(state.contact)) ?? 'the contact';
  const company = state.contact?.company ?? '';
  const who = [name, ...(company && company !== name ? [company] : [])].map(isolated).join(', ');
  if (!isHtmx(req)) {
    setFlash(req, {
      tone: 'ok',
      title: `Confirmed: ${who}`,
      text: 'Their notes go to the CRM. You can undo it under Contacts.',
    });
    return res.redirect(303, `/${owned.from}`);
  }
  const data = { id: owned.dialogId, name, company: company === name ? '' : company, token, from: owned.from };
  deps.render.fragment(res, 'shared/contact/_confirmed', {
    ...data,
    ...beside,
    say: `Confirmed: ${who}. Their notes go to the CRM.`,
  });
}

type Undoing = Pick<Owned, 'userId' | 'from'> & { undo(): Promise<{ dialogId: string | undefined }> };

/** Undoes a confirmation on another page: the match is a question again. */
export async function showUndone(deps: ReviewPagesDeps, req: Request, res: Response, { undo, ...owned }: Undoing) {
  const deciding = undo();
  const [{ dialogId }, link, beside] = await Promise.all([
    deciding,
    deciding.then(({ dialogId: id }) =>
      id === undefined ? undefined : describeLink(deps, { ...owned, dialogId: id }),
    ),
    countsElsewhere(deps, req, { ...owned, deciding }),
  ]);
  const data = { link, id: dialogId, from: owned.from, takesFocus: true };
  deps.render.fragment(res, 'shared/contact/_unconfirmed', { ...data, ...beside, say: 'Undone' });
}

type Deciding = Pick<Owned, 'userId' | 'from'> & { deciding: Promise<unknown> };

/** The numbers that a decision changes, read once it is made: in the navigation, and on Today. */
async function countsElsewhere(deps: ReviewPagesDeps, req: Request, { userId, from, deciding }: Deciding) {
  const here = ownPath(req.get('hx-current-url'), req.get('host')) ?? '/today';
  const [toReview, counts] = await Promise.all([
    deciding.then(() => countToReview(deps, { userId })),
    from === 'today' ? deps.countToday({ userId, here, deciding }) : undefined,
  ]);
  return { toReview, counts };
}
