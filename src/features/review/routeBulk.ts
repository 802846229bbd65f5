import { Router } from 'express';
import { z } from 'zod';
import { currentUser } from '../../http/currentUser.ts';
import { setFlash } from '../../http/flash.ts';
import { isHtmx } from '../../http/htmx.ts';
import { parseInput } from '../../http/input.ts';
import { readablePhone } from '../../lib/phone.ts';
import { countOf } from '../../lib/words.ts';
import { confirmSure } from '../contacts/confirmMatch.ts';
import { getConnection } from '../crm/service.ts';
import { nameOfDialog } from './describeCase.ts';
import { listSure, type Matched } from './service.ts';
import { type ReviewPagesDeps, showReview } from './showReview.ts';

/** `conversation:contact`, as it was shown. A single ticked box is sent as a string, none as nothing. */
const bulkForm = z.object({
  seen: z
    .union([z.string(), z.array(z.string()).max(2000)])
    .default([])
    .transform(seen => [seen].flat()),
});

/** Confirms confident matches together, after a list with checkboxes, as a page or in a dialog. */
export function routeBulk(deps: ReviewPagesDeps): Router {
  const pages = Router();

  pages.get('/contacts/bulk', async (req, res) => {
    const rows = (await listSure(deps, { userId: currentUser(req).id })).map(presentRow);
    const heading =
      rows.length > 0 ? `Confirm ${countOf(rows.length, 'match', 'matches')}` : 'Nothing to confirm at once';
    if (isHtmx(req)) return deps.render.fragment(res, 'review/bulk/_dialog', { rows, heading });
    deps.render.page(res, 'review/bulk/index', { rows, heading }, { title: 'Confirm together', nav: 'contacts' });
  });

  pages.post('/contacts/bulk', async (req, res) => {
    const userId = currentUser(req).id;
    const seen = parseInput(bulkForm, req.body).seen.map(toSeen);
    const switches = await getConnection(deps, { userId });
    const { confirmed, token } = await confirmSure(deps, { userId, seen, switches });
    const left = seen.length - confirmed;
    if (left > 0) setFlash(req, { tone: 'warn', title: `${left} changed meanwhile`, text: 'Review them one by one.' });
    if (isHtmx(req) && left === 0) {
      return showReview(deps, req, res, { view: 'review', dialogId: undefined, done: token, takesFocus: true });
    }
    const path = token ? `/contacts?done=${token}` : '/contacts';
    if (isHtmx(req)) res.set('HX-Redirect', path).end();
    else res.redirect(303, path);
  });

  return pages;
}

function toSeen(pair: string) {
  const [dialogId = '', contactId = ''] = pair.split(':', 2);
  return { dialogId, contactId };
}

function presentRow({ dialog, state }: Matched) {
  const name = nameOfDialog(dialog);
  const known = dialog.crmContactName ?? '';
  const isPhone = dialog.matchStatus === 'AUTO_PHONE';
  return {
    value: `${dialog.id}:${dialog.crmContactId}`,
    id: dialog.id,
    name,
    who: [known === name ? '' : known, state.contact?.company].filter(Boolean).join(', ') || known,
    proof: isPhone ? readablePhone(dialog.peerPhone) : dialog.peerUsername && `@${dialog.peerUsername}`,
  };
}
