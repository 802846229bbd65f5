import type { ChangeInput } from '../../src/features/promises/schema.ts';
import { changeMany } from '../../src/features/promises/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Stage } from '../crm/stage.ts';
import { print } from '../support/ground.ts';

/** The calls with which a sync looks up its conversations, whether there are tasks or not. */
const READ_BY_THE_SYNC: Record<string, number> = { 'contacts.batchRead': 1 };

/**
 * Creates, moves, completes, reopens, archives and recreates all tasks, undisturbed. Prints the calls of each kind
 * against a hundred tasks per call, and one more call. Returns whether none took more.
 */
export async function calmCalls(
  stage: Stage,
  promises: readonly string[],
  sync: () => Promise<unknown>,
): Promise<boolean> {
  const { ground, queue, userId, crm } = stage;
  const most = Math.floor(promises.length / 100) + 1;
  let isGood = true;
  const step = async (name: string, change?: ChangeInput) => {
    crm.resetCalls();
    for (let from = 0; change && from < promises.length; from += 500) {
      const ids = promises.slice(from, from + 500);
      await changeMany({ db: ground.db, queue, clock: systemClock }, { userId, ids, change });
    }
    await sync();
    const calls = Object.entries(crm.calls()).filter(([kind]) => /^(tasks|contacts|associations)\./.test(kind));
    print(
      `${name.padEnd(12)} at most ${most} of a kind: ${calls.map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
    );
    isGood = calls.every(([kind, count]) => count <= most + (READ_BY_THE_SYNC[kind] ?? 0)) && isGood;
  };
  await step('created');
  await step('nothing new');
  await step('moved', { action: 'move', dueDate: '2099-01-05' });
  await step('completed', { action: 'done' });
  await step('opened', { action: 'undo' });
  await step('archived', { action: 'dismiss' });
  await step('again', { action: 'undo' });
  return isGood;
}
