import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { chooseKeys, hasKeys } from '../../../http/browserChoices.ts';
import { currentUser, requireUser } from '../../../http/currentUser.ts';
import { setFlash } from '../../../http/flash.ts';
import { isHtmx } from '../../../http/htmx.ts';
import { parseInput } from '../../../http/input.ts';
import { seeOther } from '../../../http/seeOther.ts';
import { Conflict } from '../../../lib/errors.ts';
import { confirmMatch } from '../confirmMatch.ts';
import type { Decided } from '../decide.ts';
import { ignoreDialog, rejectAll, rejectMatch, stopIgnoring } from '../ignoreDialog.ts';
import { pickContact } from '../pickContact.ts';
import { contactId } from '../schema.ts';
import { undoDecision } from '../undoDecision.ts';
import { routeBulk } from './routeBulk.ts';
import { routeCreation } from './routeCreation.ts';
import { routeMatching } from './routeMatching.ts';
import { neighbourOf } from './service.ts';
import { showConfirmed, showUndone } from './showConfirmed.ts';
import { address, type ReviewPagesDeps, showReview, viewField } from './showReview.ts';

/** Another page that has a button for this. */
const elsewhere = z.enum(['today', 'conversations']).optional().catch(undefined);

const asked = z.object({
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
type Owned = { userId: string; dialogId: string };

export function reviewPages(deps: ReviewPagesDeps): Router {
  const pages = Router();
  pages.use('/contacts', requireUser);
  pages.use(routeBulk(deps), routeUndo(deps), routeCreation(deps), routeMatching(deps));

  pages.get('/contacts', async (req, res) => {
    const { view, id: dialogId, q: search, done } = asked.parse(req.query);
    await showReview(deps, req, res, { view, dialogId, search, done });
  });

  pages.post('/contacts/keys', (req, res) => {
    chooseKeys(req, res, hasKeys(req) ? 'off' : 'on');
    res.redirect(303, '/contacts');
  });

  const decisions: Record<string, (owned: Owned, form: DecisionForm) => Promise<Decided>> = {
    confirm: (owned, form) => confirmMatch(deps, { ...owned, seenContactId: form.contactId }),
    ignore: owned => ignoreDialog(deps, owned),
    'stop-ignoring': owned => stopIgnoring(deps, owned),
    reject: (owned, form) => rejectMatch(deps, { ...owned, seenContactId: given(form) }),
    none: (owned, form) => rejectAll(deps, { ...owned, seenContactIds: form.offered }),
    pick: (owned, form) => pickContact(deps, { ...owned, contactId: given(form), status: 'CONFIRMED' }),
  };
  for (const [action, decide] of Object.entries(decisions)) {
    pages.post(`/contacts/:id/${action}`, async (req, res) => {
      const form = parseInput(decisionForm, req.body);
      const owned = { userId: currentUser(req).id, dialogId: String(req.params.id) };
      await redirectOnConflict(req, res, form, owned.dialogId, () =>
        decideAndRespond(deps, req, res, { form, owned, decide }),
      );
    });
  }
  return pages;
}

function given({ contactId: id }: DecisionForm): string {
  return parseInput(z.object({ contactId }), { contactId: id }).contactId;
}

type Deciding = { form: DecisionForm; owned: Owned; decide(owned: Owned, form: DecisionForm): Promise<Decided> };

/** Decides and continues with the next case of the list, or returns to the page that has the button. */
async function decideAndRespond(deps: ReviewPagesDeps, req: Request, res: Response, { form, owned, decide }: Deciding) {
  const { view, from } = form;
  if (from) return showConfirmed(deps, req, res, { ...owned, from, decide: () => decide(owned, form) });
  const dialogId = await neighbourOf(deps, { ...owned, view });
  const { decisionId: done } = await decide(owned, form);
  if (isHtmx(req)) return showReview(deps, req, res, { view, dialogId, done, takesFocus: true });
  res.redirect(303, address({ view, id: dialogId, done: done ?? undefined }));
}

/** What was shown has changed meanwhile: nothing is decided, and the present state is shown. */
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
    seeOther(req, res, from ? `/${from}` : address({ view, id: dialogId }));
  }
}

function routeUndo(deps: ReviewPagesDeps): Router {
  const pages = Router();

  pages.post('/contacts/undo/:token', async (req, res) => {
    const userId = currentUser(req).id;
    const { from } = undoForm.parse(req.body ?? {});
    await redirectOnConflict(req, res, { view: 'review', from }, undefined, async () => {
      const undo = async () => {
        const { dialogIds } = await undoDecision(deps, { userId, token: String(req.params.token) });
        return { dialogId: dialogIds.length === 1 ? dialogIds[0] : undefined };
      };
      if (from && isHtmx(req)) return showUndone(deps, req, res, { userId, from, undo });
      const { dialogId } = await undo();
      if (isHtmx(req)) {
        return showReview(deps, req, res, { view: undefined, dialogId, say: 'Undone', takesFocus: true });
      }
      setFlash(req, { tone: 'ok', title: 'Undone' });
      res.redirect(303, from ? `/${from}` : address({ id: dialogId }));
    });
  });

  return pages;
}
