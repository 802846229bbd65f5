import { z } from 'zod';
import type { Stage } from '../crm/stage.ts';
import type { Breaches } from '../crm/verdict.ts';
import { print } from '../support/ground.ts';

const rowsOf = z.array(
  z.object({
    id: z.string(),
    state: z.string(),
    crm_id: z.string().nullable(),
    due: z.date(),
    contact: z.string(),
  }),
);

/** Compares the promises with what was decided, and the tasks of the CRM with the promises. */
export async function taskBreaches(stage: Stage, expected: ReadonlyMap<string, string>): Promise<Breaches> {
  const { rows } = await stage.ground.db.raw(`
    select p.id, p.state, t.crm_id, dialogs.crm_contact_id as contact,
      (greatest(p.due_date, p.snoozed_until) + time '09:00') at time zone 'UTC' as due
    from promises p join dialogs on dialogs.id = p.dialog_id left join outbox_tasks t on t.promise_id = p.id`);
  const promises = rowsOf.parse(rows);
  const byPromise = Map.groupBy(stage.crm.tasks(), ({ body }) => /#p-([0-9a-f-]{36})/.exec(body)?.[1] ?? 'none');
  const told = promises.map(promise => ({ promise, tasks: byPromise.get(promise.id) ?? [] }));
  const live = told.filter(({ promise: { state } }) => ['open', 'snoozed', 'done'].includes(state));
  const gone = told.filter(({ promise: { state } }) => ['cancelled', 'dismissed'].includes(state));
  const known = new Set(promises.map(({ id }) => id));
  print(`${promises.length} promises, ${live.length} of them to have a task, ${stage.crm.tasks().length} tasks`);
  return {
    'promises without a task': live.filter(({ tasks }) => tasks.length === 0).length,
    'promises with two tasks or more': told.filter(({ tasks }) => tasks.length > 1).length,
    'tasks of promises that have none': gone.filter(({ tasks }) => tasks.length > 0).length,
    'tasks of nothing': [...byPromise.keys()].filter(id => !known.has(id)).length,
    'tasks under another ID than known': live.filter(({ promise, tasks }) => tasks[0]?.id !== promise.crm_id).length,
    'tasks on another contact': live.filter(({ promise, tasks }) => tasks[0]?.contactIds.join() !== promise.contact)
      .length,
    'ticks lost': promises.filter(({ id, state }) => expected.get(id) === 'done' && state !== 'done').length,
    'other decisions lost': promises.filter(
      ({ id, state }) => expected.get(id) !== 'done' && state !== expected.get(id),
    ).length,
    'states that differ': live.filter(({ promise, tasks }) => tasks[0]?.isCompleted !== (promise.state === 'done'))
      .length,
    'due moments that differ': live.filter(
      ({ promise, tasks }) => promise.state !== 'done' && tasks[0]?.dueAt.getTime() !== promise.due.getTime(),
    ).length,
  };
}
