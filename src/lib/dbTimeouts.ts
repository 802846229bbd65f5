import type { ClientConfig } from 'pg';

/**
 * How long to wait for the database, in milliseconds. The server's own limits come first and leave the connection
 * usable; it enforces none while it is silent or cut off, so our side has the same limit, only a little longer.
 */
const LIMITS = {
  /** Someone waits for a page, or a program for an answer: they learn of a failure within a few seconds. */
  page: { connect: 3_000, acquire: 4_000, statement: 4_500, silence: 5_000, lock: 3_000, idle: 15_000 },
  /** Jobs, and requests that a person expects to take long. */
  job: { connect: 5_000, acquire: 15_000, statement: 30_000, silence: 35_000, lock: 10_000, idle: 60_000 },
  /** Migrations, and cleaning up old data. */
  long: {
    ...{ connect: 5_000, acquire: 15_000, statement: 1_800_000, silence: 1_860_000, lock: 60_000, idle: 600_000 },
  },
} as const;

export type Patience = keyof typeof LIMITS;

/** How long a pool may take to give a connection. */
export function acquireMs(patience: Patience): number {
  return LIMITS[patience].acquire;
}

/** Settings of the driver, for a pool or a single connection. */
export function connectionSettings(url: string, patience: Patience) {
  const { connect, statement, silence, lock, idle } = LIMITS[patience];
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

/** Whether the driver gave up on a silent server. The statement is still pending on that connection. */
export function isSilence(err: unknown): boolean {
  return err instanceof Error && err.message.endsWith('Query read timeout');
}
