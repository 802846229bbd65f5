import type { IRouter } from 'express';
import { z } from 'zod';
import { ClientError } from '../../../clients/errors.ts';
import { statusOfOutage } from '../../../http/errors.ts';
import { currentUser, isHtmx, parseInput } from '../../../http/request.ts';
import { AppError, Conflict, InvalidInput } from '../../../lib/errors.ts';
import { formatPhone } from '../../../lib/phone.ts';
import { formatQuantity, isolateDirection } from '../../../lib/words.ts';
import { createContact } from '../../contacts/createContact.ts';
import { contactName, splitContactName } from '../../contacts/matching/compareWithContact.ts';
import { foldWord, readContact, suggestContacts } from '../../contacts/pickContact.ts';
import { contactForm, type NewContact } from '../../contacts/schema.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { presentCandidate } from './describeCase.ts';
import { neighbourOf } from './service.ts';
import { type CreateForm, crmSentence, type ReviewPagesDeps, reviewAddress, showReview, viewField } from './showReview.ts';

const typedText = z.string().catch('');
const typedForm = z.object({
  firstname: typedText,
  lastname: typedText,
  company: typedText,
  email: typedText,
  phone: typedText,
});
const viewOfForm = z.object({ view: viewField });
/** The namesakes in the CRM were shown, and another contact is wanted all the same. */
const seenForm = z.object({ namesakes: z.literal('seen').optional().catch(undefined) });

/** The form for a new contact replaces the case, filled in from the messenger. */
export function routeCreation(pages: IRouter, deps: ReviewPagesDeps): void {
  pages.get('/contacts/:id/create', async (req, res) => {
    const { view } = viewOfForm.parse(req.query);
    const dialogId = String(req.params.id);
    const form = ({ peerName, peerPhone }: Dialog): CreateForm => ({
      typed: { ...splitContactName(peerName), email: '', phone: formatPhone(peerPhone) },
      errors: {},
    });
    await showReview(deps, req, res, { view, dialogId, form, takesFocus: isHtmx(req) });
  });

  pages.post('/contacts/:id/create', async (req, res) => {
    const { view = 'unmatched' } = viewOfForm.parse(req.body ?? {});
    const owned = { userId: currentUser(req).id, dialogId: String(req.params.id) };
    const typed = typedForm.parse(req.body ?? {});
    try {
      const details = parseInput(contactForm, req.body);
      const { namesakes: seen } = seenForm.parse(req.body ?? {});
      const namesakes = seen ? undefined : await findNamesakes(deps, owned.userId, details);
      if (namesakes) {
        const form = { typed, errors: {}, namesakes };
        return await showReview(deps, req, res, { view, dialogId: owned.dialogId, form, status: 409 });
      }
      const next = await neighbourOf(deps, { ...owned, view });
      const { decisionId: done } = await createContact(deps, { ...owned, details });
      if (isHtmx(req)) await showReview(deps, req, res, { view, dialogId: next, done, takesFocus: true });
      else res.redirect(303, reviewAddress({ view, id: next, done: done ?? undefined }));
    } catch (err) {
      const formError = await formErrorOf(deps, owned.userId, err);
      if (!formError) throw err;
      const { status, ...about } = formError;
      await showReview(deps, req, res, { view, dialogId: owned.dialogId, form: { typed, ...about }, status });
    }
  });
}

/** With this many contacts of one name, the person is asked first: another one is usually a duplicate. */
const NAMESAKES = 2;

/** Contacts with exactly the name to be created. None if the CRM can't be asked: that must not block creating. */
async function findNamesakes(deps: ReviewPagesDeps, userId: string, { firstname, lastname }: NewContact) {
  const name = `${firstname} ${lastname}`.trim();
  const found = await suggestContacts(deps, { userId, name }).catch(err => {
    if (err instanceof AppError || err instanceof ClientError) return [];
    throw err;
  });
  const same = found.filter(contact => foldWord(contactName(contact)) === foldWord(name));
  if (same.length < NAMESAKES) return undefined;
  return {
    title: `The CRM already has ${formatQuantity(same.length, 'contact', 'contacts')} named ${isolateDirection(name)}`,
    text: 'No contact was created. If one of them is this person, use it. If not, create another one.',
    rows: same.map(presentCandidate),
  };
}

type FormError = Omit<CreateForm, 'typed'> & { status: number };

/** An error for the form, which keeps its input. Undefined for others. */
async function formErrorOf(deps: ReviewPagesDeps, userId: string, err: unknown): Promise<FormError | undefined> {
  if (err instanceof InvalidInput) return { errors: err.fields, status: 400 };
  if (err instanceof ClientError) {
    const problem = `${crmSentence(err)} Trying again won’t create a duplicate.`;
    return { errors: {}, problem, status: statusOfOutage(err) };
  }
  if (!(err instanceof Conflict)) return undefined;
  const { existingContactId } = err.details;
  if (!existingContactId) return { errors: {}, problem: err.message, status: 409 };
  const contact = await readContact(deps, { userId, contactId: existingContactId });
  const unnamed = { id: existingContactId, name: `Contact ${existingContactId}`, company: '', email: '' };
  const existing = contact ? presentCandidate(contact) : unnamed;
  return { errors: {}, problem: err.message, existing, status: 409 };
}
