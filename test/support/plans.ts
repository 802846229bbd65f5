import type { Db } from '../../src/lib/db.ts';

/** How Postgres runs the statement that `ask` sends. */
export async function planOf(db: Db, ask: () => Promise<unknown>, explain = 'explain'): Promise<string> {
  const sent: { sql: string; bindings: unknown[] }[] = [];
  const note = (query: { sql: string; bindings: unknown[] }) => sent.push(query);
  db.on('query', note);
  await ask();
  db.removeListener('query', note);
  const [statement] = sent;
  if (!statement) throw new Error('nothing was asked');
  const client = await db.client.acquireConnection();
  try {
    const { rows } = await client.query(`${explain} ${statement.sql}`, statement.bindings);
    return rows.map((row: { 'QUERY PLAN': string }) => row['QUERY PLAN']).join('\n');
  } finally {
    await db.client.releaseConnection(client);
  }
}
