import type { ChangeInput } from '../../src/features/promises/schema.ts';
import { changeMany } from '../../src/features/promises/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Stage } from '../crm/stage.ts';

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

/** Decides about a part of the promises, each once, and writes down what that comes to. Returns how many. */
export async function decideAtRandom(stage: Stage, expected: Map<string, string>): Promise<number> {
  const { ground, queue, userId, crm } = stage;
  const rows = await ground.db('outbox_tasks').whereNotNull('crm_id').select('promise_id', 'crm_id');
  const taskIds = new Map<string, string>(rows.map(row => [row.promise_id, row.crm_id]));
  let count = 0;
  for (const [id, state] of expected) {
    if (Math.random() > SHARE) continue;
    const choices = DECISIONS[state] ?? [];
    const decision = choices[Math.floor(Math.random() * choices.length)];
    const taskId = taskIds.get(id);
    if (!decision || (decision.there && taskId === undefined)) continue;
    if (decision.here) {
      await changeMany({ db: ground.db, queue, clock: systemClock }, { userId, ids: [id], change: decision.here });
    } else crm.updateTask(taskId ?? '', { hs_task_status: decision.there ?? '' });
    expected.set(id, decision.to);
    count++;
  }
  return count;
}
