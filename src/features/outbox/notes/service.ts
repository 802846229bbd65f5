import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, isUuid, lockNamed, type UserKey } from '../../../lib/db.ts';
import { describeFailure } from '../../../lib/failures.ts';
import type { Queue, UserJobData } from '../../../lib/queue.ts';
import { toLink, type WriteSwitches, writesNotes } from '../../contacts/matching/rules.ts';
import type { NotesWanted } from '../../contacts/schema.ts';
import { getConnection } from '../../crm/repo.ts';
import { listDialogs } from '../../messenger/dialogs/repo.ts';
import { requestTasks } from '../../promises/service.ts';
import { CLAIM_SECONDS, deleteClaimed, type Target } from '../repo.ts';
import type { DeliveryFailure, WrittenRecord } from '../schema.ts';
import * as outbox from '../service.ts';
import { composeNote, digestUrl } from './present.ts';
import * as repo from './repo.ts';
import { NOTES } from './rules.ts';
import { type ClaimedNote, NOTES_QUEUE } from './schema.ts';
import { forgetContacts, updateContacts } from './updateContacts.ts';

export { countNewNotes, countWaitingNotes, dropOfDigests, settleNotesOfAllUsers } from './repo.ts';

type NotePlan = {
  userId: string;
  /** If undefined, plans all conversations. */
  dialogIds?: readonly string[] | undefined;
  /**
   * A person has decided about them: notes that may no longer be written are removed, and those the CRM refused
   * before are tried once more. Otherwise, written notes stay as long as the link does.
   */
  isDecided?: boolean;
  /** Notes that wait for the CRM account's administrator are tried once more. */
  retriesHeld?: boolean;
};

/**
 * Plans the notes for the CRM: one for each digest with a summary, on its conversation's contact, where notes may be written
 * ({@link listNoteTargets}). After a person confirms a match, this adds notes of all earlier digests. Only updates the plan;
 * writes nothing to the CRM. While the CRM is disconnected, nothing is planned and nothing is lost.
 */
export async function planNotes(deps: { db: Db }, request: NotePlan): Promise<void> {
  const { userId, isDecided = false, retriesHeld = false } = request;
  const dialogIds = request.dialogIds?.filter(isUuid);
  await outbox.runWithPlanLock(deps, { kind: NOTES, userId }, async trx => {
    const connection = await getConnection(trx, userId);
    if (connection.status === 'disconnected') return;
    const scope = { userId, portalId: connection.portalId, dialogIds };
    const targets = await listNoteTargets(trx, { userId, dialogIds }, connection);
    await repo.followMerges(trx, scope);
    await repo.dropUnlinked(trx, scope, { targets, isStrict: isDecided });
    await repo.outdateChanged(trx, scope);
    if (isDecided || retriesHeld) await repo.retryNotes(trx, scope, { onlyHeld: !isDecided });
    await repo.addMissing(trx, scope, targets);
  });
}

/**
 * Marks notes of these digests as undecided for the next plan. Runs in the transaction that writes the digests, so that none
 * counts as complete in between.
 */
export async function expectNotes(
  trx: Db,
  { userId, portalId }: { userId: string; portalId: string },
  digests: readonly { digestId: string; dialogId: string }[],
): Promise<void> {
  if (digests.length === 0) return;
  await lockNamed(trx, NOTES.name, userId);
  const scope = { userId, portalId, dialogIds: digests.map(({ dialogId }) => dialogId) };
  const digestIds = digests.map(({ digestId }) => digestId);
  await repo.addUndecided(trx, scope, digestIds);
  await repo.outdateChanged(trx, scope);
}

/** The conversations whose notes may be written, and to whom. Without `dialogIds`, among all of the user's. */
export async function listNoteTargets(
  db: Db,
  { userId, dialogIds }: { userId: string; dialogIds?: readonly string[] | undefined },
  switches: WriteSwitches,
): Promise<Target[]> {
  return (await listDialogs(db, userId, { dialogIds }))
    .filter(dialog => writesNotes(toLink(dialog), switches))
    .map(({ id, crmContactId }) => ({ dialogId: id, contactId: crmContactId }));
}

/**
 * Writes the user's notes to the CRM, as {@link outbox.deliver} does: those of digests that a sync wrote, or of all others, and
 * removes those that are unwanted. Plans only what it touched.
 */
export function deliverNotes(
  deps: outbox.OutboxDeps,
  { userId, signal, ...ofJobs }: { userId: string; signal?: AbortSignal | undefined } & repo.OfJobs,
): Promise<DeliveryFailure[]> {
  const writer: outbox.Writer<ClaimedNote> = {
    kind: NOTES,
    rows: repo.NOTE_ROWS,
    filter: state => repo.filterClaimable(state, ofJobs),
    /** The address of its digest. */
    markerOf({ digestId, deletedDigestId }) {
      const id = digestId ?? deletedDigestId;
      return id === null ? undefined : digestUrl(id, deps.appUrl);
    },
    steps: { unwanted: removeNotes, waiting: createNotes, outdated: updateNotes },
    plan: dialogIds => planNotes(deps, { userId, dialogIds }),
    end: delivery => updateContacts(deps, delivery),
  };
  return outbox.deliver(deps, writer, { userId, signal });
}

