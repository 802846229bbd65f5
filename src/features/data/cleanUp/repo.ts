import { type Db, deleteOlder, type Sweep } from '../../../lib/db.ts';

/** What a clean-up would delete on this day. */
export type Hold = { day: string; digests: number; promises: number };

/** True if the operator has confirmed this day's clean-up, and of at least as much. Otherwise stores what it waits with. */
export async function holdUnlessConfirmed(db: Db, { day, digests, promises }: Hold): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { is_confirmed: boolean }[] }>(
    `insert into clean_up_holds as held (day, digests, promises) values (:day, :digests, :promises)
     on conflict (day) do update set
       digests = excluded.digests, promises = excluded.promises,
       is_confirmed = held.is_confirmed and held.digests >= excluded.digests and held.promises >= excluded.promises
     returning is_confirmed`,
    { day, digests, promises },
  );
  return rows[0]?.is_confirmed ?? false;
}

/** The clean-up that waits on this day; undefined if none does. */
export async function findHold(db: Db, day: string): Promise<Hold | undefined> {
  const row = await db('clean_up_holds').where({ day, is_confirmed: false }).first('digests', 'promises');
  return row && { day, ...row };
}

/** False if it is not, or no longer, exactly this that waits. */
export async function confirmHold(db: Db, hold: Hold): Promise<boolean> {
  return (
    (await db('clean_up_holds')
      .where({ ...hold, is_confirmed: false })
      .update({ is_confirmed: true })) === 1
  );
}

export async function deleteHolds(db: Db, sweep: Sweep): Promise<number> {
  return deleteOlder(db, 'clean_up_holds', { key: ['day'], column: 'day' }, sweep);
}
