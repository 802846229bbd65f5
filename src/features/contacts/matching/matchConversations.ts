import type { Crm, CrmContact } from '../../../clients/crm/types.ts';
import type { Db } from '../../../lib/db.ts';
import { type CrmDeps, findCrm } from '../../crm/service.ts';
import { isTracked, messengerIdOf } from '../../messenger/dialogs/rules.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { listDialogs } from '../../messenger/dialogs/service.ts';
import { contactName } from '../comparison/contactName.ts';
import { callingCodes, personOf } from '../comparison/personOf.ts';
import { findCandidates, isSure, type Sought } from './findCandidates.ts';
import { type Claim, type Judged, matchPerson, settleRivals } from './matchPerson.ts';
import { listMatchState } from './repo.ts';
import { isDecided } from './rules.ts';
import { type NewProblem, type NewVerdict, saveProblems, saveVerdicts } from './saveVerdicts.ts';
import type { MatchState } from './schema.ts';

type Asked = { userId: string; dialogs: readonly Dialog[]; signal?: AbortSignal };

/** One conversation with what is known of its match. */
type Case = { dialog: Dialog; state: MatchState };

/**
 * Looks up the contacts of the tracked private conversations, in as few calls as possible, and stores what the rules
 * say. What a person decided stays; contacts that were deleted or merged meanwhile are noted. Without a CRM nothing
 * happens. Throws ClientError, Conflict `CRM_CHANGED`; each step is then stored completely or not at all.
 * @returns how many of the conversations are linked to a contact now
 */
export async function matchConversations(
  deps: CrmDeps,
  { userId, dialogs, signal }: Asked,
): Promise<{ matched: number }> {
  const people = dialogs.filter(isPerson);
  const opened = people.length > 0 && (await findCrm(deps, { userId }));
  if (!opened) return { matched: 0 };
  const { crm, connection } = opened;
  const states = await listMatchState(deps.db, { userId });
  const cases = people.flatMap(dialog => casesOf(dialog, states));
  const seen = await readLinked(crm, cases);
  const verdicts = await judge(crm, cases, { seen, codes: await callingCodes(deps, userId) }, signal);
  const settle = async (trx: Db) => settleRivals(verdicts, await standingClaims(trx, userId, verdicts));
  const { settled } = await saveVerdicts(deps, { userId, portalId: connection.portalId, verdicts, settle });
  const problems = problemsOf(cases, settled, seen);
  if (problems.length > 0) await saveProblems(deps, { userId, problems });
  return { matched: await countLinked(deps, userId, people) };
}

/** Groups are never matched automatically. */
function isPerson(dialog: Dialog): boolean {
  return dialog.peerType === 'user' && isTracked(dialog, { includeGroups: false });
}

function casesOf(dialog: Dialog, states: ReadonlyMap<string, MatchState>): Case[] {
  const state = states.get(dialog.id);
  return state ? [{ dialog, state }] : [];
}

/** The contacts that conversations are linked to, under the ids they are linked by. */
async function readLinked(crm: Crm, cases: readonly Case[]): Promise<Map<string, CrmContact>> {
  const ids = new Set(cases.map(({ state }) => state.contactId).filter(id => id !== ''));
  return ids.size === 0 ? new Map() : crm.readContacts([...ids]);
}

/** A sure link that still holds costs no search. Those who waited longest are looked up first. */
async function judge(
  crm: Crm,
  cases: readonly Case[],
  { seen, codes }: { seen: ReadonlyMap<string, CrmContact>; codes: ReadonlyMap<string, string> },
  signal: AbortSignal | undefined,
): Promise<Judged[]> {
  const open = cases
    .filter(({ state }) => !isDecided(state))
    .toSorted((a, b) => (a.state.evaluatedAt?.getTime() ?? 0) - (b.state.evaluatedAt?.getTime() ?? 0));
  const judged: Judged[] = [];
  const sought: Sought[] = [];
  for (const { dialog, state } of open) {
    const one = { person: personOf(dialog, codes), rejected: new Set(state.rejected) };
    const linked = seen.get(state.contactId);
    const verdict = matchPerson(one.person, linked ? [linked] : [], one.rejected);
    if (isSure(verdict)) judged.push({ ...one.person, verdict });
    else sought.push(one);
  }
  const found = await findCandidates(crm, sought, { known: [...seen.values()], signal });
  return [...judged, ...sought.flatMap(({ person }) => withVerdict(person, found.get(person.dialogId)))];
}

function withVerdict(person: Sought['person'], verdict: Judged['verdict'] | undefined): Judged[] {
  return verdict ? [{ ...person, verdict }] : [];
}

/** Links of this user's other conversations, and of those that are not judged this time. */
async function standingClaims(db: Db, userId: string, judged: readonly Judged[]): Promise<Claim[]> {
  const judgedIds = new Set(judged.map(({ dialogId }) => dialogId));
  const others = (await listDialogs(db, userId)).filter(
    ({ id, crmContactId }) => !judgedIds.has(id) && crmContactId !== '',
  );
  return others.map(dialog => ({
    dialogId: dialog.id,
    messengerUserId: messengerIdOf(dialog),
    contactId: dialog.crmContactId,
  }));
}

/** What became of linked contacts: gone, or merged into another one, to which the link moves. */
function problemsOf(
  cases: readonly Case[],
  judged: readonly NewVerdict[],
  seen: ReadonlyMap<string, CrmContact>,
): NewProblem[] {
  const verdicts = new Map(judged.map(({ dialogId, verdict }) => [dialogId, verdict]));
  return cases.flatMap(({ dialog: { id: dialogId }, state: { contactId, problem } }): NewProblem[] => {
    if (contactId === '') return [];
    const verdict = verdicts.get(dialogId);
    const contact = seen.get(contactId);
    if (contact && contact.id !== contactId) {
      const survivor = { id: contact.id, name: contactName(contact) };
      if (!verdict) return [{ dialogId, contactId, problem: 'CONTACT_MERGED', survivor }];
      return verdict.contact?.id === contact.id ? [{ dialogId, contactId: contact.id, problem: 'CONTACT_MERGED' }] : [];
    }
    if (verdict) return [];
    if (!contact) return problem === 'CONTACT_GONE' ? [] : [{ dialogId, contactId, problem: 'CONTACT_GONE' }];
    return problem === 'CONTACT_GONE' ? [{ dialogId, contactId, problem: null }] : [];
  });
}

async function countLinked({ db }: Pick<CrmDeps, 'db'>, userId: string, people: readonly Dialog[]): Promise<number> {
  const states = await listMatchState(db, { userId, dialogIds: people.map(({ id }) => id) });
  return [...states.values()].filter(({ contactId, status }) => contactId !== '' && status !== 'IGNORED').length;
}
