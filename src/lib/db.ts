import { fileURLToPath } from 'node:url';
import type { Knex } from 'knex';
import knex from 'knex';
import type { Client, ClientConfig } from 'pg';
import { z } from 'zod';
import { oncePer } from './once.ts';

/**
 * Timeouts for the database in milliseconds. The server's limits come first and leave the connection usable. As a silent
 * server enforces none, the driver has a slightly longer limit for each statement, `silence`.
 */
const TIMEOUTS_MS = {
  /** Someone waits for a page, or a program for an answer: they learn of a failure within a few seconds. */
  page: { connect: 3_000, acquire: 4_000, statement: 4_500, silence: 5_000, lock: 3_000, idle: 15_000 },
  /** Jobs, and requests that a person expects to take long. */
  job: { connect: 5_000, acquire: 15_000, statement: 30_000, silence: 35_000, lock: 10_000, idle: 60_000 },
  /** Migrations, and cleaning up old data. */
  long: { connect: 5_000, acquire: 15_000, statement: 1_800_000, silence: 1_860_000, lock: 60_000, idle: 600_000 },
} as const;

export type TimeoutProfile = keyof typeof TIMEOUTS_MS;

/** Settings of the driver, for a pool or a single connection. */
export function connectionSettings(url: string, patience: TimeoutProfile) {
  const { connect, statement, silence, lock, idle } = TIMEOUTS_MS[patience];
  return {
    connectionString: url,
    connectionTimeoutMillis: connect,
    statement_timeout: statement,
    query_timeout: silence,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: idle,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  } satisfies ClientConfig;
}

/** Whether the driver's own timeout expired. The statement is then still pending on its connection. */
const isReadTimeout = (err: unknown): boolean => err instanceof Error && err.message.endsWith('Query read timeout');

/** A database connection pool or a transaction on it: whoever takes one does not care which. */
export type Db = Knex;

/** The result of a raw SQL statement; a {@link rowReader} parses each row. */
export type Rows = { rows: unknown[] };

/** The user whose rows a statement reads or writes. */
export type UserKey = { userId: string };

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));

/** `pool`: the most connections (default 8); `patience`: the limits of statements (default `job`). */
export function createDatabase(url: string, options: { pool?: number; patience?: TimeoutProfile } = {}): Db {
  const { pool = 8, patience = 'job' } = options;
  const connections = new Map<unknown, Client>();
  const db = knex({
    client: 'pg',
    connection: { ...connectionSettings(url, patience), application_name: 'forenoon' },
    pool: { min: 0, max: pool, afterCreate: rememberIn(connections) },
    // Warnings would bypass the log; errors are thrown anyway.
    log: { warn: () => undefined },
    acquireConnectionTimeout: TIMEOUTS_MS[patience].acquire,
    migrations: { directory: MIGRATIONS_FOLDER, extension: 'ts', loadExtensions: ['.ts'] },
  });
  // The pool would hand out the silent connection again, and the next statement would queue behind the stuck one.
  db.on('query-error', (err: unknown, query: { __knexUid?: unknown }) => {
    if (!isReadTimeout(err)) return;
    const silent: (Client & { connection?: { stream?: { destroy(): void } } }) | undefined = connections.get(
      query.__knexUid,
    );
    // Destroys the socket: a graceful end would wait for the running statement.
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

/** Takes an advisory lock on a name until the transaction ends. */
export async function lockNamed(trx: Db, ...name: string[]): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 1))', [name.join(' ')]);
}

/*
 * Rows are in snake_case, values in camelCase. A schema names the properties of a value once: its type, the check of each
 * row and the names of the columns come from there, so that no column is forgotten on the way.
 */

/** `last_message_at` is `lastMessageAt`. */
export const toCamelCase = oncePer((column: string) =>
  column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
);

/** `lastMessageAt` is `last_message_at`. */
export function toSnakeCase(property: string): string {
  return property.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

export type RowReader<T> = {
  /** Throws ZodError. */
  parse(row: unknown): T;
  /** The columns for these properties, under the names they are read by. */
  columns(value: object): Record<string, unknown>;
};

/**
 * Reads rows by a schema of the values they become; columns it does not name are left out.
 * @param renamed columns to properties, where their names differ; wins over a column that has the property's name
 */
export function rowReader<S extends z.ZodType>(schema: S, renamed: Record<string, string> = {}): RowReader<z.output<S>> {
  const compiled = z.compile(schema);
  const columnOf = Object.fromEntries(Object.entries(renamed).map(([column, property]) => [property, column]));
  return {
    columns: value => toColumns(value, columnOf),
    parse(row) {
      const value: Record<string, unknown> = {};
      const columns: [string, unknown][] = Object.entries(Object(row));
      for (const [column, content] of columns) value[toCamelCase(column)] = content;
      for (const [column, content] of columns) if (renamed[column]) value[renamed[column]] = content;
      return compiled.parse(value);
    },
  };
}

/** A row's columns for these properties, without undefined ones. @param columnOf where the names differ */
export function toColumns(value: object, columnOf: Record<string, string> = {}): Record<string, unknown> {
  const defined = Object.entries(value).filter(([, content]) => content !== undefined);
  return Object.fromEntries(defined.map(([property, content]) => [columnOf[property] ?? toSnakeCase(property), content]));
}

/** Postgres stores no NUL and no unpaired surrogate; what the messenger, the CRM or a model says may hold one. */
export function toStorableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === 'string' ? part.replaceAll('\0', '').toWellFormed() : part));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether `text` may be compared with a uuid column; Postgres fails on anything else. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Errors of Node, about the connection to the server. */
const NETWORK_ERROR = /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)UNREACH|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)$/;

/**
 * Errors of the server: connections (08), resources (53), ended by an operator or a limit (57), the system (58), a
 * deadlock or a race between transactions (40), a lock not granted in time (55P03), a transaction left idle (25P03).
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const SERVER_ERROR = /^(08...|53...|57...|58...|40001|40P01|55P03|25P03)$/;

/** Errors of the driver and the pool, which have no code. The query builder puts its statement in front. */
const DRIVER_ERROR =
  /(?:^| - )(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable|Connection ended unexpectedly|Knex: Timeout acquiring a connection)/;

/**
 * Whether the database or the connection to it failed, rather than the request itself, which may work later. Clients of
 * other services turn network errors into ClientErrors, so that those are never taken for the database's.
 */
export function isDatabaseFailure(err: unknown): boolean {
  if (!(err instanceof Error)) return false;
  const code = 'code' in err && typeof err.code === 'string' ? err.code : '';
  if ('severity' in err) return SERVER_ERROR.test(code);
  return NETWORK_ERROR.test(code) || DRIVER_ERROR.test(err.message);
}
