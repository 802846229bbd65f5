import { fileURLToPath } from 'node:url';
import knex, { type Knex } from 'knex';
import type { Client } from 'pg';
import { acquireMs, connectionSettings, isSilence, type Patience } from './dbTimeouts.ts';

/** A database connection pool or a transaction on it: whoever takes one does not care which. */
export type Db = Knex;

/** The folder of the migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * @param options.pool the maximum number of connections (default 8)
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
  // The pool would hand out the silent connection again, and the next statement would queue behind the stuck one.
  db.on('query-error', (err: unknown, query: { __knexUid?: unknown }) => {
    if (!isSilence(err)) return;
    const silent: (Client & { connection?: { stream?: { destroy(): void } } }) | undefined = connections.get(
      query.__knexUid,
    );
    // Without saying goodbye, which would wait for the statement before it.
    silent?.connection?.stream?.destroy();
  });
  return db;
}

function rememberIn(connections: Map<unknown, Client>) {
  return (connection: Client & { __knexUid?: unknown }, done: (err: unknown, connection: Client) => void) => {
    connections.set(connection.__knexUid, connection);
    connection.once('end', () => connections.delete(connection.__knexUid));
    done(null, connection);
  };
}

/** Selects rows older than `before` (YYYY-MM-DD for a column of days), at most `limit` per statement. */
export type Sweep = { before: Date | string; limit: number };

/**
 * Deletes the older rows of a table, except those locked at this moment, so that several processes can do the same
 * side by side. Returns how many it deleted.
 * @param rows.key the primary key
 * @param rows.column the column that tells how old a row is
 * @param rows.only narrows down and orders the old rows
 */
export async function deleteOlder(
  db: Db,
  table: string,
  { key, column, only = () => undefined }: { key: string[]; column: string; only?: (old: Knex.QueryBuilder) => void },
  { before, limit }: Sweep,
): Promise<number> {
  const old = db(table).where(column, '<', before).modify(only).limit(limit).forUpdate().skipLocked().select(key);
  return db(table).withMaterialized('found', old).whereIn(key, db('found').select(key)).delete();
}
