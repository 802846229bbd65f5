import pg from 'pg';

/** Kills all connections, as a restart of the database does. Returns how many. */
export async function killBackends(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await client.end();
  return rowCount ?? 0;
}

/** Locks the digests table: queries wait until the returned function is called. */
export async function lockDigests(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query('lock table digests in access exclusive mode');
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}
