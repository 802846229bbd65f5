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

/** People called `person1@example.com` and so on, each with one account and as many conversations. */
export async function fillConversations(db: Db, { people, conversations }: { people: number; conversations: number }) {
  await db.raw(`insert into users (email) select 'person' || n || '@example.com' from generate_series(1, ?::int) n`, [
    people,
  ]);
  await db.raw(`
    insert into messenger_accounts (user_id, messenger_user_id, status, connected_at)
    select id, '1', 'inactive', now() from users`);
  await db.raw(
    `
    insert into dialogs (user_id, account_id, peer_id, peer_type, peer_kind, peer_key, peer_name)
    select user_id, id, n::text, 'user', 'user', n::text, 'Person ' || n
    from messenger_accounts, generate_series(1, ?::int) n`,
    [conversations],
  );
}
