import { setSwitches } from '../../src/features/crm/repo.ts';
import { dayAfter, localDay } from '../../src/lib/timezones.ts';
import type { Stage } from '../crm/stage.ts';

/**
 * Replaces what the digests found with `each` promises of the user's own in each conversation, due on the days to come,
 * and links each conversation to a contact. Turns tasks on. Returns the promises' ids.
 */
export async function fillPromises({ ground: { db }, userId }: Stage, each: number): Promise<string[]> {
  await db('promises').delete();
  await db('dialogs').where({ user_id: userId }).update({ match_status: 'CONFIRMED', match_confidence: 1 });
  const today = localDay(new Date(), 'UTC');
  const dialogIds: string[] = await db('dialogs').where({ user_id: userId }).whereNot('crm_contact_id', '').pluck('id');
  const rows = dialogIds.flatMap(dialogId =>
    Array.from({ length: each }, (_, n) => ({
      ...{ user_id: userId, dialog_id: dialogId, item_id: `bench-${n}`, direction: 'mine', words: `Promise ${n}` },
      ...{ first_said_on: today, last_said_on: today, due_date: dayAfter(today, n + 1), changed_at: new Date() },
      ...{ source_message_ids: [] },
    })),
  );
  await db.batchInsert('promises', rows);
  await setSwitches(db, userId, { tasksWrite: true });
  return db('promises').where({ user_id: userId }).orderBy('id').pluck('id');
}
