import { randomUUID } from 'node:crypto';
import { fromKnex } from 'pg-boss';
import type { Db } from '../../lib/db.ts';
import { Conflict, NotFound } from '../../lib/errors.ts';
import type { Queue } from '../../lib/queue.ts';
import { type CrmDeps, getConnection } from '../crm/service.ts';
import { lockDialogs, setMatches } from '../dialogs/repo.ts';
import type { Dialog } from '../dialogs/schema.ts';
import * as repo from './repo.ts';
import {
  type DecisionKind,
  type Link,
  type MatchReasons,
  type MatchState,
  NOTES_WANTED_QUEUE,
  type NotesWanted,
  type Snapshot,
} from './schema.ts';

export type ContactsDeps = CrmDeps & { queue: Queue };
type Deps = Pick<ContactsDeps, 'db' | 'clock' | 'queue'>;

/** What becomes of a conversation. Undefined leaves it as it is. */
export type Change = { link: Link; reasons: MatchReasons };
export type Proposal = (state: MatchState, dialog: Dialog) => Change | undefined;

export type Decided = {
  dialog: Dialog;
  /** By it the decision is undone; null when nothing was decided that could be. */
  decisionId: string | null;
};

type Asked = {
  userId: string;
  dialogId: string;
  action: DecisionKind;
  /** The CRM account the contact was looked up in; another one by now has other people under the same ids. */
  portalId?: string | undefined;
};

/**
 * Changes the link of one conversation: the link, its reasons, what it was before and the word to whoever writes notes
 * come into being together or not at all. A second submit of the same finds it done and changes nothing.
 * Throws NotFound, and whatever `propose` throws.
 */
export async function decide(deps: Deps, asked: Asked, propose: Proposal): Promise<Decided> {
  const { decided } = await decideAll(deps, { ...asked, dialogIds: [asked.dialogId], isBatch: false }, propose);
  const [only] = decided;
  if (!only) throw new NotFound('conversation');
  return only;
}

type AskedAll = Omit<Asked, 'dialogId'> & { dialogIds: readonly string[]; isBatch: boolean };

/** As {@link decide}, of many at once in one transaction. `token` undoes all of them. Unknown ones are left out. */
export async function decideAll(
  deps: Deps,
  { userId, dialogIds, action, portalId, isBatch }: AskedAll,
  propose: Proposal,
): Promise<{ decided: Decided[]; token: string | null }> {
  const batchId = isBatch ? randomUUID() : null;
  return deps.db.transaction(async trx => {
    const dialogs = await lockDialogs(trx, { userId, dialogIds });
    await refuseOtherAccount(trx, { userId, portalId });
    const states = await repo.listMatchState(trx, { userId, dialogIds });
    const decided: Decided[] = [];
    const changed: string[] = [];
    for (const dialog of dialogs) {
      const state = states.get(dialog.id);
      const change = state && propose(state, dialog);
      if (!state || !change || isSame(state, change)) {
        decided.push({ dialog, decisionId: await newestDecisionId(trx, { userId, dialogId: dialog.id }) });
        continue;
      }
      const decisionId = await store(deps, trx, { userId, action, batchId, state, change });
      decided.push({ dialog: withLink(dialog, change.link), decisionId });
      changed.push(dialog.id);
    }
    await wantNotes(deps, trx, { userId, dialogIds: changed });
    return { decided, token: changed.length > 0 ? batchId : null };
  });
}

/** Lets the notes follow. Takes part in the transaction that changes the links. */
export async function wantNotes(deps: { queue: Queue }, trx: Db, payload: NotesWanted): Promise<void> {
  if (payload.dialogIds.length === 0) return;
  await deps.queue.send(NOTES_WANTED_QUEUE.name, payload, { db: fromKnex(trx) });
}

/** Call it behind the lock on the conversations, which whoever changes the account takes, too. */
export async function refuseOtherAccount(
  trx: Db,
  { userId, portalId }: { userId: string; portalId?: string | undefined },
): Promise<void> {
  if (portalId === undefined || (await getConnection({ db: trx }, { userId })).portalId === portalId) return;
  throw new Conflict('CRM_CHANGED', 'Another CRM account was connected meanwhile. Look again before you decide.');
}

type Stored = { userId: string; action: DecisionKind; batchId: string | null; state: MatchState; change: Change };

async function store(deps: Deps, trx: Db, { userId, action, batchId, state, change }: Stored): Promise<string> {
  const now = deps.clock.now();
  const { dialogId } = state;
  const { link, reasons } = change;
  await setMatches(trx, userId, [{ dialogId, ...link }]);
  await repo.upsertReasons(trx, userId, [{ dialogId, ...reasons }], now);
  if (state.contactId !== '' && state.contactId !== link.contactId) {
    await repo.insertRejected(trx, { userId, dialogId, contactId: state.contactId }, now);
  }
  if (link.contactId !== '') await repo.deleteRejected(trx, { userId, dialogId, contactId: link.contactId });
  return repo.insertDecision(trx, { userId, dialogId, action, batchId, before: snapshotOf(state), now });
}

async function newestDecisionId(trx: Db, { userId, dialogId }: { userId: string; dialogId: string }) {
  const newest = (await repo.listNewestDecisions(trx, { userId, dialogIds: [dialogId] })).get(dialogId);
  return newest && !newest.undoneAt ? newest.id : null;
}

function isSame(state: MatchState, { link, reasons }: Change): boolean {
  return (
    state.status === link.status &&
    state.contactId === link.contactId &&
    state.confidence === link.confidence &&
    state.decidedBy === reasons.decidedBy &&
    state.trouble === reasons.trouble
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
