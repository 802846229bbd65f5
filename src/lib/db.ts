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

/** What is older than `before` (a YYYY-MM-DD for a column of days), in one statement `limit` rows at the most. */
export type Sweep = { before: Date | string; limit: number };

/**
 * Deletes the rows of a table that are older and not locked at this moment, so that several processes can do
 * the same side by side. Returns how many.
 * @param rows.key the primary key
 * @param rows.column what tells how old a row is
 * @param rows.only which of the old ones, and in which order
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
