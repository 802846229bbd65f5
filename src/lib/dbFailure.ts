/** Errors of Node, about the connection to the server. */
const NETWORK = /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)UNREACH|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)$/;

/**
 * Errors of the server: connections (08), resources (53), ended by an operator or a limit (57), the system (58), a
 * deadlock or a race between transactions (40), a lock not granted in time (55P03), a transaction left idle (25P03).
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const SERVER = /^(08...|53...|57...|58...|40001|40P01|55P03|25P03)$/;

/** Errors of the driver and the pool, which have no code. The query builder puts its statement in front. */
const DRIVER =
  /(?:^| - )(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable|Connection ended unexpectedly|Knex: Timeout acquiring a connection)/;

/**
 * Whether the database or the connection to it failed, rather than the request itself, which may work later. Clients of
 * other services turn network errors into ClientErrors, so that those are never taken for the database's.
 */
export function isDatabaseFailure(err: unknown): boolean {
  if (!(err instanceof Error)) return false;
  const code = 'code' in err && typeof err.code === 'string' ? err.code : '';
  if ('severity' in err) return SERVER.test(code);
  return NETWORK.test(code) || DRIVER.test(err.message);
}
