import type { CrmClient, TaskChange } from '../../../clients/crm/types.ts';
import type { Db, UserKey } from '../../../lib/db.ts';
import { NotFound } from '../../../lib/errors.ts';
import type { Queue } from '../../../lib/queue.ts';
import { CRM_NAME } from '../../crm/present.ts';
import { getConnection } from '../../crm/repo.ts';
import { applyTaskChanges, requestTasks } from '../../promises/service.ts';
import { NOTES } from '../notes/rules.ts';
import { listNoteTargets, planNotes, requestNotes } from '../notes/service.ts';
import { deleteClaimed, listOwnersOfAllUsers, retryRefused } from '../repo.ts';
import type { WrittenRecord } from '../schema.ts';
import * as outbox from '../service.ts';
import * as repo from './repo.ts';
import * as rules from './rules.ts';
import type { ClaimedTask } from './schema.ts';

export { dropOfPromises } from './repo.ts';

type TaskPlan = {
  userId: string;
  /** Tasks that wait for the CRM account's administrator, or the person, are tried once more. */
  retriesHeld?: boolean;
};

/**
 * Plans the tasks for the CRM: one for each of the user's own promises with a due day, on its conversation's contact, where
 * notes may be written. Only updates the plan; writes nothing to the CRM. Does nothing while tasks are off or the CRM is
 * disconnected.
 */
export async function planTasks(deps: { db: Db }, { userId, retriesHeld = false }: TaskPlan): Promise<void> {
  await outbox.runWithPlanLock(deps, { kind: rules.TASKS, userId }, async trx => {
    const connection = await getConnection(trx, userId);
    if (connection.status === 'disconnected' || !connection.tasksWrite) return;
    const targets = await listNoteTargets(trx, { userId }, connection);
    const scope = { userId, portalId: connection.portalId, targets };
    if (retriesHeld) await retryRefused(trx, rules.TASKS, { ...scope, onlyHeld: true });
    await repo.followMerges(trx, scope);
    await repo.dropUnwanted(trx, scope);
    await repo.restoreWanted(trx, scope);
    await repo.markOutdated(trx, scope);
    await repo.addMissing(trx, scope);
  });
}

type DeliveryRequest = {
  userId: string;
  /** For a sync: also reads what people did to tasks in the CRM, and tries those that wait for its administrator. */
  reads?: boolean;
  signal?: AbortSignal | undefined;
};

/** Brings the user's tasks in the CRM in line with their promises, as {@link outbox.deliver} does. */
export function deliverTasks(deps: outbox.OutboxDeps, { userId, reads = false, signal }: DeliveryRequest) {
  const writer: outbox.Writer<ClaimedTask> = {
    kind: rules.TASKS,
    rows: repo.TASK_ROWS,
    // The address of its promise.
    markerOf: task => rules.promiseUrl(task, deps.appUrl),
    steps: { unwanted: archiveTasks, waiting: createTasks, outdated: updateTasks },
    async begin(delivery) {
      const unread = repo.filterUnread(deps.clock.now());
      try {
        if (reads) await outbox.processClaimedBatches(deps, delivery, { ...writer, ...unread, step: readTasks, signal });
      } finally {
        // Otherwise new promises would get no tasks until the next sync.
        await planTasks(deps, { userId, retriesHeld: reads });
      }
    },
    plan: () => planTasks(deps, { userId }),
  };
  return outbox.deliver(deps, writer, { userId, signal });
}

/** What people did to tasks in the CRM: the move of the promise, and the words of its evidence. */
const CRM_CHANGES = [
  { change: 'completed', move: 'complete', words: 'Task completed' },
  { change: 'reopened', move: 'uncomplete', words: 'Task opened again' },
] as const;

/**
 * Reads what people did to tasks in the CRM. If a task was completed or reopened there, its promise is kept or open
 * here, with that as its evidence; a deleted task stays deleted. A due date that was changed there stays as it is.
 */
async function readTasks(deps: outbox.OutboxDeps, batch: outbox.Batch<ClaimedTask>): Promise<void> {
  const states = await batch.crm.readTasks(batch.items.flatMap(({ crmId }) => crmId ?? []));
  const inCrm = batch.items.flatMap(task => {
    const state = states.get(task.crmId ?? '');
    return state ? [{ ...state, task }] : [];
  });
  const goneIds = batch.items.filter(({ crmId }) => !states.has(crmId ?? '')).map(({ id }) => id);
  const now = deps.clock.now();
  await outbox.runWithPlanLock(deps, batch, async trx => {
    for (const { change, move, words } of CRM_CHANGES) {
      const changed = inCrm.filter(({ task, ...state }) => rules.findCompletionChange(task, state) === change);
      const evidenced = changed.map(({ task, completedAt }) => {
        const when = (rules.parseMoment(completedAt) ?? now).toISOString();
        return { id: task.promiseId, evidence: { who: CRM_NAME, when, words, messageIds: [] } };
      });
      await applyTaskChanges(trx, { userId: batch.userId, now, move }, evidenced);
    }
    const seen = inCrm.map(({ task, ...state }) => ({ ...state, id: task.id }));
    await repo.storeCrmCompletion(trx, batch, seen, now);
    await repo.markRemoved(trx, batch, goneIds);
  });
}

