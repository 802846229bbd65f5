import { readFileSync } from 'node:fs';
import { parseCookie } from 'cookie';
import express from 'express';
import { jwtVerify } from 'jose';
import pg from 'pg';
import { HAND_WRITTEN } from './handWritten.ts';
import type { Query, Recording } from './record.ts';

/*
 * The same answers with nothing around them: Express, pg, the same check of the cookie, the statement that finds the
 * session, and one written by hand that reads all the page shows. For a form the statements the service sends, side by
 * side, those of a transaction one after the other.
 */

const { DATABASE_URL, SESSION_SECRET = '', PORT, RECORDINGS = '' } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 8 });
const key = new TextEncoder().encode(SESSION_SECRET);
const recordings: Recording[] = JSON.parse(readFileSync(RECORDINGS, 'utf8'));
const byAsk = new Map(
  recordings.map(recording => [nameOf(recording.ask.method, recording.ask.path, recording.ask.isFragment), recording]),
);

const app = express();
app.use(express.urlencoded({ extended: false }));
app.use(async (req, res) => {
  const token = parseCookie(req.headers.cookie ?? '')['authjs.session-token'] ?? '';
  const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] });
  const found = byAsk.get(nameOf(req.method, req.originalUrl, req.headers['hx-request'] === 'true'));
  if (!found) return void res.status(404).end();
  const [session, ...others] = found.queries;
  if (session) await pool.query(session);
  const byHand = HAND_WRITTEN[found.ask.name];
  if (byHand) await pool.query({ name: found.ask.name, text: byHand, values: [payload.sub, found.ask.path] });
  else await Promise.all(sideBySide(others));
  res.status(found.status).type(found.type).send(found.body);
});
app.listen(Number(PORT), '127.0.0.1');

function nameOf(method: string, path: string, isFragment: boolean): string {
  return `${method} ${path} ${isFragment}`;
}

function sideBySide(queries: Query[]): Promise<unknown>[] {
  const alone = queries.filter(({ transaction }) => !transaction).map(query => pool.query(query));
  const transactions = Map.groupBy(
    queries.filter(({ transaction }) => transaction),
    ({ transaction }) => transaction,
  );
  return [...alone, ...[...transactions.values()].map(inOrder)];
}

async function inOrder(queries: Query[]): Promise<void> {
  const client = await pool.connect();
  try {
    for (const query of queries) await client.query(query);
  } finally {
    client.release();
  }
}
