import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/lib/db.ts';

export const PAGES = ['/api/digests', '/today'] as const;
export type Page = (typeof PAGES)[number];
/** Milliseconds of each answer. */
export type Answers = Record<Page, number[]>;

export type Visitor = { url: string; cookie: string };

/** A visitor signed in at the web process, with 60 digests of a week. */
export async function visitor(db: Db, url: string): Promise<Visitor> {
  const answer = await fetch(`${url}/api/auth/callback/dev-credentials`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'visitor@example.com' }),
    redirect: 'manual',
  });
  await db.raw(`
    with account as (
      insert into messenger_accounts (user_id, messenger_user_id, status, connected_at)
      select id, '1', 'inactive', now() from users where email = 'visitor@example.com' returning id, user_id
    ), conversation as (
      insert into dialogs (user_id, account_id, peer_id, peer_type, peer_kind, peer_key, peer_name)
      select user_id, id, n::text, 'user', 'user', n::text, 'Person ' || n from account, generate_series(1, 10) n
      returning id, user_id
    )
    insert into digests (user_id, dialog_id, digest_date, status, message_count, after_message_id, last_message_id,
                         last_message_at, summary, structured, engine)
    select user_id, id, current_date - day, 'COMPLETE', 18, 0, 18, now() - day * interval '1 day',
      repeat('Procurement moved the deadline up to Monday. ', 5),
      '{"topics": ["Renewal"], "actionItems": [], "sentiment": "positive", "urgency": "high", "meetings": [],
        "introductions": [], "dealSignals": [], "links": [], "language": "en"}', 'built-in'
    from conversation, generate_series(0, 5) day`);
  return { url, cookie: String(answer.headers.get('set-cookie')).split(';')[0] ?? '' };
}

/** Requests the pages in turns, one at a time, until stopped. */
export async function visit({ url, cookie }: Visitor, isOver: () => boolean, pauseMs = 20): Promise<Answers> {
  const answers: Answers = { '/api/digests': [], '/today': [] };
  while (!isOver()) {
    for (const page of PAGES) {
      const began = performance.now();
      const answer = await fetch(`${url}${page}`, { headers: { cookie }, redirect: 'manual' });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${page} answers ${answer.status}`);
      answers[page].push(performance.now() - began);
      await sleep(pauseMs);
    }
  }
  return answers;
}

/** Returns the quantile of this share. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
