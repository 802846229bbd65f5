import { readdirSync } from 'node:fs';
import pg from 'pg';
import { connectionSettings, type Db, MIGRATIONS_FOLDER } from './db.ts';

/** Any number will do, as long as nothing else in the database locks it: "forenoon" on a phone's keypad. */
const LOCK_KEY = 36736666;
const MAX_WAIT_MS = 15 * 60_000;

/** Every migration that comes with this code, by file name. */
const OWN_MIGRATIONS = readdirSync(MIGRATIONS_FOLDER).filter(name => name.endsWith('.ts'));

/** Brings the schema up to date. Returns the names of the migrations that ran. Call it with the lock held. */
export async function migrateToLatest(db: Db): Promise<string[]> {
  // A killed migration may leave the library's lock behind.
  await db.migrate.forceFreeMigrationsLock();
  const [, names] = await db.migrate.latest();
  return names;
}

/** Whether the schema is as new as this code, or newer; false for none. Throws if the database does not answer. */
export async function isUpToDate(db: Db): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { exists: boolean }[] }>(
    `select to_regclass('knex_migrations') is not null as "exists"`,
  );
  if (!rows[0]?.exists) return false;
  const done = new Set(await db('knex_migrations').pluck<string[]>('name'));
  return OWN_MIGRATIONS.every(name => done.has(name));
}

/**
 * Does the work while no other release does: a second one waits for the first, a quarter of an hour at most. The lock
 * belongs to the connection, so it is released when the process is killed.
 * @param patienceMs for tests
 */
export async function withReleaseLock<T>(url: string, work: () => Promise<T>, patienceMs = MAX_WAIT_MS): Promise<T> {
  const client = new pg.Client({ ...connectionSettings(url, 'long'), application_name: 'forenoon-migrate' });
  // When the connection ends, the statement that needs it says so.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`set lock_timeout = ${Math.ceil(patienceMs)}`);
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]).catch((err: { code?: string }) => {
      throw err.code === '55P03' ? new Error('another release is still at work: try again when it has ended') : err;
    });
    return await work();
  } finally {
    await client.end();
  }
}