/** Creates new tasks. Those that the CRM was found to have are stored as written. */
async function createTasks(deps: outbox.OutboxDeps, batch: outbox.Batch<ClaimedTask>): Promise<void> {
  const missing = batch.items.filter(({ crmId }) => crmId === null);
  // Not needed: the promise was kept, or lost its day, before the CRM had its task.
  const needsTask = (task: ClaimedTask): task is ClaimedTask & { dueAt: Date } => !task.isDone && task.dueAt !== null;
  const obsoleteIds = missing.filter(task => !needsTask(task)).map(({ id }) => id);
  const needed = missing.filter(needsTask);
  const owners = await batch.crm.readOwners([...new Set(needed.map(({ contactId }) => contactId))]);
  const finish = (trx: Db, written: WrittenRecord[]) => repo.finishWritten(trx, batch, written, deps.clock.now());
  const sendableIds = await outbox.runWithPlanLock(deps, batch, async trx => {
    await finish(trx, outbox.listFound(batch));
    await deleteClaimed(trx, batch.kind, batch, obsoleteIds);
    const sending = needed.map(({ id, subject, isOwn, dueAt }) => ({ id, subject, isOwn, dueAt, isCompleted: false }));
    return repo.markSending(trx, batch, { state: 'waiting', sending });
  });
  const fresh = needed.filter(({ id }) => sendableIds.has(id));
  if (fresh.length === 0) return;
  const created = await batch.crm.createTasks(
    fresh.map(task => rules.toTask(task, { appUrl: deps.appUrl, ownerId: owners.get(task.contactId) ?? '' })),
  );
  await outbox.storeCreated(deps, batch, created, finish);
}

type ChangedTask = { item: ClaimedTask; change: TaskChange };

/** Updates changed tasks. A task deleted in the CRM is not recreated. */
async function updateTasks(deps: outbox.OutboxDeps, batch: outbox.Batch<ClaimedTask>): Promise<void> {
  await outbox.updateRecords<ClaimedTask, ChangedTask>(deps, batch, {
    drafts: batch.items.map(item => ({ item, change: rules.composeTaskChange(item) })),
    markSending: (trx, drafts) => {
      const sending = drafts.map(({ item: { id, subject, isOwn }, change }) => {
        return { ...change, id, isOwn, subject: change.subject === undefined ? null : subject };
      });
      return repo.markSending(trx, batch, { state: 'outdated', sending });
    },
    update: drafts =>
      batch.crm.updateTasks(drafts.map(({ change }) => change).filter(change => Object.keys(change).length > 1)),
    finish: (trx, drafts) => repo.finishWritten(trx, batch, drafts.map(writtenTask), deps.clock.now()),
    lose: (trx, ids) => repo.markRemoved(trx, batch, ids),
  });
}

const writtenTask = ({ item: { id, isOwn }, change }: ChangedTask) => ({ id, crmId: change.id, isOwn });

/** Archives tasks, including those that may or may not be in the CRM. */
async function archiveTasks(deps: outbox.OutboxDeps, batch: outbox.Batch<ClaimedTask>): Promise<void> {
  const sending = batch.items.map(({ id }) => ({ id }));
  const marked = await outbox.runWithPlanLock(deps, batch, trx =>
    repo.markSending(trx, batch, { state: 'unwanted', sending }),
  );
  const fresh = batch.items.filter(({ id }) => marked.has(id));
  await batch.crm.archiveTasks(fresh.flatMap(({ crmId }) => crmId ?? []));
  const ids = fresh.map(({ id }) => id);
  await outbox.runWithPlanLock(deps, batch, trx => repo.markRemoved(trx, batch, ids));
}

type Deps = { db: Db; crm: CrmClient | undefined };

/** URL of a promise's task. Throws NotFound if there is none, or it is another user's. */
export async function findTaskUrl({ db, crm }: Deps, promise: { userId: string; promiseId: string }): Promise<string> {
  const task = await repo.findTask(db, promise);
  if (!task || !crm) throw new NotFound('task');
  return crm.taskUrl(task);
}

/** For a job: brings the tasks up to date. Throws while some wait for the CRM, so that the queue tries again. */
export async function writeTasks(deps: outbox.OutboxDeps, { userId, signal }: { userId: string; signal: AbortSignal }) {
  await deliverTasks(deps, { userId, signal });
  if ((await outbox.secondsToNextTry(deps, rules.TASKS, { userId })) !== undefined)
    throw new Error('tasks wait for the CRM');
}

/** The CRM is connected again, or more may be written to it: plans notes and tasks, held ones too, and requests them. */
export async function resumeWriting(deps: outbox.OutboxDeps & { queue: Queue }, { userId }: UserKey) {
  await planNotes(deps, { userId, retriesHeld: true });
  await planTasks(deps, { userId, retriesHeld: true });
  await requestNotes(deps, { userId });
  await requestTasks(deps, { userId });
}

/** Requests records that no process is about to write: their request was lost, or the CRM is back. */
export async function sweepOutbox(deps: { db: Db; queue: Queue }): Promise<void> {
  for (const userId of await listOwnersOfAllUsers(deps.db, NOTES)) await requestNotes(deps, { userId });
  for (const userId of await listOwnersOfAllUsers(deps.db, rules.TASKS)) await requestTasks(deps, { userId });
}
