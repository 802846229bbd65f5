import type { Db } from '../../lib/db.ts';
import { type Device, deviceRow } from './schema.ts';

/** Sessions that last, the one used last first. */
export async function listDevices(db: Db, { userId, now }: { userId: string; now: Date }): Promise<Device[]> {
  const rows = await db('user_sessions')
    .where({ user_id: userId })
    .where('expires_at', '>', now)
    .orderBy([
      { column: 'last_seen_at', order: 'desc' },
      { column: 'created_at', order: 'desc' },
    ]);
  return rows.map(row => deviceRow.parse(row));
}

export async function setLastSeen(db: Db, session: { userId: string; id: string; now: Date }): Promise<void> {
  await db('user_sessions').where({ user_id: session.userId, id: session.id }).update({ last_seen_at: session.now });
}

/** False for an unknown one and for somebody else's. */
export async function deleteDevice(db: Db, { userId, id }: { userId: string; id: string }): Promise<boolean> {
  return (await db('user_sessions').where({ user_id: userId, id }).delete()) === 1;
}

export async function deleteAllDevices(db: Db, { userId }: { userId: string }): Promise<number> {
  return db('user_sessions').where({ user_id: userId }).delete();
}

export async function setName(db: Db, { userId, name }: { userId: string; name: string }): Promise<void> {
  await db('users').where({ id: userId }).update({ name });
}