/** Writes new notes. Those that the CRM was found to have are stored as written. */
async function createNotes(deps: outbox.OutboxDeps, batch: outbox.Batch<ClaimedNote>): Promise<void> {
  const drafts = (await draftNotes(deps, batch)).filter(({ item }) => item.crmId === null);
  const finish = (trx: Db, written: WrittenRecord[]) => repo.finishWritten(trx, batch, written, deps.clock.now());
  const sendableIds = await outbox.runWithPlanLock(deps, batch, async trx => {
    await finish(trx, outbox.listFound(batch));
    const sending = drafts.map(({ item: { id }, content: { hash } }) => ({ id, hash }));
    return repo.markSending(trx, batch, sending);
  });
  const fresh = drafts.filter(({ item }) => sendableIds.has(item.id));
  if (fresh.length === 0) return;
  const created = await batch.crm.createNotes(fresh.map(({ item, text }) => ({ ...text, contactId: item.contactId })));
  await outbox.storeCreated(deps, batch, created, finish);
}

/** Writes the current text of these notes. */
async function draftNotes(deps: outbox.OutboxDeps, batch: outbox.Batch<ClaimedNote>) {
  const contents = await repo.loadContents(deps.db, batch);
  return batch.items.flatMap(item => {
    const content = contents.get(item.id);
    return content ? [{ item, content, text: composeNote(content, deps.appUrl) }] : [];
  });
}

/** Writes the notes that have changed. A note that was deleted in the CRM is created again. */
async function updateNotes(deps: outbox.OutboxDeps, batch: outbox.Batch<ClaimedNote>): Promise<void> {
  await outbox.updateRecords(deps, batch, {
    drafts: await draftNotes(deps, batch),
    update: drafts => batch.crm.updateNotes(drafts.map(({ item, text }) => ({ ...text, id: item.crmId ?? '' }))),
    finish(trx, drafts) {
      const written = drafts.map(({ item: { id, crmId }, content: { hash } }) => ({ id, crmId: crmId ?? '', hash }));
      return repo.finishWritten(trx, batch, written, deps.clock.now());
    },
    lose: (trx, ids) => repo.loseNotes(trx, batch, ids),
  });
}

/** Removes notes, including those that may or may not be in the CRM. */
async function removeNotes(deps: outbox.OutboxDeps, batch: outbox.Batch<ClaimedNote>): Promise<void> {
  await batch.crm.archiveNotes(batch.items.flatMap(({ crmId }) => crmId ?? []));
  await forgetContacts(deps, batch);
  const ids = batch.items.map(({ id }) => id);
  await outbox.runWithPlanLock(deps, batch, trx => deleteClaimed(trx, batch.kind, batch, ids));
}

type OfJob = { userId: string; jobId: string };

const MAX_FLUSH_TRIES = 3;
/** Longest wait for a sync's notes in seconds, a little longer than a dead worker's claim. */
const MAX_FLUSH_SECONDS = CLAIM_SECONDS + 5;

/**
 * Writes the notes of a sync's digests before it completes. Waits a little for failures that may pass and for another
 * worker's claim to end. Returns what stood in the way of the notes that must wait longer.
 */
export async function flushNotes(deps: outbox.OutboxDeps, job: OfJob, signal: AbortSignal): Promise<DeliveryFailure[]> {
  const deadline = performance.now() + MAX_FLUSH_SECONDS * 1000;
  const lasting = new Map<DeliveryFailure['failure'], DeliveryFailure>();
  let passing: DeliveryFailure[] = [];
  for (let failedTries = 0; ; ) {
    const failures = await deliverNotes(deps, { ...job, signal });
    const mayPass = ({ failure }: DeliveryFailure) => describeFailure(failure).mayPass;
    for (const failed of failures) if (!mayPass(failed)) lasting.set(failed.failure, failed);
    if (failures.some(mayPass)) {
      passing = failures.filter(mayPass);
      failedTries++;
    }
    const wait = await secondsToNextNote(deps, job);
    if (wait === undefined) return [...lasting.values()];
    const isOver = failedTries >= MAX_FLUSH_TRIES || lasting.has('CRM_AUTH') || performance.now() + wait * 1000 > deadline;
    if (isOver) return [...lasting.values(), ...passing];
    // The process that holds them may be done long before its claim ends.
    await sleep(Math.min(Math.max(0.2, wait), 1) * 1000, undefined, { signal });
  }
}

/** Like {@link outbox.secondsToNextTry}, for these digests' notes. */
export async function secondsToNextNote(deps: { db: Db }, { userId, ...ofJobs }: UserKey & repo.OfJobs) {
  return outbox.secondsToNextTry(deps, NOTES, { userId }, repo.filterByJob(ofJobs));
}

/** Requests that the remaining notes be written. One waiting job is enough for all of them. */
export async function requestNotes(deps: { queue: Queue }, { userId }: UserJobData): Promise<void> {
  await deps.queue.send(NOTES_QUEUE.name, { userId } satisfies UserJobData, { singletonKey: userId });
}

/** Finds the user's running sync: it writes its notes itself, all together. */
type FindSync = (db: Db, userId: string) => Promise<{ id: string } | undefined>;

/** For a job: writes the notes that no running sync writes. Throws while some wait for the CRM, so that the queue tries again. */
export async function writeNotes(
  deps: outbox.OutboxDeps & { findOpenJob: FindSync },
  { userId, signal }: { userId: string; signal: AbortSignal },
): Promise<void> {
  await planNotes(deps, { userId });
  const exceptJobId = (await deps.findOpenJob(deps.db, userId))?.id;
  await deliverNotes(deps, { userId, exceptJobId, signal });
  if ((await secondsToNextNote(deps, { userId, exceptJobId })) !== undefined) throw new Error('notes wait for the CRM');
}

/** Plans and requests the notes and tasks of conversations whose links a person changed. */
export async function followDecision(deps: outbox.OutboxDeps & { queue: Queue }, { userId, dialogIds }: NotesWanted) {
  await planNotes(deps, { userId, dialogIds, isDecided: true });
  await requestNotes(deps, { userId });
  await requestTasks(deps, { userId });
}
