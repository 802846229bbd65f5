import type { Crm, CrmContact } from '../../../clients/crm/types.ts';
import type { Timed } from '../../../lib/clock.ts';
import { type Db, lockNamed } from '../../../lib/db.ts';
import { Conflict } from '../../../lib/errors.ts';
import { getConnection } from '../../crm/repo.ts';
import { type CrmDeps, findCrm } from '../../crm/service.ts';
import { listDialogs } from '../../messenger/dialogs/repo.ts';
import { isTracked, messengerIdOf } from '../../messenger/dialogs/rules.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { lockDialogs, setMatches, updateLinkProblems } from '../../messenger/dialogs/service.ts';
import { callingCodes } from '../../messenger/service.ts';
import { contactName } from './compareWithContact.ts';
import { findVerdicts, isSureMatch, type PersonToMatch } from './findVerdicts.ts';
import { type ContactClaim, dropSharedNameMatches, matchPerson, type PersonVerdict } from './matchPerson.ts';
import { listMatchState } from './repo.ts';
import { isDecided, toPerson } from './rules.ts';
import type { Link, MatchedDialog, MatchProblem, MatchReasons, MatchState, MatchVerdict } from './schema.ts';

/**
 * Looks up the contacts of the tracked private conversations, in as few calls as possible, and stores what the rules
 * say. What a person decided stays; contacts that were deleted or merged meanwhile are noted. Without a CRM nothing
 * happens. Throws ClientError, Conflict `CRM_CHANGED`; each step is then stored completely or not at all.
 * @returns how many of the conversations are linked to a contact now
 */
export async function matchConversations(
  deps: CrmDeps,
  { userId, dialogs, signal }: { userId: string; dialogs: readonly Dialog[]; signal?: AbortSignal },
): Promise<{ matched: number }> {
  // Groups are never matched automatically.
  const people = dialogs.filter(dialog => dialog.peerType === 'user' && isTracked(dialog, { includeGroups: false }));
  const crmAccess = people.length > 0 && (await findCrm(deps, { userId }));
  if (!crmAccess) return { matched: 0 };
  const { crm, connection } = crmAccess;
  const states = await listMatchState(deps.db, { userId });
  const cases = people.flatMap(dialog => {
    const state = states.get(dialog.id);
    return state ? [{ dialog, state }] : [];
  });
  const linkedContacts = await readLinked(crm, cases);
  const verdicts = await judgeDialogs(crm, cases, { linkedContacts, codes: await callingCodes(deps, userId) }, signal);
  // Before the verdicts: what was written to a merged contact follows the link to its survivor.
  const merged = findProblems(cases, [], linkedContacts).filter(({ survivor }) => survivor);
  await saveProblems(deps, { userId, problems: merged });
  const settle = async (trx: Db) => dropSharedNameMatches(verdicts, await listOtherClaims(trx, userId, verdicts));
  const settled = await saveVerdicts(deps, { userId, portalId: connection.portalId, verdicts, settle });
  await saveProblems(deps, { userId, problems: findProblems(cases, settled, linkedContacts) });
  return { matched: await countLinked(deps, userId, people) };
}

/** The contacts that conversations are linked to, under the ids they are linked by. */
async function readLinked(crm: Crm, cases: readonly MatchedDialog[]): Promise<Map<string, CrmContact>> {
  const ids = new Set(cases.map(({ state }) => state.contactId).filter(id => id !== ''));
  return ids.size === 0 ? new Map() : crm.readContacts([...ids]);
}

/** Judges undecided conversations, longest waiting first. A link that is still sure needs no search. */
async function judgeDialogs(
  crm: Crm,
  cases: readonly MatchedDialog[],
  { linkedContacts: seen, codes }: { linkedContacts: ReadonlyMap<string, CrmContact>; codes: ReadonlyMap<string, string> },
  signal: AbortSignal | undefined,
): Promise<PersonVerdict[]> {
  const open = cases
    .filter(({ state }) => !isDecided(state))
    .toSorted((a, b) => (a.state.evaluatedAt?.getTime() ?? 0) - (b.state.evaluatedAt?.getTime() ?? 0));
  const verdicts: PersonVerdict[] = [];
  const sought: PersonToMatch[] = [];
  for (const { dialog, state } of open) {
    const entry = { person: toPerson(dialog, codes), rejected: new Set(state.rejected) };
    const linked = seen.get(state.contactId);
    const verdict = matchPerson(entry.person, linked ? [linked] : [], entry.rejected);
    if (isSureMatch(verdict)) verdicts.push({ ...entry.person, verdict });
    else sought.push(entry);
  }
  const found = await findVerdicts(crm, sought, { knownContacts: [...seen.values()], signal });
  for (const { person } of sought) {
    const verdict = found.get(person.dialogId);
    if (verdict) verdicts.push({ ...person, verdict });
  }
  return verdicts;
}

/** Links of the user's conversations that are not judged this time. */
async function listOtherClaims(db: Db, userId: string, judged: readonly PersonVerdict[]): Promise<ContactClaim[]> {
  const judgedIds = new Set(judged.map(({ dialogId }) => dialogId));
  const others = (await listDialogs(db, userId)).filter(({ id, crmContactId }) => !judgedIds.has(id) && crmContactId !== '');
  return others.map(dialog => ({
    dialogId: dialog.id,
    messengerUserId: messengerIdOf(dialog),
    contactId: dialog.crmContactId,
  }));
}

