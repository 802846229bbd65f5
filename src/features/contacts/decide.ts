import { randomUUID } from 'node:crypto';
import { fromKnex } from 'pg-boss';
import type { Db } from '../../lib/db.ts';
import { NotFound } from '../../lib/errors.ts';
import type { Queue } from '../../lib/queue.ts';
import type { CrmDeps } from '../crm/service.ts';
import type { Dialog } from '../messenger/dialogs/schema.ts';
import { lockDialogs, setMatches } from '../messenger/dialogs/service.ts';
import { listMatchState } from './matching/repo.ts';
import { refuseOtherAccount } from './matching/saveVerdicts.ts';
import type { DecisionKind, Link, MatchReasons, MatchState, Snapshot } from './matching/schema.ts';
import { insertDecisions, listUndoable } from './repo.ts';
import { NOTES_WANTED_QUEUE, type NotesWanted } from './schema.ts';

export type ContactsDeps = CrmDeps & { queue: Queue };
type Deps = Pick<ContactsDeps, 'db' | 'clock' | 'queue'>;

/** What becomes of a conversation. Undefined leaves it as it is. */
export type Change = {
  link: Link;
  reasons: MatchReasons;
  /** Contacts that are never proposed again, besides the one that was linked. */
  rejectedIds?: readonly string[];
};
export type Proposal = (state: MatchState, dialog: Dialog) => Change | undefined;

export type Decided = {
  dialog: Dialog;
  /** Undoes the decision; null when there is none to undo. */
  decisionId: string | null;
};

type Asked = {
  userId: string;
  dialogId: string;
  action: DecisionKind;
  /** The CRM account the contact was looked up in; one connected since has other people under the same ids. */
  portalId?: string | undefined;
};

/**
 * Changes the link of one conversation: the link, its reasons, its previous state and the request to write notes are
 * stored together or not at all. A second submit of the same decision changes nothing. Throws NotFound, and whatever
 * `propose` throws.
 */
export async function decide(deps: Deps, asked: Asked, propose: Proposal): Promise<Decided> {
  const { decided } = await decideAll(deps, { ...asked, dialogIds: [asked.dialogId], isBatch: false }, propose);
  const [only] = decided;
  if (!only) throw new NotFound('conversation');
  return only;
}

type AskedAll = Omit<Asked, 'dialogId'> & { dialogIds: readonly string[]; isBatch: boolean };

/** Like {@link decide}, for many at once in one transaction. `token` undoes all of them. Unknown ones are left out. */
export async function decideAll(
  deps: Deps,
  { userId, dialogIds, action, portalId, isBatch }: AskedAll,
  propose: Proposal,
): Promise<{ decided: Decided[]; token: string | null }> {
  const batchId = isBatch ? randomUUID() : null;
  return deps.db.transaction(async trx => {
    const dialogs = await lockDialogs(trx, { userId, dialogIds });
    await refuseOtherAccount(trx, { userId, portalId });
    const states = await listMatchState(trx, { userId, dialogIds });
    const changes = new Map<string, Changed>();
    for (const dialog of dialogs) {
      const state = states.get(dialog.id);
      const change = state && propose(state, dialog);
      if (state && change && !isSame(state, change)) changes.set(dialog.id, { state, change });
    }
    const unchanged = dialogs.filter(({ id }) => !changes.has(id)).map(({ id }) => id);
    const known = await listUndoable(trx, { userId, dialogIds: unchanged });
    const decisionIds = await store(deps, trx, { userId, action, batchId }, [...changes.values()]);
    await requestNotes(deps, trx, { userId, dialogIds: [...changes.keys()] });
    const decided = dialogs.map(dialog => {
      const link = changes.get(dialog.id)?.change.link;
      const decisionId = (link ? decisionIds : known).get(dialog.id) ?? null;
      return { dialog: link ? withLink(dialog, link) : dialog, decisionId };
    });
    return { decided, token: changes.size > 0 ? batchId : null };
  });
}

/** Requests that the notes follow. Takes part in the transaction that changes the links. */
export async function requestNotes(deps: { queue: Queue }, trx: Db, payload: NotesWanted): Promise<void> {
  if (payload.dialogIds.length === 0) return;
  await deps.queue.send(NOTES_WANTED_QUEUE.name, payload, { db: fromKnex(trx) });
}

type Changed = { state: MatchState; change: Change };
type About = { userId: string; action: DecisionKind; batchId: string | null };

/** The ids of the decisions, by conversation. */
async function store(deps: Deps, trx: Db, about: About, changed: readonly Changed[]): Promise<Map<string, string>> {
  const { userId } = about;
  const now = deps.clock.now();
  const matches = changed.map(({ state: { dialogId }, change: { link, reasons } }) => ({
    // Reasons are often copied from the whole state: the new link overrides the old one.
    ...reasons,
    ...link,
    dialogId,
  }));
  await setMatches(trx, { userId, now }, matches);
  const decisions = changed.map(({ state, change: { link, rejectedIds = [] } }) => ({
    dialogId: state.dialogId,
    before: snapshotOf(state),
    rejectedIds: [...rejectedIds, state.contactId === link.contactId ? '' : state.contactId].filter(id => id !== ''),
    acceptedId: link.contactId,
  }));
  return insertDecisions(trx, { ...about, now }, decisions);
}

function isSame(state: MatchState, { link, reasons, rejectedIds = [] }: Change): boolean {
  return (
    rejectedIds.length === 0 &&
    state.status === link.status &&
    state.contactId === link.contactId &&
    state.confidence === link.confidence &&
    state.decidedBy === reasons.decidedBy &&
    state.problem === reasons.problem
  );
}

function snapshotOf({ dialogId: _, evaluatedAt: __, ...before }: MatchState): Snapshot {
  return before;
}

function withLink(dialog: Dialog, link: Link): Dialog {
  return {
    ...dialog,
    matchStatus: link.status,
    matchConfidence: link.confidence,
    crmContactId: link.contactId,
    crmContactName: link.contactName,
  };
}
