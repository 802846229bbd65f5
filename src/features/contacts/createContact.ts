import {
  type ContactDetails,
  ContactExists,
  type Crm,
  type CrmContact,
  PropertyRequired,
} from '../../clients/crm/types.ts';
import { ClientError } from '../../clients/errors.ts';
import { type AppError, Conflict, InvalidInput } from '../../lib/errors.ts';
import { describeFailure, FAILURES } from '../../lib/failures.ts';
import { requiredWords } from '../crm/present.ts';
import { openOf } from '../crm/rules.ts';
import { getConnection, requireCrm } from '../crm/service.ts';
import { messengerIdOf } from '../messenger/dialogs/rules.ts';
import type { Dialog } from '../messenger/dialogs/schema.ts';
import { getDialog } from '../messenger/dialogs/service.ts';
import { type Change, type ContactsDeps, type Decided, decide } from './decide.ts';
import { contactName } from './matching/compare.ts';
import type { MatchState } from './matching/schema.ts';
import type { NewContact } from './schema.ts';

/**
 * Creates a contact in the CRM and links the conversation to it. Two requests at once, or a retry after a lost answer,
 * create one contact: the person's messenger id is unique there. Throws NotFound, InvalidInput when the CRM refuses the
 * details, Conflict `CONTACT_EXISTS` with `existingContactId`, Conflict `CRM_NOT_CONNECTED`, ClientError.
 */
export async function createContact(
  deps: ContactsDeps,
  { userId, dialogId, details }: { userId: string; dialogId: string; details: NewContact },
): Promise<Decided & { contact: CrmContact }> {
  const dialog = await getDialog(deps.db, { userId, dialogId });
  const { contact, portalId } = await makeInCrm(deps, { userId, wanted: detailsOf(dialog, details) });
  const asked = { userId, dialogId, action: 'create', portalId } as const;
  const decided = await decide(deps, asked, state => created(state, contact, 'person'));
  return { ...decided, contact };
}

export type WantedContact = ContactDetails & { messengerUserId: string };

async function makeInCrm(
  deps: ContactsDeps,
  { userId, wanted }: { userId: string; wanted: WantedContact },
): Promise<{ contact: CrmContact; portalId: string }> {
  try {
    const { crm, connection } = await requireCrm(deps, { userId });
    const existing = await crm.findByMessengerUserId(wanted.messengerUserId);
    const { contact, isFound } = existing ? { contact: existing, isFound: true } : await createOrFind(crm, wanted);
    return { contact: isFound ? ownOrConflict(contact, wanted) : contact, portalId: connection.portalId };
  } catch (err) {
    if (err instanceof ContactExists) throw alreadyThere(err.existingContactId);
    if (err instanceof PropertyRequired) throw await requiredError(deps, { userId, names: err.properties });
    throw explainCrmError(err, { refused: detailsRefused });
  }
}

/**
 * Creates the contact, or finds the one just created by another submit, or by this one if its answer was lost. Throws
 * what `createContact` throws.
 */
export async function createOrFind(
  crm: Crm,
  wanted: WantedContact,
): Promise<{ contact: CrmContact; isFound: boolean }> {
  try {
    return { contact: await crm.createContact(wanted), isFound: false };
  } catch (err) {
    const mayBeThere = err instanceof ContactExists || (err instanceof ClientError && err.kind === 'temporary');
    const found = mayBeThere && (await crm.findByMessengerUserId(wanted.messengerUserId));
    if (found) return { contact: found, isFound: true };
    throw err;
  }
}

/** A record with exactly the wanted details is the one that an earlier try created. */
function ownOrConflict(found: CrmContact, wanted: WantedContact): CrmContact {
  const pairs = [
    [found.firstName, wanted.firstName],
    [found.lastName, wanted.lastName],
    [found.email, wanted.email],
  ];
  const isOwn = pairs.every(([theirs = '', ours = '']) => theirs.toLowerCase() === ours.toLowerCase());
  if (!isOwn) throw alreadyThere(found.id);
  return found;
}

function alreadyThere(existingContactId: string): Conflict {
  const sentence = 'This contact is already in the CRM. Link it instead of creating another one.';
  return new Conflict('CONTACT_EXISTS', sentence, { existingContactId });
}

const FORM_FIELDS: readonly string[] = ['firstname', 'lastname', 'email', 'phone', 'company'];

/** Says which properties the CRM requires: those of the form beside their fields, for others where to fill them in. */
async function requiredError(
  deps: ContactsDeps,
  { userId, names }: { userId: string; names: readonly string[] },
): Promise<AppError> {
  const { requirements } = await getConnection(deps, { userId });
  const required = openOf(requirements, 'contacts');
  const named = required.filter(({ name }) => names.includes(name));
  const { sentence, advice } = describeFailure('CRM_PROPERTY_REQUIRED', 1, requiredWords(named));
  const missing = names.filter(name => FORM_FIELDS.includes(name));
  if (missing.length < names.length) return new Conflict('CRM_PROPERTY_REQUIRED', `${sentence} ${advice}`);
  return new InvalidInput(sentence, Object.fromEntries(missing.map(name => [name, 'The CRM requires this.'])));
}

function detailsRefused(): InvalidInput {
  return new InvalidInput('The CRM didn’t accept these details. Check the email address and the phone number.', {
    email: 'The CRM didn’t accept these details. Check this address.',
  });
}

/** What is known about the person, plus what was typed. Empty fields are left out: the record stays without them. */
export function detailsOf(dialog: Dialog, details: NewContact): WantedContact {
  return {
    ...(details.firstname && { firstName: details.firstname }),
    ...(details.lastname && { lastName: details.lastname }),
    ...(details.email && { email: details.email }),
    ...(details.company && { company: details.company }),
    ...(details.phone && { phone: details.phone }),
    ...(dialog.peerUsername && { messengerUsername: dialog.peerUsername }),
    messengerUserId: messengerIdOf(dialog),
  };
}

export function created(state: MatchState, contact: CrmContact, decidedBy: 'rule' | 'person'): Change {
  const suggestions = state.suggestions.filter(suggestion => suggestion.contact.id !== contact.id);
  return {
    link: { status: 'CREATED', confidence: 1, contactId: contact.id, contactName: contactName(contact) },
    reasons: { rule: 'created', decidedBy, evidence: [], contact, runnerUp: null, suggestions, problem: null },
  };
}

/**
 * The error a person sees when a call to the CRM fails. Errors that say it is down or slow pass unchanged: those
 * answers are the same everywhere.
 * @param answers.refused what a refusal, or a missing record, means here
 */
export function explainCrmError(err: unknown, answers: { refused?: () => Error } = {}): unknown {
  if (!(err instanceof ClientError) || err.service !== 'crm') return err;
  if (err.kind === 'auth') {
    return new Conflict('CRM_NOT_CONNECTED', `${FAILURES.CRM_AUTH.says} Go to Settings, Connections.`);
  }
  const isRefused = err.code === 'CRM_REFUSED' || err.code === 'CRM_CONTACT_GONE';
  return isRefused && answers.refused ? answers.refused() : err;
}
