/**
 * What each page shows, as one statement written by hand: the minimum for this page alone.
 * `$1` is the user, `$2` the path.
 */
const DAY = `
  select (select to_jsonb(c) from sync_configs c where user_id = $1) as settings,
    (select to_jsonb(c) - 'credentials' from crm_connections c where user_id = $1) as crm,
    (select jsonb_agg(to_jsonb(a) - 'credentials') from messenger_accounts a where user_id = $1) as accounts,
    (select to_jsonb(j) from sync_jobs j where user_id = $1 order by created_at desc limit 1) as job,
    (select count(*) from outbox_notes where user_id = $1 and state in ('waiting', 'outdated')) as waiting,
    (select jsonb_agg(day) from (select digest_date, count(*) as total from digests
      where user_id = $1 and digest_date > current_date - 30 and summary <> ''
        and status not in ('SKIPPED', 'FAILED') group by 1) day) as days,
    (select jsonb_agg(item) from (select * from promises where user_id = $1 and last_said_on < current_date
      and state in ('open', 'snoozed') order by (direction = 'mine') desc, due_date nulls last, last_said_on, item_id
      limit 5) item) as earlier,
    (select jsonb_agg(row) from (select d.id, d.digest_date, d.message_count, d.status, d.summary, d.structured, d.reason,
        d.last_message_at, p.peer_name, p.match_status, p.crm_contact_name,
        array(select item_id from promises t where t.dialog_id = d.dialog_id and t.state = 'done' and t.item_id in
          (select item ->> 'id' from jsonb_path_query(d.structured, 'lax $.actionItems[*]') item)) as ticked,
        exists (select from outbox_notes n where n.digest_id = d.id and n.crm_id is not null) as noted
      from digests d join dialogs p on p.id = d.dialog_id WHICH) row) as digests
  where $2::text is not null`;

const TODAY = DAY.replace('WHICH', 'where d.user_id = $1 and d.digest_date = current_date');
const SEARCH = DAY.replace(
  'WHICH',
  `where d.user_id = $1 and d.search @@ ('''' || $1::text || ''' & tender:*')::tsquery order by d.digest_date desc limit 240`,
);
const CONVERSATION = DAY.replace(
  'WHICH',
  `where d.dialog_id = (select id from dialogs where user_id = $1 and $2 like '%' || id)
   order by d.digest_date desc limit 30`,
);
const CONTACTS = `
  select jsonb_agg(to_jsonb(d) - 'search') as dialogs,
    (select to_jsonb(c) - 'credentials' from crm_connections c where user_id = $1) as crm,
    (select to_jsonb(c) from sync_configs c where user_id = $1) as settings
  from dialogs d
  where d.user_id = $1 and $2::text is not null`;
const SETTINGS = `
  select (select to_jsonb(c) from sync_configs c where user_id = $1) as settings,
    (select to_jsonb(c) - 'credentials' from crm_connections c where user_id = $1) as crm,
    (select jsonb_agg(to_jsonb(a) - 'credentials') from messenger_accounts a where user_id = $1) as accounts,
    (select jsonb_agg(jsonb_build_object('peer', peer_type, 'unreadable', unreadable)) from dialogs where user_id = $1),
    (select jsonb_agg(load) from (select digest_date, array_agg(message_count) as messages from digests
      where user_id = $1 and digest_date > current_date - 14 group by 1) load) as loads
  where $2::text is not null`;
const PROMISES = `
  select (select to_jsonb(c) from sync_configs c where user_id = $1) as settings,
    (select jsonb_agg(row) from (values ('-infinity'::date, current_date - 1), (current_date, current_date),
        (current_date + 1, current_date + 6), (current_date + 7, '9999-12-31'::date), ('infinity', 'infinity'))
        as days (first, last)
      cross join lateral (select p.*, d.peer_name, d.peer_username, d.peer_phone from promises p
        join dialogs d on d.id = p.dialog_id
        where p.user_id = $1 and p.direction = 'mine' and p.words <> '' and p.state in ('open', 'snoozed')
          and coalesce(p.due_date, 'infinity') between days.first and days.last
          AND_SEARCH order by coalesce(p.due_date, 'infinity'), p.id limit 50) row) as rows,
    (select jsonb_agg(row) from (select direction, sign(due_date - current_date), count(*) from promises
      where user_id = $1 and state in ('open', 'snoozed') and words <> '' group by 1, 2) row) as counts,
    (select jsonb_agg(row) from (select id, peer_name from dialogs d where user_id = $1 and exists (
      select from promises where dialog_id = d.id and state in ('open', 'snoozed') and words <> '')) row) as peers
  where $2::text is not null`;
const SYNC = `
  select (select to_jsonb(j) from sync_jobs j where user_id = $1 order by created_at desc limit 1) as job,
    (select to_jsonb(c) from sync_configs c where user_id = $1) as settings,
    (select jsonb_agg(to_jsonb(a) - 'credentials') from messenger_accounts a where user_id = $1) as accounts
  where $2::text is not null`;

/** By the page's name; forms are compared with the statements that the service sends. */
export const HAND_WRITTEN: Readonly<Record<string, string>> = {
  Today: TODAY,
  'Today, one view': TODAY,
  'Today, search': SEARCH,
  search: SEARCH,
  promises: PROMISES.replace('AND_SEARCH', ''),
  'promises, search': PROMISES.replace('AND_SEARCH', "and p.words ilike '%agreement%'"),
  conversation: CONVERSATION,
  contacts: CONTACTS,
  case: CONTACTS,
  'new contact': CONTACTS,
  settings: SETTINGS,
  'sync panel': SYNC,
};
