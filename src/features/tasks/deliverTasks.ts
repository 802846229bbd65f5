import { randomUUID } from 'node:crypto';
import { crmFailure, isCrmError } from '../crm/rules.ts';
import { findCrm } from '../crm/service.ts';
import { collectFailures } from '../notes/collectFailures.ts';
import type { NoteFailure } from '../notes/schema.ts';
import { getSettings } from '../settings/service.ts';
import { planTasks } from '../taskPlan/planTasks.ts';
import { retryHeld } from '../taskPlan/repo.ts';
import { archiveTasks } from './archiveTasks.ts';
import { createTasks } from './createTasks.ts';
import { type Delivery, holdTasks, type TasksDeps, type Work } from './holdTasks.ts';
import { readTasks } from './readTasks.ts';
import * as repo from './repo.ts';
import type { ToDo } from './schema.ts';
import { updateTasks } from './updateTasks.ts';

type Wanted = {
  userId: string;
  /** For a sync: also reads what people did to tasks in the CRM, and tries those that wait for its administrator. */
  reads?: boolean;
  signal?: AbortSignal | undefined;
};

const BATCH = 100;
/** Decisions made meanwhile are written in another pass; after this many passes the queue takes over. */
const MOST_PASSES = 5;

/**
 * Brings the user's tasks in the CRM in line with their promises, in batches, as far as the CRM accepts them now; each
 * task is worked on by one process. Returns what stood in the way: those tasks wait. Nothing is done while tasks are
 * switched off, or without a connected CRM.
 */
export async function deliverTasks(
  deps: TasksDeps,
  wanted: Wanted,
): Promise<(NoteFailure & { dialogIds: string[] })[]> {
  const { userId } = wanted;
  const failures = collectFailures<NoteFailure>();
  try {
    const open = await findCrm(deps, { userId });
    if (!open?.connection.tasksWrite) return [];
    const { timezone } = await getSettings(deps, { userId });
    const delivery = { userId, portalId: open.connection.portalId, timezone, crm: open.crm, failures };
    if (wanted.reads) {
      await retryHeld(deps.db, { userId });
      await readAll(deps, delivery, wanted);
    }
    await allPasses(deps, delivery, wanted);
  } catch (err) {
    if (!isCrmError(err)) throw err;
    deps.log.warn({ userId, code: err.code }, 'tasks wait for the CRM');
    failures.add({ failure: crmFailure(err) });
  }
  return failures.list();
}

async function allPasses(deps: TasksDeps, delivery: Delivery, { userId, signal }: Wanted): Promise<void> {
  for (let passes = 0; passes < MOST_PASSES; passes++) {
    await planTasks(deps, { userId });
    if ((await onePass(deps, delivery, signal)) === 0) return;
  }
}

/** Removals come first, so that a task that moves to another contact is never on two. */
const STEPS: readonly { state: ToDo; work: Work }[] = [
  { state: 'unwanted', work: archiveTasks },
  { state: 'waiting', work: createTasks },
  { state: 'outdated', work: updateTasks },
];

/** Returns how many tasks it claimed. Throws ClientError, with all claims released. */
async function onePass(deps: TasksDeps, delivery: Delivery, signal: AbortSignal | undefined): Promise<number> {
  let touched = 0;
  for (const { state, work } of STEPS) {
    for (;;) {
      signal?.throwIfAborted();
      const claim = randomUUID();
      const tasks = await repo.claimTasks(deps.db, { ...ownerOf(delivery), claim, state, limit: BATCH });
      if (tasks.length === 0) break;
      touched += tasks.length;
      await holdTasks(deps, { ...delivery, claim, tasks }, work);
    }
  }
  return touched;
}

async function readAll(deps: TasksDeps, delivery: Delivery, { signal }: Wanted): Promise<void> {
  const since = await repo.findNow(deps.db);
  const wanted = { ...ownerOf(delivery), since, now: deps.clock.now(), limit: BATCH };
  for (;;) {
    signal?.throwIfAborted();
    const claim = randomUUID();
    const tasks = await repo.claimUnread(deps.db, { ...wanted, claim });
    if (tasks.length === 0) return;
    await holdTasks(deps, { ...delivery, claim, tasks }, readTasks);
  }
}

const ownerOf = ({ userId, portalId, timezone }: Delivery) => ({ userId, portalId, timezone });
