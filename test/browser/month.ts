import { fillMornings } from '../../bench/support/morning.ts';
import { recordStored } from '../../bench/support/recordStored.ts';
import { OVER_PLAN, TOO_FEW_MESSAGES } from '../../src/features/digests/schema.ts';
import { signIn } from '../support/people.ts';
import type { Service } from '../support/service.ts';

/** More than are on one page of a conversation. */
const DAYS = 34;
const DAY_MS = 86_400_000;

/** Someone for whom a digest was written every day for more than a month, and not for everybody today. */
export async function settle(service: Service, email: string): Promise<void> {
  await signIn(service, email);
  const { db } = service;
  const { id: user_id } = await db('users').where({ email }).first('id');
  await fillMornings(db, user_id, { perDay: 14, days: DAYS, script: 'latin' });
  const connection = { status: 'active', portal_id: '1', credentials: 'none', connected_at: new Date() };
  await db('crm_connections').insert({ user_id, ...connection });
  const quiet = await db('digests').where({ user_id }).whereRaw('digest_date = current_date').limit(4).pluck('id');
  for (const [n, id] of quiet.entries()) {
    const reason = n % 2 === 0 ? OVER_PLAN : TOO_FEW_MESSAGES;
    await db('digests').where({ id }).update({ status: 'SKIPPED', reason, summary: '', structured: null });
  }
  await recordStored(db, { userId: user_id, digestIds: quiet, now: new Date() });
  await giveDays(service, user_id);
  const asking = await db('dialogs').where({ user_id }).orderBy('id').limit(3).pluck('id');
  const waits = asking.map((dialog_id, at) => ({
    ...{ dialog_id, user_id, message_id: 9000 + at, asked_at: new Date(Date.now() - (5 + 4 * at) * DAY_MS) },
    words: 'Asks whether the tags survive a blast freezer at −60 °C, and who signs for the pallets at the gate.',
  }));
  await db('waiting_questions').insert(waits);
}

/** Every fourth promise is for a day, and most of those of days before are kept. */
async function giveDays({ db }: Service, user_id: string): Promise<void> {
  const ids = await db('promises')
    .where({ user_id, direction: 'mine' })
    .orderBy(['first_said_on', 'dialog_id', 'item_id'])
    .pluck('id');
  const ofDays = ids.filter((_id, at) => at % 4 === 0);
  await db('promises')
    .whereIn('id', ofDays)
    .update({ due_date: db.raw('first_said_on + 2') });
  await db('promises')
    .whereIn(
      'id',
      ofDays.filter((_id, at) => at % 5 > 0),
    )
    .whereRaw('due_date < current_date')
    .update({ state: 'done', changed_by: 'person', changed_at: db.raw('due_date::timestamptz') });
}
