import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Queue } from '../../../lib/queue.ts';
import { countOf, formatCount } from '../../../lib/words.ts';
import { confirmHold, findHold, type Hold } from './repo.ts';
import { CLEAN_UP_QUEUE } from './schema.ts';

/**
 * Lets the clean-up that waits go on at once. Returns what to tell the operator.
 * @param typed how many rows the operator agrees to lose; undefined to learn what waits
 */
export async function confirmCleanUp(
  { db, queue, clock }: { db: Db; queue: Queue; clock: Clock },
  typed: string | undefined,
): Promise<string> {
  const day = clock.now().toISOString().slice(0, 10);
  const hold = await findHold(db, day);
  if (!hold) return `No clean-up waits on ${day}, UTC.`;
  const rows = hold.digests + hold.promises;
  if (typed !== String(rows) || !(await confirmHold(db, hold))) return question(hold, rows);
  await queue.send(CLEAN_UP_QUEUE.name, {});
  return `Confirmed: ${formatCount(rows)} rows may be deleted on ${day}, UTC. A worker begins now.`;
}

function question({ day, digests, promises }: Hold, rows: number): string {
  const lost = `${countOf(digests, 'digest', 'digests')} and ${countOf(promises, 'promise', 'promises')}`;
  return [
    `The database says it is ${day}, UTC. The clean-up would delete ${lost} that are over a year old then.`,
    `If that is right: npm run confirm-clean-up -- ${rows}`,
  ].join('\n');
}
