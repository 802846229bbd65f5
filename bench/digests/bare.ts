import { parseCookie } from 'cookie';
import express from 'express';
import { jwtVerify } from 'jose';
import pg from 'pg';

/*
 * The same answer with nothing around it: Express, pg, the same check of the cookie and the same SQL.
 */

const { DATABASE_URL, SESSION_SECRET = '', PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 8 });
const key = new TextEncoder().encode(SESSION_SECRET);

const SESSION = `
  select user_sessions.user_id, users.email, users.name, user_sessions.expires_at
  from user_sessions join users on users.id = user_sessions.user_id
  where user_sessions.id = $1 and user_sessions.user_id = $2 and user_sessions.expires_at > $3`;

const DIGESTS = `
  select digests.id, digests.dialog_id, to_char(digests.digest_date, 'YYYY-MM-DD') as digest_date,
    digests.message_count, digests.status as writing, derived.status, digests.summary, digests.structured, digests.engine, digests.reason,
    digests.last_message_at, digests.covered_by, dialogs.peer_name, dialogs.peer_username, dialogs.peer_phone,
    dialogs.peer_type
  from digests join dialogs on dialogs.id = digests.dialog_id
    cross join lateral digest_status(digests.id, digests.status) as derived
  where digests.user_id = $1
  order by digests.digest_date desc, (digests.summary = ''), digests.last_message_at desc nulls last, digests.id
  limit $2`;

const app = express();
app.get('/api/digests', async (req, res) => {
  const token = parseCookie(req.headers.cookie ?? '')['authjs.session-token'] ?? '';
  const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] });
  const session = await pool.query({ name: 'session', text: SESSION, values: [payload.sid, payload.sub, new Date()] });
  if (session.rows.length === 0) throw new Error('not signed in');
  const { rows } = await pool.query({ name: 'digests', text: DIGESTS, values: [payload.sub, 50] });
  res.json({
    digests: rows.map(row => ({
      id: row.id,
      digestDate: `${row.digest_date}T00:00:00.000Z`,
      messageCount: row.message_count,
      status: row.status,
      summary: row.summary,
      structuredData: {
        topics: row.structured.topics,
        action_items: row.structured.actionItems,
        sentiment: row.structured.sentiment,
        urgency: row.structured.urgency,
      },
      dialog: { peerName: row.peer_name, peerUsername: row.peer_username },
    })),
  });
});
app.listen(Number(PORT), '127.0.0.1');
