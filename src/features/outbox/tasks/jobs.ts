import type { Db } from '../../../lib/db.ts';
import type { JobHandler, Queue } from '../../../lib/queue.ts';
import { crmReadyJob } from '../../crm/schema.ts';
import { tasksPayload } from '../../promises/schema.ts';
import { requestTasks } from '../../promises/service.ts';
import type { Deps } from '../notes/jobs.ts';
import { planNotes, requestNotes } from '../notes/service.ts';
import { type OutboxDeps, OutboxWaits, secondsToNextTry, sweepOutbox } from '../service.ts';
import { TASKS } from './rules.ts';
import { deliverTasks, planTasks } from './service.ts';

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

/** The CRM is connected again, or more may be written to it. */
export function crmReadyHandler(deps: Deps): JobHandler {
  return async ({ data }) => {
    const owner = crmReadyJob.parse(data);
    await planNotes(deps, { ...owner, retriesHeld: true });
    await planTasks(deps, { ...owner, retriesHeld: true });
    await requestNotes(deps, owner);
    await requestTasks(deps, owner);
  };
}
