import { z } from 'zod';
import { type Db, rowReader } from '../../../lib/db.ts';

/** How far a new user has come; connections and choices are stored by their own features. */
const firstRun = z.object({ crmLaterAt: z.date().nullable(), finishedAt: z.date().nullable() });
const firstRunRow = rowReader(firstRun);
export type FirstRun = z.output<typeof firstRun>;

/** Undefined for a user who never saw the first of the three steps. */
export async function findFirstRun(db: Db, userId: string): Promise<FirstRun | undefined> {
  const row = await db('onboardings').where({ user_id: userId }).first();
  return row && firstRunRow.parse(row);
}

/** Returns how far the user has come; begins onboarding if it hadn't begun. */
export async function beginFirstRun(db: Db, userId: string, now: Date): Promise<FirstRun> {
  await db('onboardings').insert({ user_id: userId, begun_at: now }).onConflict('user_id').ignore();
  return (await findFirstRun(db, userId)) ?? { crmLaterAt: null, finishedAt: null };
}

export async function setCrmLater(db: Db, userId: string, now: Date): Promise<void> {
  await db('onboardings').where({ user_id: userId }).whereNull('crm_later_at').update({ crm_later_at: now });
}

export async function finishFirstRun(db: Db, userId: string, now: Date): Promise<void> {
  await db('onboardings').where({ user_id: userId }).whereNull('finished_at').update({ finished_at: now });
}
