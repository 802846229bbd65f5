import { type Db, toColumns, type UserKey } from '../../../lib/db.ts';
import { type Alert, alertRow, type StoredAlert } from './schema.ts';

/** Alerts of the same kind and moment. */
export type CountedAlert = { alert: Alert; key: string; count: number; at: Date };

export async function findNewest(db: Db, key: string): Promise<StoredAlert | undefined> {
  const row = await db('alerts').where({ kind_key: key }).orderBy('due_at', 'desc').first();
  return row && alertRow.parse(row);
}

export async function insertAlert(
  db: Db,
  { alert, key, count, at }: CountedAlert,
  place: { isRepeat: boolean; dueAt: Date },
): Promise<void> {
  const { isRepeat, dueAt } = place;
  const row = { ...alert, about: JSON.stringify(alert.about), kindKey: key, count, isRepeat, dueAt };
  await db('alerts').insert(toColumns({ ...row, firstAt: at, lastAt: at }));
}

/** Adds repeats to a waiting alert. False if that alert may be on its way already. */
export async function joinAlert(db: Db, id: string, { alert, count, at }: CountedAlert): Promise<boolean> {
  const joined = await db('alerts')
    .where({ id, state: 'waiting' })
    .where(unsent => unsent.where('due_at', '>', at).orWhere('tries', '>', 0))
    .update({ count: db.raw('count + ?', [count]), about: JSON.stringify(alert.about), last_at: at });
  return joined === 1;
}

/** The oldest due alert. None while the line is held. */
export async function findDueAlert(db: Db, now: Date): Promise<StoredAlert | undefined> {
  const waiting = () => db('alerts').where({ state: 'waiting' });
  const row = await waiting()
    .where('due_at', '<=', now)
    .whereNotExists(waiting().where('held_until', '>', now))
    .orderBy(['due_at', 'first_at'])
    .first();
  return row && alertRow.parse(row);
}

export async function settleAlert(db: Db, id: string, end: { state: 'sent' | 'logged' | 'refused'; now: Date }) {
  await db('alerts').where({ id }).update({ state: end.state, settled_at: end.now, held_until: null });
}

/** Puts back an unsent alert. Nothing else is sent until then, either. */
export async function holdAlert(db: Db, id: string, until: Date): Promise<void> {
  await db('alerts')
    .where({ id })
    .update({ held_until: until, tries: db.raw('tries + 1') });
}

/** The newest alerts first. */
export async function listAlerts(db: Db, { limit }: { limit: number }): Promise<StoredAlert[]> {
  const rows = await db('alerts').orderBy('last_at', 'desc').limit(limit);
  return rows.map(row => alertRow.parse(row));
}

export async function countAlertsSince(db: Db, since: Date): Promise<Record<string, number>> {
  const rows: { level: string; times: string }[] = await db('alerts')
    .where('last_at', '>=', since)
    .groupBy('level')
    .select('level')
    .sum({ times: 'count' });
  return Object.fromEntries(rows.map(row => [row.level, Number(row.times)]));
}

/** Deletes the alerts about a deleted account, which have its id alone or as part of job ids. */
export async function deleteAlertsAbout(db: Db, { userId }: UserKey): Promise<number> {
  return db('alerts').whereRaw('position(? in about::text) > 0', [userId]).delete();
}
