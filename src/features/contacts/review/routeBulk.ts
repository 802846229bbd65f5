import { Router } from 'express';
import { z } from 'zod';
import { currentUser } from '../../../http/currentUser.ts';
import { setFlash } from '../../../http/flash.ts';
import { isHtmx } from '../../../http/htmx.ts';
import { parseInput } from '../../../http/input.ts';
import { readablePhone } from '../../../lib/phone.ts';
import { countOf } from '../../../lib/words.ts';
import { getConnection } from '../../crm/service.ts';
import { nameOf } from '../../messenger/dialogs/nameOf.ts';
import { confirmTogether } from '../confirmMatch.ts';
import { listForBulk, type Matched } from './service.ts';
import { type ReviewPagesDeps, showReview } from './showReview.ts';

/** `conversation:contact`, as it was shown. A single ticked box is sent as a string, none as nothing. */
const bulkForm = z.object({
  seen: z
    .union([z.string(), z.array(z.string()).max(2000)])
    .default([])
    .transform(seen => [seen].flat()),
});

const checks = z.object({ all: z.literal('yes').optional().catch(undefined).transform(Boolean) });

/** Confirms matches together, after a list with checkboxes, as a page or in a dialog. */
export function routeBulk(deps: ReviewPagesDeps): Router {
  const pages = Router();

  pages.get('/contacts/bulk', async (req, res) => {
    const { all } = checks.parse(req.query);
    const rows = (await listForBulk(deps, { userId: currentUser(req).id })).map(row => presentRow(row, all));
    const checkAll = rows.some(({ isChecked }) => !isChecked);
    const heading =
      rows.length > 0 ? `Confirm ${countOf(rows.length, 'match', 'matches')}` : 'Nothing to confirm at once';
    if (isHtmx(req)) return deps.render.fragment(res, 'review/bulk/_dialog', { rows, heading, checkAll });
    deps.render.page(
      res,
      'review/bulk/index',
      { rows, heading, checkAll },
      { title: 'Confirm together', nav: 'contacts' },
    );
  });

  pages.post('/contacts/bulk', async (req, res) => {
    const userId = currentUser(req).id;
    const seen = parseInput(bulkForm, req.body).seen.map(toSeen);
    const switches = await getConnection(deps, { userId });
    const { confirmed, token } = await confirmTogether(deps, { userId, seen, switches });
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

/** One with the name alone is checked by the person, one by one or with a click on "Check all". */
function presentRow({ dialog, state }: Matched, isAllChecked: boolean) {
  const name = nameOf(dialog);
  const known = dialog.crmContactName ?? '';
  const isName = dialog.matchStatus === 'AUTO_NAME';
  const hasCompany = state.evidence.some(({ field, verdict }) => field === 'company' && verdict === 'same');
  return {
    value: `${dialog.id}:${dialog.crmContactId}`,
    id: dialog.id,
    name,
    who: [known === name ? '' : known, state.contact?.company].filter(Boolean).join(', ') || known,
    isChecked: isAllChecked || !isName || hasCompany,
    proof: proofOf(dialog, hasCompany),
  };
}

function proofOf({ matchStatus, peerPhone, peerUsername }: Matched['dialog'], hasCompany: boolean): string {
  if (matchStatus === 'AUTO_NAME') return hasCompany ? 'Same name and company' : 'Same name';
  return matchStatus === 'AUTO_PHONE' ? readablePhone(peerPhone) : peerUsername && `@${peerUsername}`;
}
