import { join } from 'node:path';
import pg from 'pg';

const NAME = 'forenoon';

/** The database named by DATABASE_URL, or one on a PostgreSQL of our own under the data folder. */
export async function openDatabase(options: {
  given: string | undefined;
  dataDir: string;
  say: (line: string) => void;
}): Promise<{ url: string; stop: () => Promise<void> }> {
  const { given, dataDir, say } = options;
  if (given) return { url: given, stop: async () => {} };
  const { ensureDatabase, startPostgres } = await import('./postgres.ts');
  const server = await startPostgres({ dataDir: join(dataDir, 'postgres'), durable: true, log: say });
  await ensureDatabase(server, NAME);
  return { url: server.url(NAME), stop: server.stop };
}

/** How many written digests a user has in all; the endpoint lists the newest 50. */
export async function countDigests(databaseUrl: string, email: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from digests join users on users.id = digests.user_id
        where users.email = $1 and digests.summary <> ''`,
      [email],
    );
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}