/** New and solved problems of linked contacts: deleted, or merged into another one, to which the link moves. */
function findProblems(
  cases: readonly MatchedDialog[],
  judged: readonly NewVerdict[],
  linkedContacts: ReadonlyMap<string, CrmContact>,
): NewProblem[] {
  const verdicts = new Map(judged.map(({ dialogId, verdict }) => [dialogId, verdict]));
  const problems: NewProblem[] = [];
  for (const { dialog, state } of cases) {
    if (state.contactId === '') continue;
    const problem = findProblem(state, verdicts.get(dialog.id), linkedContacts.get(state.contactId));
    if (problem) problems.push({ dialogId: dialog.id, ...problem });
  }
  return problems;
}

function findProblem(
  { contactId, problem }: MatchState,
  verdict: MatchVerdict | undefined,
  contact: CrmContact | undefined,
): Omit<NewProblem, 'dialogId'> | undefined {
  if (contact && contact.id !== contactId) {
    const survivor = { id: contact.id, name: contactName(contact) };
    if (!verdict) return { contactId, problem: 'CONTACT_MERGED', survivor };
    return verdict.contact?.id === contact.id ? { contactId: contact.id, problem: 'CONTACT_MERGED' } : undefined;
  }
  const isGone = contact === undefined;
  if (verdict || isGone === (problem === 'CONTACT_GONE')) return undefined;
  return { contactId, problem: isGone ? 'CONTACT_GONE' : null };
}

async function countLinked({ db }: Pick<CrmDeps, 'db'>, userId: string, people: readonly Dialog[]): Promise<number> {
  const states = await listMatchState(db, { userId, dialogIds: people.map(({ id }) => id) });
  return [...states.values()].filter(({ contactId, status }) => contactId !== '' && status !== 'IGNORED').length;
}

type NewVerdict = { dialogId: string; verdict: MatchVerdict };

type VerdictsToSave = {
  userId: string;
  portalId?: string;
  verdicts: readonly NewVerdict[];
  settle?: (trx: Db) => Promise<readonly NewVerdict[]>;
};

/**
 * Stores verdicts, all or nothing. Conversations with decisions or rejections made meanwhile are left for the next run.
 * Returns all settled verdicts, also those left. Throws Conflict `CRM_CHANGED` when another CRM account was connected meanwhile.
 * @param portalId the account the contacts were found in
 * @param settle revises the verdicts while no other matching for this user can store any
 */
export async function saveVerdicts(
  deps: Timed,
  { userId, portalId, verdicts, settle }: VerdictsToSave,
): Promise<readonly NewVerdict[]> {
  const dialogIds = verdicts.map(({ dialogId }) => dialogId);
  return deps.db.transaction(async trx => {
    await lockNamed(trx, 'matching', userId);
    await lockDialogs(trx, { userId, dialogIds });
    await refuseOtherAccount(trx, { userId, portalId });
    const states = await listMatchState(trx, { userId, dialogIds });
    const settled = settle ? await settle(trx) : verdicts;
    const storable = settled.filter(({ dialogId, verdict }) => mayStore(states.get(dialogId), verdict));
    const matches = storable.map(({ dialogId, verdict }) => ({ dialogId, ...toMatch(verdict) }));
    await setMatches(trx, { userId, now: deps.clock.now() }, matches);
    return settled;
  });
}

/** Throws Conflict `CRM_CHANGED` for another CRM account. Call it with the conversations locked, as a change locks them. */
export async function refuseOtherAccount(
  trx: Db,
  { userId, portalId }: { userId: string; portalId?: string | undefined },
): Promise<void> {
  if (portalId === undefined || (await getConnection(trx, userId)).portalId === portalId) return;
  throw new Conflict('CRM_CHANGED', 'Another CRM account was connected in the meantime. Check it before you decide.');
}

function mayStore(state: MatchState | undefined, { contact }: MatchVerdict): boolean {
  if (!state || isDecided(state)) return false;
  return contact === null || !state.rejected.includes(contact.id);
}

function toMatch(verdict: MatchVerdict): Link & MatchReasons {
  const { contact } = verdict;
  const link = { contactId: contact?.id ?? '', contactName: contact && contactName(contact) };
  return { ...verdict, ...link, decidedBy: 'rule', problem: null };
}

type NewProblem = {
  dialogId: string;
  /** The contact that was checked: a link changed meanwhile is left alone. */
  contactId: string;
  problem: MatchProblem | null;
  /** Record that survived a merge and takes over the link. */
  survivor?: { id: string; name: string };
};

/** Stores problems of linked contacts, unless the link has changed meanwhile. */
export async function saveProblems(
  deps: Timed,
  { userId, problems }: { userId: string; problems: readonly NewProblem[] },
): Promise<void> {
  if (problems.length === 0) return;
  const dialogIds = problems.map(({ dialogId }) => dialogId);
  await deps.db.transaction(async trx => {
    const locked = await lockDialogs(trx, { userId, dialogIds });
    const dialogs = new Map(locked.map(dialog => [dialog.id, dialog]));
    const current = problems.filter(({ dialogId, contactId }) => dialogs.get(dialogId)?.crmContactId === contactId);
    await updateLinkProblems(trx, userId, current);
  });
}
