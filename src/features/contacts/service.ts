import { randomUUID } from 'node:crypto';
import { fromKnex } from 'pg-boss';
import type { Db, UserKey } from '../../lib/db.ts';
import { Conflict, NotFound } from '../../lib/errors.ts';
import type { Queue } from '../../lib/queue.ts';
import { getSettings } from '../base/settings/service.ts';
import type { CrmDeps } from '../crm/service.ts';
import { listDialogs } from '../messenger/dialogs/repo.ts';
import { isTracked } from '../messenger/dialogs/rules.ts';
import type { Dialog, DialogKey } from '../messenger/dialogs/schema.ts';
import { lockDialogs, resetMatches, setMatches } from '../messenger/dialogs/service.ts';
import { refuseOtherAccount } from './matching/matchConversations.ts';
import { listMatchState } from './matching/repo.ts';
import { canConfirmInBulk, type WriteSwitches } from './matching/rules.ts';
import type { Decision, DecisionKind, Link, MatchReasons, MatchState, Snapshot } from './matching/schema.ts';
import { deleteDecisions, insertDecisions, listDecisions, listUndoable, undoDecisions } from './repo.ts';
import { NOTES_WANTED_QUEUE, type NotesWanted } from './schema.ts';

export type ContactsDeps = CrmDeps & { queue: Queue };
type Deps = Pick<ContactsDeps, 'db' | 'clock' | 'queue'>;

export type MatchChange = {
  link: Link;
  reasons: MatchReasons;
  /** Contacts that are never proposed again, besides the one that a changed link led to. */
  rejectedIds?: readonly string[];
};
type Proposal = (state: MatchState, dialog: Dialog) => MatchChange | undefined;

export type DecisionOutcome = {
  dialog: Dialog;
  /** Undoes the decision; null when there is none to undo. */
  decisionId: string | null;
};

type DecisionRequest = {
  userId: string;
  dialogId: string;
  action: DecisionKind;
  /** The CRM account the contact was looked up in; one connected since has other people under the same ids. */
  portalId?: string | undefined;
};

/**
 * Changes a conversation's link: it, its reasons, its previous state and the request to write notes are stored together
 * or not at all. A second submit of the same decision changes nothing. Throws NotFound, and what `propose` does.
 */
export async function decideMatch(deps: Deps, request: DecisionRequest, propose: Proposal): Promise<DecisionOutcome> {
  const [only] = await decideMatches(deps, { ...request, dialogIds: [request.dialogId] }, propose);
  if (!only) throw new NotFound('conversation');
  return only;
}

type BatchRequest = Omit<DecisionRequest, 'dialogId'> & {
  dialogIds: readonly string[];
  /** Undoes all of these decisions. */
  batchId?: string | null;
};

/** Like {@link decideMatch}, for several conversations in one transaction. Skips unknown ones. */
export async function decideMatches(
  deps: Deps,
  { userId, dialogIds, action, portalId, batchId = null }: BatchRequest,
  propose: Proposal,
): Promise<DecisionOutcome[]> {
  return deps.db.transaction(async trx => {
    const dialogs = await lockDialogs(trx, { userId, dialogIds });
    await refuseOtherAccount(trx, { userId, portalId });
    const states = await listMatchState(trx, { userId, dialogIds });
    const changes = new Map<string, StateChange>();
    for (const dialog of dialogs) {
      const state = states.get(dialog.id);
      const change = state && propose(state, dialog);
      if (state && change && !isUnchanged(state, change)) changes.set(dialog.id, { state, change });
    }
    const unchanged = dialogs.filter(({ id }) => !changes.has(id)).map(({ id }) => id);
    const undoableIds = await listUndoable(trx, { userId, dialogIds: unchanged });
    const decisionIds = await storeDecisions(deps, trx, { userId, action, batchId }, [...changes.values()]);
    await queueFollowDecision(deps, trx, { userId, dialogIds: [...changes.keys()] });
    return dialogs.map(dialog => {
      const link = changes.get(dialog.id)?.change.link;
      if (!link) return { dialog, decisionId: undoableIds.get(dialog.id) ?? null };
      return { dialog: withLink(dialog, link), decisionId: decisionIds.get(dialog.id) ?? null };
    });
  });
}

