import { type ContactDetails, ContactExists, type Crm, type CrmContact, PropertyRequired } from '../../clients/crm/types.ts';
import { ClientError } from '../../clients/errors.ts';
import type { UserKey } from '../../lib/db.ts';
import { type AppError, Conflict, InvalidInput } from '../../lib/errors.ts';
import { describeFailure, FAILURES } from '../../lib/failures.ts';
import { readPersonName } from '../../lib/names/personName.ts';
import { visibleName } from '../../lib/visibleText.ts';
import { getSettings } from '../base/settings/service.ts';
import { requiredWords } from '../crm/present.ts';
import { getConnection } from '../crm/repo.ts';
import { unfilledRequirements } from '../crm/rules.ts';
import { announceReady, findCrm, requestMatching, requireCrm } from '../crm/service.ts';
import { getDialog, listDialogs } from '../messenger/dialogs/repo.ts';
import { isTracked, messengerIdOf } from '../messenger/dialogs/rules.ts';
import type { Dialog } from '../messenger/dialogs/schema.ts';
import { contactName, splitContactName } from './matching/compareWithContact.ts';
import { matchConversations } from './matching/matchConversations.ts';
import { listMatchState, listUnmatchedDialogIds } from './matching/repo.ts';
import { isDecided } from './matching/rules.ts';
import type { MatchState } from './matching/schema.ts';
import { NAME_MISSING, type NewContact } from './schema.ts';
import { type ContactsDeps, type DecisionOutcome, decideMatch, decideMatches, type MatchChange } from './service.ts';

/**
 * Creates a contact in the CRM and links the conversation to it. Two requests at once, or a retry after a lost answer,
 * create one contact: the person's messenger id is unique there. Throws NotFound, InvalidInput when the CRM refuses the
 * details, Conflict `CONTACT_EXISTS` with `existingContactId`, Conflict `CRM_NOT_CONNECTED`, ClientError.
 */
export async function createContact(
  deps: ContactsDeps,
  { userId, dialogId, details }: { userId: string; dialogId: string; details: NewContact },
): Promise<DecisionOutcome & { contact: CrmContact }> {
  const dialog = await getDialog(deps.db, { userId, dialogId });
  const contactDetails = collectDetails(dialog, details);
  if (!contactDetails.firstName && !contactDetails.lastName)
    throw new InvalidInput(NAME_MISSING, { firstname: NAME_MISSING });
  const { contact, portalId } = await createInCrm(deps, { userId, details: contactDetails });
  const decision = { userId, dialogId, action: 'create', portalId } as const;
  const outcome = await decideMatch(deps, decision, state => linkCreatedContact(state, contact, 'person'));
  return { ...outcome, contact };
}

type WantedContact = ContactDetails & { messengerUserId: string };

async function createInCrm(
  deps: ContactsDeps,
  { userId, details: wanted }: { userId: string; details: WantedContact },
): Promise<{ contact: CrmContact; portalId: string }> {
  try {
    const { crm, connection } = await requireCrm(deps, { userId });
    const existing = await crm.findByMessengerUserId(wanted.messengerUserId);
    const { contact, isFound } = existing ? { contact: existing, isFound: true } : await createOrFind(crm, wanted);
    if (isFound) requireSameDetails(contact, wanted);
    return { contact, portalId: connection.portalId };
  } catch (err) {
    if (err instanceof ContactExists) throw createExistsError(err.existingContactId);
    if (err instanceof PropertyRequired) throw await createRequiredError(deps, { userId, names: err.properties });
    throw explainCrmError(err, createRefusedError());
  }
}

/** Creates the contact, or finds the one just created by another submit, or by this one if its answer was lost. */
async function createOrFind(crm: Crm, details: WantedContact): Promise<{ contact: CrmContact; isFound: boolean }> {
  try {
    return { contact: await crm.createContact(details), isFound: false };
  } catch (err) {
    const mayBeThere = err instanceof ContactExists || (err instanceof ClientError && err.kind === 'temporary');
    const existing = mayBeThere && (await crm.findByMessengerUserId(details.messengerUserId));
    if (existing) return { contact: existing, isFound: true };
    throw err;
  }
}

