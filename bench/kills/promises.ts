import type { ChangeInput } from '../../src/features/promises/schema.ts';
import { changeMany } from '../../src/features/promises/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { addDays, localDay } from '../../src/lib/timezones.ts';
import type { Stage } from './stage.ts';

const SHARE = 0.3;

type Decision = { here?: ChangeInput; there?: 'COMPLETED' | 'NOT_STARTED'; to: string };

/** What can be decided about a promise in a state: here, or at its task in the CRM. */
const DECISIONS: Record<string, Decision[]> = {
  open: [
    { here: { action: 'done' }, to: 'done' },
    { there: 'COMPLETED', to: 'done' },
    { there: 'COMPLETED', to: 'done' },
    { here: { action: 'cancel' }, to: 'cancelled' },
    { here: { action: 'dismiss' }, to: 'dismissed' },
    { here: { action: 'move', dueDate: '2099-02-06' }, to: 'open' },
    { here: { action: 'snooze', until: '2099-03-07' }, to: 'snoozed' },
  ],
  snoozed: [
    { there: 'COMPLETED', to: 'done' },
    { here: { action: 'reopen' }, to: 'open' },
  ],
  done: [
    { here: { action: 'reopen' }, to: 'open' },
    { there: 'NOT_STARTED', to: 'open' },
  ],
  cancelled: [{ here: { action: 'reopen' }, to: 'open' }],
  dismissed: [{ here: { action: 'reopen' }, to: 'open' }],
};

/** The item ids of promises that no digest says. */
const ITEM = 'bench';

/** Adds promises of the user's own to each linked conversation, due on the days to come: their states by id. */
export async function addPromises({ ground: { db }, userIds }: Stage, each: number): Promise<Map<string, string>> {
  const today = localDay(new Date(), 'UTC');
  const dialogs = await db('dialogs').whereIn('user_id', userIds).whereNot('crm_contact_id', '').select('id', 'user_id');
  const rows = dialogs.flatMap(({ id, user_id }) =>
    Array.from({ length: each }, (_, n) => ({
      ...{ user_id, dialog_id: id, item_id: `${ITEM}-${n}`, direction: 'mine', words: `Promise ${n}` },
      ...{ first_said_on: today, last_said_on: today, due_date: addDays(today, n + 1), changed_at: new Date() },
    })),
  );
  await db.batchInsert('promises', rows);
  const ids: string[] = await db('promises').where('item_id', 'like', `${ITEM}-%`).pluck('id');
  return new Map(ids.map(id => [id, 'open']));
}

/** Decides about a part of the promises, each once, and writes down what that comes to. Returns how many. */
export async function decideAtRandom(stage: Stage, expected: Map<string, string>): Promise<number> {
  const { ground, queue, crm } = stage;
  const rows = await ground
    .db('promises')
    .leftJoin('outbox_tasks', 'promise_id', 'promises.id')
    .whereIn('promises.id', [...expected.keys()])
    .select('promises.id', 'promises.user_id as userId', 'crm_id as taskId');
  let count = 0;
  for (const { id, userId, taskId } of rows) {
    if (Math.random() > SHARE) continue;
    const choices = DECISIONS[expected.get(id) ?? ''] ?? [];
    const decision = choices[Math.floor(Math.random() * choices.length)];
    if (!decision || (decision.there && !taskId)) continue;
    if (decision.here) {
      await changeMany({ db: ground.db, queue, clock: systemClock }, { userId, ids: [id], change: decision.here });
    } else crm.updateTask(taskId, { hs_task_status: decision.there ?? '' });
    expected.set(id, decision.to);
    count++;
  }
  return count;
}