/** Queues `followDecision` for these conversations, in the transaction that changes their links. */
async function queueFollowDecision(deps: { queue: Queue }, trx: Db, payload: NotesWanted): Promise<void> {
  if (payload.dialogIds.length === 0) return;
  await deps.queue.send(NOTES_WANTED_QUEUE.name, payload, { db: fromKnex(trx) });
}

type StateChange = { state: MatchState; change: MatchChange };

/** Stores new matches and the decisions about them. Returns the decisions' ids by conversation. */
async function storeDecisions(
  deps: Deps,
  trx: Db,
  decisionInfo: { userId: string; action: DecisionKind; batchId: string | null },
  changes: readonly StateChange[],
): Promise<Map<string, string>> {
  const { userId, action } = decisionInfo;
  const now = deps.clock.now();
  const matches = changes.map(({ state: { dialogId }, change: { link, reasons } }) => ({
    // Reasons are often copied from the whole state: the new link overrides the old one.
    ...reasons,
    ...link,
    dialogId,
  }));
  await setMatches(trx, { userId, now }, matches);
  const isRefused = ({ contactId }: MatchState, link: Link) => action !== 'stopIgnoring' && contactId !== link.contactId;
  const decisions = changes.map(({ state, change: { link, rejectedIds = [] } }) => ({
    dialogId: state.dialogId,
    before: takeSnapshot(state),
    rejectedIds: [...rejectedIds, isRefused(state, link) ? state.contactId : ''].filter(id => id !== ''),
    acceptedId: link.contactId,
  }));
  return insertDecisions(trx, { ...decisionInfo, now }, decisions);
}

function isUnchanged(state: MatchState, { link, reasons, rejectedIds = [] }: MatchChange): boolean {
  return (
    rejectedIds.length === 0 &&
    state.status === link.status &&
    state.contactId === link.contactId &&
    state.confidence === link.confidence &&
    state.decidedBy === reasons.decidedBy &&
    state.problem === reasons.problem
  );
}

const takeSnapshot = ({ dialogId: _, evaluatedAt: __, ...before }: MatchState): Snapshot => before;

function withLink(dialog: Dialog, link: Link): Dialog {
  return {
    ...dialog,
    matchStatus: link.status,
    matchConfidence: link.confidence,
    crmContactId: link.contactId,
    crmContactName: link.contactName,
  };
}

/**
 * The person confirms the proposed contact. `planNotes` in `outbox/notes/service.ts` decides which notes follow;
 * without a contact the conversation counts as dealt with, and none is written. Throws NotFound, and Conflict
 * `MATCH_CHANGED` when the proposal isn't the one that was shown.
 * @param seenContactId the contact that was shown; without it, whatever is proposed is confirmed
 */
export async function confirmMatch(
  deps: Deps,
  { userId, dialogId, seenContactId }: { userId: string; dialogId: string; seenContactId?: string | undefined },
): Promise<DecisionOutcome> {
  return decideMatch(deps, { userId, dialogId, action: 'confirm' }, state => {
    if (seenContactId !== undefined && seenContactId !== state.contactId) throw matchChanged();
    return confirmLink(state);
  });
}

type ShownMatch = { dialogId: string; contactId: string };

