import type { IRouter, Request, Response } from 'express';
import { z } from 'zod';
import { chooseKeys, hasKeys, seeOther, setFlash } from '../../../http/render.ts';
import { currentUser, isHtmx, parseInput, requireUser } from '../../../http/request.ts';
import { Conflict } from '../../../lib/errors.ts';
import { countField } from '../../../lib/fields.ts';
import { formatPhone } from '../../../lib/phone.ts';
import { formatCount, formatQuantity } from '../../../lib/words.ts';
import { findMatchingProgress } from '../../contacts/matching/repo.ts';
import type { MatchedDialog } from '../../contacts/matching/schema.ts';
import { pickContact } from '../../contacts/pickContact.ts';
import { contactId } from '../../contacts/schema.ts';
import * as contacts from '../../contacts/service.ts';
import { getConnection } from '../../crm/repo.ts';
import { dialogName } from '../../messenger/dialogs/rules.ts';
import type { DialogKey } from '../../messenger/dialogs/schema.ts';
import { presentMatching } from './present.ts';
import { routeCreation } from './routeCreation.ts';
import { countToReview, listForBulk, neighbourOf } from './service.ts';
import { type ReviewPagesDeps, reviewAddress, showConfirmed, showReview, showUndone, viewField } from './showReview.ts';

/** The other page whose button was pressed, if any. */
const elsewhere = z.enum(['today', 'conversations']).optional().catch(undefined);

const reviewQuery = z.object({
  view: viewField,
  id: z.string().max(100).optional().catch(undefined),
  q: z.string().optional().catch(undefined),
  done: z.string().max(100).optional().catch(undefined),
});

const undoForm = z.object({ from: elsewhere });

const decisionForm = z.object({
  view: viewField.transform(view => view ?? 'review'),
  contactId: contactId.optional(),
  /** The contacts that were offered, separated by spaces. */
  offered: z
    .string()
    .max(2000)
    .default('')
    .transform(ids => ids.split(' ').filter(Boolean)),
  from: elsewhere,
});
type DecisionForm = z.output<typeof decisionForm>;
export function reviewPages(pages: IRouter, deps: ReviewPagesDeps): void {
  pages.use('/contacts', requireUser);
  routeBulk(pages, deps);
  routeUndo(pages, deps);
  routeCreation(pages, deps);
  routeMatching(pages, deps);

  pages.get('/contacts', async (req, res) => {
    const { view, id: dialogId, q: search, done } = reviewQuery.parse(req.query);
    await showReview(deps, req, res, { view, dialogId, search, done });
  });

  pages.post('/contacts/keys', (req, res) => {
    chooseKeys(req, res, hasKeys(req) ? 'off' : 'on');
    res.redirect(303, '/contacts');
  });

  const decisions: Record<string, (owned: DialogKey, form: DecisionForm) => Promise<contacts.DecisionOutcome>> = {
    confirm: (owned, form) => contacts.confirmMatch(deps, { ...owned, seenContactId: form.contactId }),
    ignore: owned => contacts.ignoreDialog(deps, owned),
    'stop-ignoring': owned => contacts.stopIgnoring(deps, owned),
    reject: (owned, form) => contacts.rejectMatch(deps, { ...owned, seenContactId: requireContactId(form) }),
    none: (owned, form) => contacts.rejectAll(deps, { ...owned, seenContactIds: form.offered }),
    pick: (owned, form) => pickContact(deps, { ...owned, contactId: requireContactId(form), status: 'CONFIRMED' }),
  };
  for (const [action, decide] of Object.entries(decisions)) {
    pages.post(`/contacts/:id/${action}`, async (req, res) => {
      const form = parseInput(decisionForm, req.body);
      const { view, from } = form;
      const owned = { userId: currentUser(req).id, dialogId: String(req.params.id) };
      await redirectOnConflict(req, res, form, owned.dialogId, async () => {
        if (from) {
          const { decisionId } = await decide(owned, form);
          return showConfirmed(deps, req, res, { ...owned, from, token: decisionId });
        }
        // Continues with the next case of the list.
        const dialogId = await neighbourOf(deps, { ...owned, view });
        const { decisionId: done } = await decide(owned, form);
        if (isHtmx(req)) return showReview(deps, req, res, { view, dialogId, done, takesFocus: true });
        res.redirect(303, reviewAddress({ view, id: dialogId, done: done ?? undefined }));
      });
    });
  }
}

function requireContactId({ contactId: id }: DecisionForm): string {
  return parseInput(z.object({ contactId }), { contactId: id }).contactId;
}

/** If the match has changed since it was shown, redirects to its present state. */
async function redirectOnConflict(
  req: Request,
  res: Response,
  { view, from }: Pick<DecisionForm, 'view' | 'from'>,
  dialogId: string | undefined,
  decide: () => Promise<unknown>,
) {
  try {
    await decide();
  } catch (err) {
    if (!(err instanceof Conflict) || err.code === 'CRM_NOT_CONNECTED') throw err;
    setFlash(req, { tone: 'warn', title: 'Nothing was changed', text: err.message });
    seeOther(req, res, from ? `/${from}` : reviewAddress({ view, id: dialogId }));
  }
}

