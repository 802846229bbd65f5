import { getSettings } from '../../base/settings/service.ts';
import { deliver, inBatches, type Writer } from '../deliver.ts';
import type { Wanted } from '../repo.ts';
import type { Met } from '../schema.ts';
import { planTasks } from '../taskPlan/planTasks.ts';
import { TASKS } from '../taskPlan/rules.ts';
import type { OutboxDeps } from '../whilePlansWait.ts';
import { archiveTasks } from './archiveTasks.ts';
import { createTasks } from './createTasks.ts';
import { readTasks } from './readTasks.ts';
import * as repo from './repo.ts';
import type { ClaimedTask } from './schema.ts';
import { updateTasks } from './updateTasks.ts';

type Delivered = {
  userId: string;
  /** For a sync: also reads what people did to tasks in the CRM, and tries those that wait for its administrator. */
  reads?: boolean;
  signal?: AbortSignal | undefined;
};

/** Brings the user's tasks in the CRM in line with their promises, as {@link deliver} does. */
export async function deliverTasks(deps: OutboxDeps, { userId, reads = false, signal }: Delivered): Promise<Met[]> {
  const { timezone } = await getSettings(deps, { userId });
  const writer: Writer<ClaimedTask> = {
    kind: TASKS,
    claim: (wanted, state) => repo.claimTasks(deps.db, { ...wanted, timezone, state }),
    work: { unwanted: archiveTasks, waiting: createTasks, outdated: updateTasks },
    async begin(delivery) {
      const moments = { since: await repo.findNow(deps.db), now: deps.clock.now() };
      const claimUnread = (wanted: Wanted) => repo.claimUnread(deps.db, { ...wanted, ...moments, timezone });
      if (reads) await inBatches(deps, delivery, claimUnread, readTasks, signal);
      await planTasks(deps, { userId, retriesHeld: reads });
    },
    plan: () => planTasks(deps, { userId }),
  };
  return deliver(deps, writer, { userId, signal });
}