/** If name and email equal these, an earlier try created it. Else throws Conflict `CONTACT_EXISTS`. */
function requireSameDetails(existing: CrmContact, details: WantedContact): void {
  const pairs = [
    [existing.firstName, details.firstName],
    [existing.lastName, details.lastName],
    [existing.email, details.email],
  ];
  const isOwn = pairs.every(([theirs = '', ours = '']) => theirs.toLowerCase() === ours.toLowerCase());
  if (!isOwn) throw createExistsError(existing.id);
}

function createExistsError(existingContactId: string): Conflict {
  const sentence = 'This contact is already in the CRM. Link it instead of creating another one.';
  return new Conflict('CONTACT_EXISTS', sentence, { existingContactId });
}

const FORM_FIELDS: readonly string[] = ['firstname', 'lastname', 'email', 'phone', 'company'];

/** Error for required properties: beside their fields if the form has them all, else with where to fill them in. */
async function createRequiredError(
  deps: ContactsDeps,
  { userId, names }: { userId: string; names: readonly string[] },
): Promise<AppError> {
  const { requirements } = await getConnection(deps.db, userId);
  const required = unfilledRequirements(requirements, 'contacts');
  const missingRequirements = required.filter(({ name }) => names.includes(name));
  const { sentence, advice } = describeFailure('CRM_PROPERTY_REQUIRED', 1, requiredWords(missingRequirements));
  const missing = names.filter(name => FORM_FIELDS.includes(name));
  if (missing.length < names.length) return new Conflict('CRM_PROPERTY_REQUIRED', `${sentence} ${advice}`);
  return new InvalidInput(sentence, Object.fromEntries(missing.map(name => [name, 'The CRM requires this.'])));
}

function createRefusedError(): InvalidInput {
  return new InvalidInput('The CRM didn’t accept these details. Check the email address and the phone number.', {
    email: 'The CRM didn’t accept these details. Check this address.',
  });
}

/** Details for the CRM: what was typed, in visible characters, and the messenger account. Empty fields are left out. */
function collectDetails(dialog: Dialog, details: NewContact): WantedContact {
  const { firstname, lastname, company = '' } = details;
  const [firstName, lastName, employer] = [firstname, lastname, company].map(visibleName);
  return {
    ...(firstName && { firstName }),
    ...(lastName && { lastName }),
    ...(details.email && { email: details.email }),
    ...(employer && { company: employer }),
    ...(details.phone && { phone: details.phone }),
    ...(dialog.peerUsername && { messengerUsername: dialog.peerUsername }),
    messengerUserId: messengerIdOf(dialog),
  };
}

function linkCreatedContact(state: MatchState, contact: CrmContact, decidedBy: 'rule' | 'person'): MatchChange {
  const suggestions = state.suggestions.filter(suggestion => suggestion.contact.id !== contact.id);
  return {
    link: { status: 'CREATED', confidence: 1, contactId: contact.id, contactName: contactName(contact) },
    reasons: { rule: 'created', decidedBy, evidence: [], contact, runnerUp: null, suggestions, problem: null },
  };
}

/**
 * Translates an error of a CRM call for the person. Errors that say the CRM is down or slow pass unchanged.
 * @param whenRefused the error to throw for a refusal or a missing record
 */
export function explainCrmError(err: unknown, whenRefused = err): unknown {
  if (!(err instanceof ClientError) || err.service !== 'crm') return err;
  if (err.kind === 'auth') {
    return new Conflict('CRM_NOT_CONNECTED', `${FAILURES.CRM_AUTH.says} Go to Settings, Connections.`);
  }
  const isRefused = ['CRM_REFUSED', 'CRM_SCOPE_MISSING', 'CRM_CONTACT_GONE'].includes(err.code);
  return isRefused ? whenRefused : err;
}

/** Minimum score of a suggestion that may be the same person. No contact is created then: a duplicate is worse than none. */
const MIN_DUPLICATE_SCORE = 0.75;

/** Properties that one person may lack and the next may have. Any other required property is missing for everyone. */
const PERSONAL_PROPERTIES: readonly string[] = ['firstname', 'lastname', 'phone', 'messenger_username'];

export type AutoCreated = {
  /** The conversations that have a new contact. */
  created: string[];
  /** The contacts that could not be created. The next sync tries again. */
  failed: { dialogId: string; error: ClientError }[];
};

/**
 * Creates contacts for people missing in the CRM, when the user switched that on: people with a name who wrote and were
 * written to, and about whom no person decided. Works one by one and never creates a person twice, as the messenger's
 * id is unique there. When the CRM stops answering, the rest is left for the next time.
 * @param dialogIds limits this to these; all by default
 */