/** Confirms several matches at once, except those that can't be confirmed in bulk or differ from what was shown. */
export async function confirmTogether(
  deps: Deps,
  { userId, seen, switches }: { userId: string; seen: readonly ShownMatch[]; switches: WriteSwitches },
): Promise<{ confirmed: number; token: string | null }> {
  const contactIds = new Map(seen.map(({ dialogId, contactId }) => [dialogId, contactId]));
  const batchId = randomUUID();
  let confirmed = 0;
  await decideMatches(deps, { userId, dialogIds: [...contactIds.keys()], action: 'confirm', batchId }, state => {
    const isSeen = contactIds.get(state.dialogId) === state.contactId;
    if (!isSeen || !canConfirmInBulk(state, switches)) return undefined;
    confirmed += 1;
    return confirmLink(state);
  });
  return { confirmed, token: confirmed > 0 ? batchId : null };
}

function confirmLink(state: MatchState): MatchChange {
  const { contactId, contactName } = state;
  return {
    link: { status: 'CONFIRMED', confidence: 1, contactId, contactName },
    reasons: { ...state, rule: 'person', decidedBy: 'person', problem: null },
  };
}

function matchChanged(): Conflict {
  return new Conflict('MATCH_CHANGED', 'The match changed while you were looking at it. Check it before you decide.');
}

/** Ignores a conversation, which isn't for the CRM: removes its link, and no rule proposes another. Throws NotFound. */
export async function ignoreDialog(deps: Deps, { userId, dialogId }: DialogKey): Promise<DecisionOutcome> {
  return decideMatch(deps, { userId, dialogId, action: 'ignore' }, state => ({
    link: createEmptyLink('IGNORED'),
    reasons: { ...dropContact(state), rule: 'person', decidedBy: 'person' },
  }));
}

/** The conversation is matched again, from the next sync on, also with the contact that ignoring it dropped. Throws NotFound. */
export async function stopIgnoring(deps: Deps, { userId, dialogId }: DialogKey): Promise<DecisionOutcome> {
  return decideMatch(deps, { userId, dialogId, action: 'stopIgnoring' }, state =>
    state.status === 'IGNORED'
      ? { link: createEmptyLink('UNMATCHED'), reasons: { ...dropContact(state), rule: null, decidedBy: 'rule' } }
      : undefined,
  );
}

/**
 * "Not this one": the proposed contact is someone else and is never proposed again; the rules may look for another.
 * Throws NotFound, and Conflict `MATCH_CHANGED` when the proposal is not the one that was looked at.
 */
export async function rejectMatch(
  deps: Deps,
  { userId, dialogId, seenContactId }: DialogKey & { seenContactId: string },
): Promise<DecisionOutcome> {
  return decideMatch(deps, { userId, dialogId, action: 'reject' }, state => {
    // A second submit finds it already rejected.
    if (state.rejected.includes(seenContactId)) return undefined;
    if (state.contactId === '' || state.contactId !== seenContactId) throw matchChanged();
    return { link: createEmptyLink('UNMATCHED'), reasons: { ...dropContact(state), rule: null, decidedBy: 'rule' } };
  });
}

/** "None of these": rejects the contacts of `seenContactIds`, which were shown, for good. Throws NotFound. */
export async function rejectAll(
  deps: Deps,
  { userId, dialogId, seenContactIds }: DialogKey & { seenContactIds: readonly string[] },
): Promise<DecisionOutcome> {
  const seen = new Set(seenContactIds);
  return decideMatch(deps, { userId, dialogId, action: 'reject' }, state => {
    const suggestions = state.suggestions.filter(({ contact }) => !seen.has(contact.id));
    const rejectedIds = state.suggestions.map(({ contact }) => contact.id).filter(id => seen.has(id));
    if (state.contactId !== '' || state.status === 'IGNORED' || rejectedIds.length === 0) return undefined;
    return {
      link: createEmptyLink('UNMATCHED'),
      reasons: { ...state, suggestions, rule: null, decidedBy: 'rule' },
      rejectedIds,
    };
  });
}

const createEmptyLink = (status: Link['status']): Link => ({ status, confidence: 0, contactId: '', contactName: null });

