import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { ClientError } from '../../clients/errors.ts';
import { currentUser } from '../../http/currentUser.ts';
import { isHtmx } from '../../http/htmx.ts';
import { parseInput } from '../../http/input.ts';
import { Conflict, InvalidInput } from '../../lib/errors.ts';
import { readablePhone } from '../../lib/phone.ts';
import type { Dialog } from '../dialogs/schema.ts';
import { namesForContact } from './contactName.ts';
import { createContact } from './createContact.ts';
import { readContact } from './pick.ts';
import { presentCandidate } from './presentCase.ts';
import { neighbourOf } from './review.ts';
import { address, type ContactsPagesDeps, type CreateForm, crmSentence, showReview, viewField } from './reviewPages.ts';
import type { View } from './reviewRules.ts';
import { contactDetails } from './schema.ts';

const typedText = z.string().catch('');
const typedForm = z.object({ firstname: typedText, lastname: typedText, email: typedText, phone: typedText });
const viewOfForm = z.object({ view: viewField });

/** The form for a new contact stands where the case stood, with what the messenger knows filled in. */
export function createPages(deps: ContactsPagesDeps): Router {
  const pages = Router();

  pages.get('/contacts/:id/create', async (req, res) => {
    const { view } = viewOfForm.parse(req.query);
    const dialogId = String(req.params.id);
    await showReview(deps, req, res, { view, dialogId, form: filledIn, takesFocus: isHtmx(req) });
  });

  pages.post('/contacts/:id/create', async (req, res) => {
    const { view = 'unmatched' } = viewOfForm.parse(req.body ?? {});
    const owned = { userId: currentUser(req).id, dialogId: String(req.params.id) };
    const typed = typedForm.parse(req.body ?? {});
    try {
      const details = parseInput(contactDetails, req.body);
      const next = await neighbourOf(deps, { ...owned, view });
      const { decisionId: done } = await createContact(deps, { ...owned, details });
      await goOn(deps, req, res, { view, next, done });
    } catch (err) {
      const trouble = await troubleOf(deps, owned.userId, err);
      if (!trouble) throw err;
      const { status, ...about } = trouble;
      await showReview(deps, req, res, { view, dialogId: owned.dialogId, form: { typed, ...about }, status });
    }
  });

  return pages;
}

function filledIn({ peerName, peerPhone }: Dialog): CreateForm {
  return { typed: { ...namesForContact(peerName), email: '', phone: readablePhone(peerPhone) }, errors: {} };
}

type Next = { view: View; next: string | undefined; done: string | null };

async function goOn(deps: ContactsPagesDeps, req: Request, res: Response, { view, next, done }: Next) {
  if (isHtmx(req)) return showReview(deps, req, res, { view, dialogId: next, done, takesFocus: true });
  res.redirect(303, address({ view, id: next, done: done ?? undefined }));
}

type Trouble = Omit<CreateForm, 'typed'> & { status: number };

/** What can be said in the form, with what was typed kept. Undefined for everything else. */
async function troubleOf(deps: ContactsPagesDeps, userId: string, err: unknown): Promise<Trouble | undefined> {
  if (err instanceof InvalidInput) return { errors: err.fields, status: 400 };
  if (err instanceof ClientError) {
    const status = err.kind === 'rateLimited' ? 429 : err.code === 'TIMEOUT' ? 504 : 502;
    return { errors: {}, problem: `${crmSentence(err)} No contact is made twice.`, status };
  }
  if (!(err instanceof Conflict)) return undefined;
  const { existingContactId } = err.details;
  if (!existingContactId) return { errors: {}, problem: err.message, status: 409 };
  const contact = await readContact(deps, { userId, contactId: existingContactId });
  const existing = contact ? presentCandidate(contact) : unnamed(existingContactId);
  return { errors: {}, problem: err.message, existing, status: 409 };
}

function unnamed(id: string): ReturnType<typeof presentCandidate> {
  return { id, name: `Contact ${id}`, company: '', email: '' };
}