export async function autoCreateContacts(
  deps: ContactsDeps,
  { userId, dialogIds }: { userId: string; dialogIds?: readonly string[] },
): Promise<AutoCreated> {
  const outcome: AutoCreated = { created: [], failed: [] };
  const settings = await getSettings(deps, { userId });
  const crmAccess = settings.autoCreateContacts ? await findCrm(deps, { userId }) : undefined;
  if (!crmAccess) return outcome;
  const dialogs = await listDialogs(deps.db, userId, { dialogIds });
  const states = await listMatchState(deps.db, { userId, dialogIds: dialogs.map(({ id }) => id) });
  const people = dialogs.filter(dialog => isTracked(dialog, settings) && needsContact(dialog, states.get(dialog.id)));
  // A person whom the user knows through two accounts has two conversations, but gets one contact.
  for (const dialogsOfPerson of Map.groupBy(people, messengerIdOf).values()) {
    const isAnswering = await createFor(deps, crmAccess, userId, dialogsOfPerson, outcome);
    if (!isAnswering) break;
  }
  return outcome;
}

function needsContact(dialog: Dialog, state: MatchState | undefined): boolean {
  if (dialog.peerType !== 'user' || !dialog.userWrote || !dialog.peerWrote) return false;
  if (!state?.evaluatedAt || state.status !== 'UNMATCHED' || isDecided(state) || state.rejected.length > 0) return false;
  const hasName = readPersonName(dialog.peerName).kind !== 'none';
  return hasName && !state.suggestions.some(({ score }) => score >= MIN_DUPLICATE_SCORE);
}

/** Creates one contact and links these conversations to it. Returns false if further contacts would fail as well. */
async function createFor(
  deps: ContactsDeps,
  { crm, connection: { portalId } }: { crm: Crm; connection: { portalId: string } },
  userId: string,
  dialogs: Dialog[],
  outcome: AutoCreated,
): Promise<boolean> {
  const [first] = dialogs;
  if (!first) return true;
  try {
    // A contact that already has this messenger id was created by a try that broke off, or is this very person.
    const details = { ...splitContactName(first.peerName), email: '', phone: first.peerPhone };
    const { contact } = await createOrFind(crm, collectDetails(first, details));
    const dialogIds = dialogs.map(({ id }) => id);
    const decided = await decideMatches(deps, { userId, dialogIds, action: 'autoCreate', portalId }, state => {
      const isOpen = !isDecided(state) && state.contactId === '' && !state.rejected.includes(contact.id);
      return isOpen ? linkCreatedContact(state, contact, 'rule') : undefined;
    });
    for (const { dialog } of decided) if (dialog.crmContactId === contact.id) outcome.created.push(dialog.id);
    return true;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    outcome.failed.push({ dialogId: first.id, error });
    if (error instanceof PropertyRequired) return error.properties.every(name => PERSONAL_PROPERTIES.includes(name));
    return error.kind === 'permanent';
  }
}

/**
 * Matches conversations read before the CRM was connected, like a sync: as many as the searches allow, the rest in another
 * job. Creates missing contacts if the user wants that, and queues their notes. Safe beside a sync and itself: matches made
 * meanwhile aren't repeated. Throws ClientError.
 */
export async function matchAfterConnecting(deps: ContactsDeps, { userId, signal }: UserKey & { signal: AbortSignal }) {
  const waiting = await listUnmatched(deps, userId);
  if (waiting.length > 0) {
    await matchConversations(deps, { userId, dialogs: waiting, signal });
    await autoCreateContacts(deps, { userId, dialogIds: waiting.map(({ id }) => id) });
  }
  // Even with nothing left to match: a worker may have matched everything and died before this line.
  await announceReady(deps, { userId });
  const remaining = await listUnmatched(deps, userId);
  if (remaining.length > 0 && remaining.length < waiting.length) await requestMatching(deps, deps.db, { userId });
}

/** Conversations that wait to be matched. One that no sync has read yet is matched by the sync that reads it. */
async function listUnmatched({ db }: Pick<ContactsDeps, 'db'>, userId: string) {
  const waiting = new Set(await listUnmatchedDialogIds(db, userId));
  if (waiting.size === 0) return [];
  return (await listDialogs(db, userId)).filter(({ id, lastSyncedAt }) => lastSyncedAt !== null && waiting.has(id));
}
