import { TASKS } from '../../src/features/outbox/tasks/rules.ts';
import { deliverTasks } from '../../src/features/outbox/tasks/service.ts';
import { type NoteWorld, refuseOtherMoves, startNotes } from './noteWorld.ts';
import { post } from './pages.ts';
import { syncNow } from './people.ts';
import { until } from './until.ts';

export type TaskWorld = NoteWorld & {
  /** The promise that Nora made to Anna, and the one to Boris. */
  toAnna: string;
  toBoris: string;
  switchTasks(on: boolean): Promise<void>;
  /** Decides about a promise, as the API takes it. */
  decide(promiseId: string, change: object): Promise<void>;
  /** As if no task had been written or were wanted. */
  forgetTasks(): Promise<void>;
  stateOf(promiseId: string): Promise<string>;
  /** What the end of a sync does, or a decision on a page without `reads`. */
  deliver(options?: { reads?: boolean }): Promise<void>;
  /** How often the CRM was called about tasks, by kind: an earlier connection may still be creating its properties. */
  taskCalls(): Record<string, number>;
  /** The row of a task. */
  rowOf(promiseId: string): Promise<Record<string, unknown> | undefined>;
};

/** Two conversations with a promise of the user in each, due tomorrow; the first is linked to contact 101, the other to 103. */
export async function startTasks(): Promise<TaskWorld> {
  const world = await startNotes();
  const { service, nora, anna, boris, userId } = world;
  await refuseOtherMoves(service.db, TASKS);
  await world.link(anna, '101');
  await world.link(boris, '103');
  await syncNow(nora);
  const promiseIn = async (dialogId: string) =>
    String((await service.db('promises').where({ dialog_id: dialogId, direction: 'mine' }).first())?.id);
  const [toAnna, toBoris] = [await promiseIn(anna), await promiseIn(boris)];
  service.crm.resetCalls();
  return {
    ...world,
    toAnna,
    toBoris,
    async switchTasks(on) {
      await post(nora, '/settings/crm', { tasksWrite: String(on) }).expect(303);
    },
    async decide(promiseId, change) {
      await nora.patch(`/api/promises/${promiseId}`).send(change).expect(200);
    },
    async forgetTasks() {
      const jobs = () => service.db('pgboss.job').whereIn('name', ['crm-connected', 'crm-ready', 'tasks']);
      // One that is at work may ask for the next.
      await until(async () => {
        await jobs().whereNot({ state: 'active' }).delete();
        return (await jobs()).length === 0;
      });
      await service.db('outbox_tasks').delete();
      for (const task of service.crm.tasks()) service.crm.archiveTask(task.id);
      service.crm.resetCalls();
    },
    stateOf: async promiseId => (await service.db('promises').where({ id: promiseId }).first()).state,
    async deliver({ reads = false } = {}) {
      // Nor does the worker, which was told of decisions, deliver at the same time.
      const jobs = () => service.db('pgboss.job').where({ name: 'tasks' });
      await jobs().whereIn('state', ['created', 'retry']).delete();
      await until(async () => (await jobs().where({ state: 'active' })).length === 0);
      await service.db('outbox_tasks').whereNull('claim').update({ claimed_until: null });
      await deliverTasks(service.worker(), { userId, reads });
    },
    taskCalls: () => Object.fromEntries(Object.entries(service.crm.calls()).filter(([kind]) => kind.startsWith('tasks.'))),
    rowOf: promiseId => service.db('outbox_tasks').where({ promise_id: promiseId }).first(),
  };
}