/** The reasons for a match without the refused contact, to offer the others. */
function dropContact(state: MatchState): MatchReasons {
  const suggestions = state.suggestions.filter(({ contact }) => contact.id !== state.contactId);
  return { ...state, evidence: [], contact: null, runnerUp: null, suggestions, problem: null };
}

/**
 * Restores the state before a decision, or before a batch of them; notes that it had caused are removed. Only the
 * newest decision of a conversation can be undone. Does nothing when already undone. Throws NotFound, and Conflict
 * `DECIDED_SINCE` when something newer was decided about all of them.
 */
export async function undoDecision(
  deps: Deps,
  { userId, token }: UserKey & { token: string },
): Promise<{ dialogIds: string[] }> {
  return deps.db.transaction(async trx => {
    const dialogIds = (await listDecisions(trx, { userId, token })).map(({ dialogId }) => dialogId);
    if (dialogIds.length === 0) throw new NotFound('decision to undo');
    await lockDialogs(trx, { userId, dialogIds });
    const decisions = await listDecisions(trx, { userId, token });
    const newestDecisions = decisions.filter(({ isNewest }) => isNewest);
    if (newestDecisions.length === 0) {
      throw new Conflict('DECIDED_SINCE', 'A newer decision was made about this conversation, so nothing changed.');
    }
    const toUndo = newestDecisions.filter(({ undoneAt }) => undoneAt === null);
    await restoreMatches(deps, trx, userId, toUndo);
    await queueFollowDecision(deps, trx, { userId, dialogIds: toUndo.map(({ dialogId }) => dialogId) });
    return { dialogIds: newestDecisions.map(({ dialogId }) => dialogId) };
  });
}

async function restoreMatches(deps: Deps, trx: Db, userId: string, toUndo: readonly Decision[]): Promise<void> {
  const now = deps.clock.now();
  const createdContacts = await listCreatedContacts(trx, userId, toUndo);
  const matches = toUndo.map(({ dialogId, before: { rejected: _, ...match } }) => ({ dialogId, ...match }));
  await setMatches(trx, { userId, now }, matches);
  const undoings = toUndo.map(({ id: decisionId, dialogId, before }) => {
    const rejected = new Set(before.rejected);
    const created = createdContacts.get(dialogId);
    if (created && created !== before.contactId) rejected.add(created);
    return { decisionId, dialogId, rejectedIds: [...rejected] };
  });
  await undoDecisions(trx, { userId, now }, undoings);
}

/**
 * The contact that each of these decisions created, by conversation. They stay in the CRM with the person's messenger id:
 * unless remembered as rejected, the next sync would link them again.
 */
async function listCreatedContacts(trx: Db, userId: string, toUndo: readonly Decision[]): Promise<Map<string, string>> {
  const making = toUndo.filter(({ action }) => action === 'create' || action === 'autoCreate');
  if (making.length === 0) return new Map();
  const states = await listMatchState(trx, { userId, dialogIds: making.map(({ dialogId }) => dialogId) });
  return new Map([...states.values()].map(({ dialogId, contactId }) => [dialogId, contactId]));
}

/**
 * Drops the links when another CRM account replaces the last one: its contacts are other people's records. Ignored
 * conversations stay so. Takes part in the transaction that changes the account, and waits for decisions in progress.
 */
export async function forgetLinks(trx: Db, { userId }: UserKey): Promise<void> {
  const dialogIds = (await listDialogs(trx, userId)).map(({ id }) => id);
  await lockDialogs(trx, { userId, dialogIds });
  await resetMatches(trx, userId);
  await deleteDecisions(trx, userId);
}

/** The user's tracked conversations with how they are matched, newest first. */
export async function listTrackedDialogs(deps: { db: Db }, { userId }: UserKey): Promise<Dialog[]> {
  const [dialogs, settings] = await Promise.all([listDialogs(deps.db, userId), getSettings(deps, { userId })]);
  return dialogs.filter(dialog => isTracked(dialog, settings));
}
