import type { Db } from '../../../lib/db.ts';

type Lease = { holder: string; leaseMs: number };

/** Takes a free slot, or one whose lease ran out. Returns its number; undefined if none is or another was faster. */
export async function takeSlot(db: Db, { most, ...lease }: Lease & { most: number }): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { place: number }[] }>(
    `insert into ai_places as held (place, holder, held_until)
     select place, :holder, clock_timestamp() + :leaseMs * interval '1 ms'
     from generate_series(1, :most::int) place
     where not exists (
       select from ai_places other where other.place = place.place and other.held_until > clock_timestamp())
     order by random() limit 1
     on conflict (place) do update set holder = excluded.holder, held_until = excluded.held_until
       where held.held_until <= clock_timestamp()
     returning held.place`,
    { most, ...lease },
  );
  return rows[0]?.place;
}

/** Renews slots that the process still uses: one it couldn't free must run out. */
export async function renewSlots(db: Db, { slots, ...lease }: Lease & { slots: number[] }): Promise<void> {
  await db.raw(
    `update ai_places set held_until = clock_timestamp() + :leaseMs * interval '1 ms'
     where holder = :holder and place = any(:slots)`,
    { slots, ...lease },
  );
}

/** Does nothing to a slot that another process has taken since. */
export async function freeSlot(db: Db, { holder, slot }: { holder: string; slot: number }): Promise<void> {
  await db('ai_places').where({ holder, place: slot }).delete();
}
