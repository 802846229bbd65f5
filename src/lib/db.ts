import { fileURLToPath } from 'node:url';
import knex, { type Knex } from 'knex';

/** A database connection pool or a transaction on it: whoever takes one does not care which. */
export type Db = Knex;

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** @param pool how many connections at the most (default 8) */
export function createDatabase(url: string, options: { pool?: number } = {}): Db {
  return knex({
    client: 'pg',
    connection: { connectionString: url, application_name: 'forenoon' },
    pool: { min: 0, max: options.pool ?? 8 },
    // Its warnings would go to the console past the log; what they say is thrown as well.
    log: { warn: () => undefined },
    acquireConnectionTimeout: 15_000,
    migrations: { directory: MIGRATIONS, extension: 'ts', loadExtensions: ['.ts'] },
  });
}

/** Brings the schema up to date. Returns the names of the migrations that ran. */
export async function migrateToLatest(db: Db): Promise<string[]> {
  const [, names] = await db.migrate.latest();
  return names;
}

/**
 * Deletes the rows of a table that `found` leads to and that nobody else holds at this moment, so that several processes
 * can do the same side by side. Returns how many.
 * @param key the primary key
 * @param found which rows, and at the most how many
 */
export async function deleteFound(db: Db, table: string, key: string[], found: Knex.QueryBuilder): Promise<number> {
  return db(table)
    .withMaterialized('found', found.from(table).forUpdate().skipLocked().select(key))
    .whereIn(key, db('found').select(key))
    .delete();
}
