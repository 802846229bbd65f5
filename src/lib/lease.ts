import { randomUUID } from 'node:crypto';
import type { Db } from './db.ts';
import type { Log } from './log.ts';

/** The exclusive right of one process to something, until it is freed or not renewed for `seconds`. */
export type Lease = { name: string; holder: string; seconds: number };

/** Takes one of these names that is free by the database's clock. Undefined if none is, or another was faster. */
export async function takeLease(db: Db, names: readonly string[], seconds: number): Promise<Lease | undefined> {
  const holder = randomUUID();
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `insert into leases as held (name, holder, held_until)
     select name, :holder, clock_timestamp() + :seconds * interval '1 second'
     from unnest(:names::text[]) as wanted (name)
     where not exists (
       select from leases other where other.name = wanted.name and other.held_until > clock_timestamp())
     order by random() limit 1
     on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
       where held.held_until <= clock_timestamp()
     returning held.name`,
    { names: [...names], holder, seconds },
  );
  return rows[0] && { ...rows[0], holder, seconds };
}

/** Extends the lease to `seconds` from now. False if this holder no longer has it. */
export async function renewLease(db: Db, { name, holder, seconds }: Lease): Promise<boolean> {
  const until = db.raw(`clock_timestamp() + ? * interval '1 second'`, [seconds]);
  return (await db('leases').where({ name, holder }).update({ held_until: until })) === 1;
}

type LeaseDeps = { db: Db; log: Pick<Log, 'warn'> };

/** Frees the lease, unless another process has taken it. Failures are only logged, as the lease expires by itself. */
export async function freeLease({ db, log }: LeaseDeps, { name, holder }: Lease): Promise<void> {
  const freeing = db('leases').where({ name, holder }).delete();
  await freeing.catch(err => log.warn({ err, lease: name }, 'lease not released'));
}

/** Does the work alone among all processes. `isHeld: false`, with nothing done, while another has the lease. */
export async function withLease<T>(deps: LeaseDeps, name: string, seconds: number, work: () => Promise<T>) {
  const lease = await takeLease(deps.db, [name], seconds);
  if (!lease) return { isHeld: false } as const;
  try {
    return { isHeld: true, result: await work() } as const;
  } finally {
    await freeLease(deps, lease);
  }
}

export async function isLeaseFree(db: Db, name: string): Promise<boolean> {
  return !(await db('leases').where({ name }).whereRaw('held_until > clock_timestamp()').first('name'));
}

/**
 * Renews a lease until the function that it returns is called.
 * @param options.isWanted asked at each renewal
 * @param options.onLost called, perhaps more than once: with true when it is wanted, and another's or not renewed in time,
 *   with false when it is no longer wanted
 */
export function keepLease(
  { db, log }: LeaseDeps,
  lease: Lease,
  {
    isWanted = async () => true,
    onLost = () => {},
  }: { isWanted?(): Promise<boolean>; onLost?(isWanted: boolean): void } = {},
): () => void {
  const heldMs = lease.seconds * 1000;
  let isStopped = false;
  // Also runs out while a renewal hangs, as a database that doesn't respond may for longer than the lease is held.
  let expiring = setTimeout(onLost, heldMs, true);
  let isRenewing = false;
  const renew = async () => {
    if (isRenewing) return;
    isRenewing = true;
    const begunAt = performance.now();
    try {
      const isHeld = await renewLease(db, lease);
      // Freed meanwhile, it is not lost.
      if (isStopped) return;
      if (!isHeld) return onLost(true);
      clearTimeout(expiring);
      expiring = setTimeout(onLost, heldMs - (performance.now() - begunAt), true);
      if (!(await isWanted()) && !isStopped) onLost(false);
    } catch (err) {
      log.warn({ err, lease: lease.name }, 'lease not renewed, or not known whether it is wanted');
    } finally {
      isRenewing = false;
    }
  };
  const renewing = setInterval(renew, heldMs / 6);
  return () => {
    isStopped = true;
    clearInterval(renewing);
    clearTimeout(expiring);
  };
}
