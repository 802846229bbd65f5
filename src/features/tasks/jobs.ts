import type { Db } from '../../lib/db.ts';
import type { JobHandler, Queue } from '../../lib/queue.ts';
import { tasksPayload } from '../promises/schema.ts';
import { deliverTasks } from './deliverTasks.ts';
import type { TasksDeps } from './holdTasks.ts';
import { secondsToNextTry, sweepTasks } from './service.ts';

/** The queue retries the remaining tasks, less and less often. */
class TasksWait extends Error {}

export function tasksJob(deps: TasksDeps): JobHandler {
  return async ({ data, signal }) => {
    const { userId } = tasksPayload.parse(data);
    await deliverTasks(deps, { userId, signal });
    if ((await secondsToNextTry(deps, { userId })) !== undefined) throw new TasksWait('tasks wait for the CRM');
  };
}

export function tasksSweepJob(deps: { db: Db; queue: Queue }): JobHandler {
  return async () => sweepTasks(deps);
}
