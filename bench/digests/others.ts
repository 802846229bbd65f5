import type { Db } from '../../src/lib/db.ts';

const CONVERSATIONS = 10;
const DAYS = 100;
const DAYS_AT_ONCE = 10;

/** The rows of a whole service in a hundred days, without the user whose pages are measured. */
export type Others = { digests: number };

/**
 * Fills the tables with other people's rows, day by day as syncs write them, so that one person's are spread over the
 * whole table. Indexes are made afterwards and triggers left out, or five million would take an hour.
 */
export async function fillOthers(db: Db, { digests }: Others): Promise<void> {
  const people = Math.ceil(digests / CONVERSATIONS / DAYS);
  const indexes = await dropIndexes(db, ['digests', 'outbox_notes', 'sync_jobs']);
  // Folding the words of each row takes longer than everything else together, and here they are all the same.
  await db.raw('alter table digests alter column search drop expression');
  await db.transaction(async trx => {
    // The triggers and foreign keys: what they would keep up or look after is written below as it has to be.
    await trx.raw('set local session_replication_role = replica');
    await insertPeople(trx, people);
    for (let day = DAYS - 1; day >= 0; day -= DAYS_AT_ONCE) {
      await insertDigests(trx, { from: Math.max(0, day - DAYS_AT_ONCE + 1), to: day });
    }
    await insertNotes(trx);
  });
  for (const { indexdef } of indexes) await db.raw(indexdef);
  await db.raw('vacuum analyze');
}

type Index = { indexname: string; indexdef: string };

async function dropIndexes(db: Db, tables: string[]): Promise<Index[]> {
  const { rows } = await db.raw<{ rows: Index[] }>(
    `select indexname, indexdef from pg_indexes
     where tablename = any(?) and schemaname = 'public' and indexname not in (select conname from pg_constraint)`,
    [tables],
  );
  for (const { indexname } of rows) await db.raw('drop index ??', [indexname]);
  return rows;
}

async function insertPeople(trx: Db, people: number): Promise<void> {
  await trx.raw(
    `insert into users (email, created_at)
    select 'other' || n || '@example.com', now() - (n % 400) * interval '1 day' from generate_series(1, ?::int) n`,
    [people],
  );
  await trx.raw(`
    insert into sync_configs (user_id, sync_time, timezone, include_groups, min_messages, summary_style,
                              auto_create_contacts, next_sync_at, next_sync_day, last_sync_day)
    select id, '18:00', 'UTC', false, 1, 'BUSINESS', false, now() + interval '6 hours', current_date, current_date - 1
    from users where email like 'other%'`);
  await trx.raw(`
    insert into messenger_accounts (user_id, messenger_user_id, status, connected_at)
    select id, '1', 'inactive', now() from users where email like 'other%'`);
  await trx.raw(
    `insert into dialogs (user_id, account_id, peer_id, peer_type, peer_kind, peer_key, peer_name, last_message_at)
     select user_id, accounts.id, n::text, 'user', 'user', n::text, 'Person ' || n, now()
     from messenger_accounts accounts join users on users.id = user_id, generate_series(1, ?::int) n
     where email like 'other%'`,
    [CONVERSATIONS],
  );
}

async function insertDigests(trx: Db, { from, to }: { from: number; to: number }): Promise<void> {
  await trx.raw(
    `insert into sync_jobs (id, user_id, queue_id, kind, state, conversations_total, conversations_done,
                            dialogs_processed, digests_created, digest_date, created_at, started_at, finished_at)
     select 'sync:' || u.id || ':daily:' || to_char(current_date - day, 'YYYY-MM-DD'), u.id, u.id, 'daily',
       'completed', 10, 10, 10, 10, current_date - day, at, at, at
     from generate_series(:to::int, :from::int, -1) day, users u,
       lateral (select now() - day * interval '1 day' - interval '1 hour' as at) began
     where u.email like 'other%'`,
    { from, to },
  );
  await trx.raw(
    `insert into digests (user_id, dialog_id, job_id, digest_date, status, message_count, after_message_id,
                          last_message_id, last_message_at, summary, structured, engine, created_at, updated_at, search)
     select d.user_id, d.id, 'sync:' || d.user_id || ':daily:' || to_char(current_date - day, 'YYYY-MM-DD'),
       current_date - day, 'COMPLETE', 18, 0, 18, at, 'Procurement moved deadline ' || d.peer_key || ' up to Monday.',
       '{"topics": ["Renewal"], "actionItems": [], "sentiment": "neutral", "urgency": "low"}', 'ai', at, at,
       array_to_tsvector(words || d.user_id::text)
     from (select search_words('Procurement moved deadline up to Monday. Renewal') as words) as folded,
       generate_series(:to::int, :from::int, -1) day, dialogs d join users u on u.id = d.user_id,
       lateral (select now() - day * interval '1 day' - interval '1 hour' as at) written
     where u.email like 'other%'`,
    { from, to },
  );
}

/** One in five has a contact in a CRM. */
async function insertNotes(trx: Db): Promise<void> {
  await trx.raw(`
    insert into outbox_notes (user_id, dialog_id, digest_id, job_id, portal_id, crm_contact_id, crm_id, state,
                           content_hash, created_at, written_at, contact_synced_at)
    select digests.user_id, dialog_id, digests.id, job_id, '1', '7', digests.id, 'written', '', digests.created_at,
      digests.created_at, digests.created_at
    from digests join dialogs on dialogs.id = dialog_id join users on users.id = digests.user_id
    where peer_key in ('1', '2') and email like 'other%' order by digest_date`);
}
