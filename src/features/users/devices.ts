import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { NotFound } from '../../lib/errors.ts';
import { isUuid } from '../../lib/uuid.ts';
import * as repo from './deviceRepo.ts';
import type { Device } from './schema.ts';

/** Written down at most this often: a request should not cost a write. */
const SEEN_AGAIN_MS = 3_600_000;

/** Where the person is signed in now, the device used last first. */
export async function listDevices(deps: { db: Db; clock: Clock }, { userId }: { userId: string }): Promise<Device[]> {
  return repo.listDevices(deps.db, { userId, now: deps.clock.now() });
}

/** For every request of somebody signed in; writes at most once an hour. */
export async function noteSeen(
  deps: { db: Db; clock: Clock },
  session: { userId: string; id: string; lastSeenAt: Date },
): Promise<void> {
  const now = deps.clock.now();
  if (now.getTime() - session.lastSeenAt.getTime() < SEEN_AGAIN_MS) return;
  await repo.setLastSeen(deps.db, { userId: session.userId, id: session.id, now });
}

/** Signs one device out at once. Throws NotFound for an unknown one and for somebody else's. */
export async function endDevice(deps: { db: Db }, { userId, id }: { userId: string; id: string }): Promise<void> {
  const ended = isUuid(id) && (await repo.deleteDevice(deps.db, { userId, id }));
  if (!ended) throw new NotFound('device');
}

/** Signs the person out everywhere at once, here too. Returns how many devices that were. */
export async function endAllDevices(deps: { db: Db }, { userId }: { userId: string }): Promise<number> {
  return repo.deleteAllDevices(deps.db, { userId });
}

/** @param name 1 to 100 characters, from the next request on everywhere */
export async function changeName(deps: { db: Db }, { userId, name }: { userId: string; name: string }): Promise<void> {
  await repo.setName(deps.db, { userId, name });
}
