/** Of Node, about the way to the server. */
const NETWORK = /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)UNREACH|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)$/;

/**
 * Of the server: connections (08), resources (53), an operator or a limit ended it (57), the system (58), a deadlock or
 * a race of transactions (40), a lock that did not come (55P03), a transaction left idle (25P03).
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const SERVER = /^(08...|53...|57...|58...|40001|40P01|55P03|25P03)$/;

/** Of the driver and the pool, which give their errors no code. The query builder puts its statement in front. */
const DRIVER =
  /(?:^| - )(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable|Connection ended unexpectedly|Knex: Timeout acquiring a connection)/;

/**
 * Whether the database, or the way to it, failed, rather than what was asked of it: the same may work later. Clients of
 * other services turn errors of the network into ClientErrors, so that those are never taken for the database's.
 */
export function isDatabaseFailure(err: unknown): boolean {
  if (!(err instanceof Error)) return false;
  const code = 'code' in err && typeof err.code === 'string' ? err.code : '';
  if ('severity' in err) return SERVER.test(code);
  return NETWORK.test(code) || DRIVER.test(err.message);
}