function routeUndo(pages: IRouter, deps: ReviewPagesDeps): void {
  pages.post('/contacts/undo/:token', async (req, res) => {
    const userId = currentUser(req).id;
    const { from } = undoForm.parse(req.body ?? {});
    await redirectOnConflict(req, res, { view: 'review', from }, undefined, async () => {
      const { dialogIds } = await contacts.undoDecision(deps, { userId, token: String(req.params.token) });
      const dialogId = dialogIds.length === 1 ? dialogIds[0] : undefined;
      if (from && isHtmx(req)) return showUndone(deps, req, res, { userId, from, dialogId });
      if (isHtmx(req)) {
        return showReview(deps, req, res, { view: undefined, dialogId, say: 'Undone', takesFocus: true });
      }
      setFlash(req, { tone: 'ok', title: 'Undone' });
      res.redirect(303, from ? `/${from}` : reviewAddress({ id: dialogId }));
    });
  });
}

/** The state of the matching that the browser shows already. */
const shownMatching = z.object({ waiting: countField, shows: z.enum(['case', 'none']).catch('case') });

/** The progress of the matching that began when the CRM was connected; the contacts page polls it every few seconds. */
function routeMatching(pages: IRouter, deps: Pick<ReviewPagesDeps, 'db' | 'render'>): void {
  pages.get('/contacts/matching', requireUser, async (req, res) => {
    if (!isHtmx(req)) return res.redirect(303, '/contacts');
    const { id: userId } = currentUser(req);
    const before = shownMatching.parse(req.query);
    const matching = await findMatchingProgress(deps.db, userId);
    if (matching.isRunning && matching.waiting === before.waiting) return res.status(204).end();
    // An empty page may be replaced: nothing moves under the reader.
    if (before.shows === 'none' && matching.waiting === 0) return res.set('HX-Refresh', 'true').end();
    const toReview = await countToReview(deps, { userId });
    deps.render.fragment(res, 'review/_matching', {
      matching: presentMatching(matching, { hasCase: before.shows === 'case' }),
      isOver: matching.waiting === 0,
      say: `${formatQuantity(toReview, 'match', 'matches')} to review.`,
    });
  });
}

/** How many matches one form has room for; the others are listed once these are confirmed. */
const MAX_CONFIRMED = 2000;

/** `conversation:contact`, as it was shown. A single ticked box is sent as a string, none as nothing. */
const bulkForm = z.object({
  seen: z
    .union([z.string(), z.array(z.string()).max(MAX_CONFIRMED)])
    .default([])
    .transform(seen =>
      [seen].flat().map(pair => {
        const [dialogId = '', contactId = ''] = pair.split(':', 2);
        return { dialogId, contactId };
      }),
    ),
});

const checks = z.object({ all: z.literal('yes').optional().catch(undefined).transform(Boolean) });

/** Confirms matches together, after a list with checkboxes, as a page or in a dialog. */
function routeBulk(pages: IRouter, deps: ReviewPagesDeps): void {
  pages.get('/contacts/bulk', async (req, res) => {
    const { all } = checks.parse(req.query);
    const together = await listForBulk(deps, { userId: currentUser(req).id });
    const rows = together.slice(0, MAX_CONFIRMED).map(row => presentRow(row, all));
    const checkAll = rows.some(({ isChecked }) => !isChecked);
    const part = rows.length < together.length ? `the first ${formatCount(rows.length)} of ` : '';
    const matches = formatQuantity(together.length, 'match', 'matches');
    const heading = rows.length > 0 ? `Confirm ${part}${matches}` : 'Nothing to confirm at once';
    if (isHtmx(req)) return deps.render.fragment(res, 'review/bulk/_dialog', { rows, heading, checkAll });
    deps.render.page(res, 'review/bulk/index', { rows, heading, checkAll }, { title: 'Confirm together', nav: 'contacts' });
  });

  pages.post('/contacts/bulk', async (req, res) => {
    const userId = currentUser(req).id;
    const { seen } = parseInput(bulkForm, req.body);
    const switches = await getConnection(deps.db, userId);
    const { confirmed, token } = await contacts.confirmTogether(deps, { userId, seen, switches });
    const left = seen.length - confirmed;
    if (left > 0) setFlash(req, { tone: 'warn', title: `${left} changed meanwhile`, text: 'Review them one by one.' });
    if (isHtmx(req) && left === 0) {
      return showReview(deps, req, res, { view: 'review', dialogId: undefined, done: token, takesFocus: true });
    }
    const path = token ? `/contacts?done=${token}` : '/contacts';
    if (isHtmx(req)) res.set('HX-Redirect', path).end();
    else res.redirect(303, path);
  });
}

/** The user checks matches by name alone one by one, or with a click on "Check all". */
function presentRow({ dialog, state }: MatchedDialog, isAllChecked: boolean) {
  const name = dialogName(dialog);
  const known = dialog.crmContactName ?? '';
  const { matchStatus, peerPhone, peerUsername } = dialog;
  const isName = matchStatus === 'AUTO_NAME';
  const handle = matchStatus === 'AUTO_PHONE' ? formatPhone(peerPhone) : peerUsername && `@${peerUsername}`;
  const hasCompany = state.evidence.some(({ field, verdict }) => field === 'company' && verdict === 'same');
  const sameName = hasCompany ? 'Same name and company' : 'Same name';
  return {
    value: `${dialog.id}:${dialog.crmContactId}`,
    id: dialog.id,
    name,
    who: [known === name ? '' : known, state.contact?.company].filter(Boolean).join(', ') || known,
    isChecked: isAllChecked || !isName || hasCompany,
    proof: isName ? sameName : handle,
  };
}
