import type { Db } from '../../../lib/db.ts';
import type { JobHandler, Queue } from '../../../lib/queue.ts';
import { tasksPayload } from '../../promises/schema.ts';
import { requestTasks } from '../../promises/service.ts';
import { OutboxWaits, secondsToNextTry, sweepOutbox } from '../service.ts';
import { TASKS } from '../taskPlan/rules.ts';
import type { OutboxDeps } from '../whilePlansWait.ts';
import { deliverTasks } from './deliverTasks.ts';

export function tasksJob(deps: OutboxDeps): JobHandler {
  return async ({ data, signal }) => {
    const { userId } = tasksPayload.parse(data);
    await deliverTasks(deps, { userId, signal });
    if ((await secondsToNextTry(deps, TASKS, { userId })) !== undefined)
      throw new OutboxWaits('tasks wait for the CRM');
  };
}

export function tasksSweepJob(deps: { db: Db; queue: Queue }): JobHandler {
  return async () => sweepOutbox(deps, TASKS, owner => requestTasks(deps, owner));
}
