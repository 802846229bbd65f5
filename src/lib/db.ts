import { fileURLToPath } from 'node:url';
import knex, { type Knex } from 'knex';
import type { Client } from 'pg';
import { acquireMs, connectionSettings, isSilence, type Patience } from './dbPatience.ts';

/** A database connection pool or a transaction on it: whoever takes one does not care which. */
export type Db = Knex;

/** The folder of the migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * @param options.pool how many connections at the most (default 8)
 * @param options.patience how long statements may take (default `job`)
 */
export function createDatabase(url: string, options: { pool?: number; patience?: Patience } = {}): Db {
  const { pool = 8, patience = 'job' } = options;
  const connections = new Map<unknown, Client>();
  const db = knex({
    client: 'pg',
    connection: { ...connectionSettings(url, patience), application_name: 'forenoon' },
    pool: { min: 0, max: pool, afterCreate: rememberIn(connections) },
    // Its warnings would go to the console past the log; what they say is thrown as well.
    log: { warn: () => undefined },
    acquireConnectionTimeout: acquireMs(patience),
    migrations: { directory: MIGRATIONS, extension: 'ts', loadExtensions: ['.ts'] },
  });
  // The pool would hand out the silent connection again, with a statement in front of the next one.
  db.on('query-error', (err: unknown, query: { __knexUid?: unknown }) => {
    if (isSilence(err)) hangUp(connections.get(query.__knexUid));
  });
  return db;
}

type Pooled = Client & { __knexUid?: unknown };

function rememberIn(connections: Map<unknown, Client>) {
  return (connection: Pooled, done: (err: unknown, connection: Client) => void) => {
    connections.set(connection.__knexUid, connection);
    connection.once('end', () => connections.delete(connection.__knexUid));
    done(null, connection);
  };
}

/** Without a farewell, which would wait for the statement before it. */
function hangUp(connection: (Client & { connection?: { stream?: { destroy(): void } } }) | undefined): void {
  connection?.connection?.stream?.destroy();
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
