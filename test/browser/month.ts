import { fillMornings } from '../../bench/support/morning.ts';
import { OVER_PLAN, TOO_FEW_MESSAGES } from '../../src/features/digests/schema.ts';
import { recordPromises } from '../../src/features/recording/repo.ts';
import { signIn } from '../support/people.ts';
import type { Service } from '../support/service.ts';

/** More than stand on one page of a conversation. */
const DAYS = 34;

/** Somebody for whom a digest was written every day for more than a month, and not for everybody today. */
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
  await recordPromises(db, { userId: user_id, digestIds: quiet, now: new Date() });
}
