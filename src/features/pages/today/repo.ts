import type { Db, UserKey } from '../../../lib/db.ts';
import { rawSql, type Sql, sql } from '../../../lib/sql.ts';
import { selectReviewCandidates } from '../../contacts/repo.ts';
import { type ReviewCandidate, reviewCandidateRow } from '../../contacts/schema.ts';
import { IS_WRITTEN, NEWEST_FIRST, SHOWN_COLUMNS, SHOWN_JOINS, selectShown, toShown } from '../../digests/fragments.ts';
import { NEWS_DAYS } from '../../digests/rules.ts';
import type { ShownDigest } from '../../digests/schema.ts';
import * as fragments from '../../promises/fragments.ts';

/* What only the page Today reads: its digests with their notes, the best of earlier days, and the counts of its navigation. */

const NOTED = sql`exists (select from outbox_notes notes where notes.digest_id = digests.id and notes.user_id = digests.user_id
  and notes.state in ('written', 'outdated') and notes.crm_id is not null) as noted`;
const NOTE_FAILURE = sql`(select notes.failure from outbox_notes notes where notes.digest_id = digests.id
  and notes.user_id = digests.user_id and notes.state = 'failed' limit 1) as note_failure`;

const NEWS_BEFORE = sql`(select max((earlier.structured -> 'news')::float) from digests earlier
  where earlier.dialog_id = digests.dialog_id and earlier.user_id = digests.user_id and earlier.summary <> ''
    and earlier.digest_date between digests.digest_date - ${NEWS_DAYS} and digests.digest_date - 1) as news_before`;

/** A day's digests, newest first, which have a note in the CRM, and why others were refused. @param date YYYY-MM-DD */
export async function listDigestsWithNotes(
  db: Db,
  { userId, date }: { userId: string; date: string },
): Promise<{ digests: ShownDigest[]; noted: Set<string>; refused: Map<string, string> }> {
  const rows = await sql`
    select ${SHOWN_COLUMNS}, ${NOTED}, ${NOTE_FAILURE}, ${NEWS_BEFORE} from digests ${SHOWN_JOINS}
    where digests.user_id = ${userId} and digests.digest_date = ${date} order by ${NEWEST_FIRST}
  `.rows<{ id: string; noted: boolean; note_failure: string | null }>(db);
  const refused = rows.flatMap(({ id, note_failure: failure }): [string, string][] => (failure ? [[id, failure]] : []));
  return {
    digests: rows.map(toShown),
    noted: new Set(rows.filter(({ noted }) => noted).map(({ id }) => id)),
    refused: new Map(refused),
  };
}

/** The digests that a sync wrote. */
export async function listDigestIdsOfJob(
  db: Db,
  { userId, jobId }: { userId: string; jobId: string },
): Promise<Set<string>> {
  const rows = await db('digests')
    .where({ user_id: userId, job_id: jobId })
    .whereNot('summary', '')
    .select<{ id: string }[]>('id');
  return new Set(rows.map(({ id }) => id));
}

export type TopOfDay = { /** YYYY-MM-DD */ date: string; digests: ShownDigest[] };

type TopAsked = {
  userId: string;
  /** YYYY-MM-DD, as `before`, which is not among the days. */
  since: string;
  before: string;
  days: number;
  limit: number;
};

/** The first digests of each of the newest days that have any, newest day first; ranked, urgent and great news first. */
export async function listTopOfDays(db: Db, { userId, since, before, days, limit }: TopAsked): Promise<TopOfDay[]> {
  const rows = await sql`
    with latest as materialized (
      select digest_date from digests where user_id = ${userId} and digest_date >= ${since} and digest_date < ${before} and ${IS_WRITTEN}
      group by digest_date order by digest_date desc limit ${days}
    )
    select to_char(latest.digest_date, 'YYYY-MM-DD') as date, top.*
    from latest cross join lateral (
      ${selectShown(userId)} and digests.digest_date = latest.digest_date and ${IS_WRITTEN} and not dialogs.is_muted
      order by digests.news_rank nulls last, digests.is_urgent desc,
        (digests.structured -> 'news')::float desc nulls last, digests.last_message_at desc nulls last, digests.id limit ${limit}
    ) as top
    order by latest.digest_date desc
  `.rows<{ date: string }>(db);
  const byDay = Map.groupBy(rows, ({ date }) => date);
  return [...byDay].map(([date, top]) => ({ date, digests: top.map(toShown) }));
}

/** Changes since the user's last visit to Today on an earlier day, and its time. */
export type SinceLastVisit = { since: Date; promises: Set<string>; digests: Set<string> };

/** Records a visit to Today. Returns what came since the last one on an earlier day, if any. @param today YYYY-MM-DD */
export async function recordVisit(
  db: Db,
  { userId, now, today, timezone }: { userId: string; now: Date; today: string; timezone: string },
): Promise<SinceLastVisit | undefined> {
  const isEarlier = sql`(l.visited_at at time zone ${timezone})::date < ${today}::date`;
  const [row] = await sql`
    with noted as (
      insert into today_visits as l (user_id, visited_at, promises)
      select ${userId}, ${now}, coalesce(max(number), 0) from promises where user_id = ${userId}
      on conflict (user_id) do update set visited_at = excluded.visited_at, promises = excluded.promises,
        previous_visit_at = case when ${isEarlier} then l.visited_at else l.previous_visit_at end,
        previous_visit_promises = case when ${isEarlier} then l.promises else l.previous_visit_promises end
      where ${isEarlier} or l.promises <> excluded.promises or l.visited_at < excluded.visited_at - interval '${rawSql(SAME_VISIT)}'
      returning previous_visit_at, previous_visit_promises
    ), look as (
      select * from noted
      union all
      select previous_visit_at, previous_visit_promises from today_visits where user_id = ${userId} and not exists (select from noted)
    )
    select previous_visit_at, array(select p.id from promises p where p.user_id = ${userId} and p.number > previous_visit_promises
        order by p.number desc limit ${MAX_NEW}) as promises,
      array(select d.id from digests d where d.user_id = ${userId} and d.digest_date = ${today} and d.created_at > previous_visit_at) as digests
    from look
  `.rows<{ previous_visit_at: Date | null; promises: string[]; digests: string[] }>(db);
  if (!row?.previous_visit_at) return undefined;
  return { since: row.previous_visit_at, promises: new Set(row.promises), digests: new Set(row.digests) };
}

/** More than a page of promises shows; in their order, they are found by the index. */
const MAX_NEW = 500;
/** Another view within this time counts as the same visit, so that most views write nothing. */
const SAME_VISIT = '10 minutes';

type Counted = { due: number; open: number; candidates: ReviewCandidate[] };

/** Limits counting, so that the cost per page stays constant. */
const MAX_COUNTED = 1000;

const counted = (rest: Sql) => sql`(select count(*) from (select from ${rest} limit ${MAX_COUNTED}) as counted)::int`;

/** The user's present day and time, without a request of its own. */
const userNow = ({ userId, now }: UserKey & { now: Date }) => sql`(${now}::timestamptz at time zone
  coalesce((select timezone from sync_configs where user_id = ${userId}), 'UTC'))`;

/**
 * Counts the user's own open promises and those due on Today, and finds the matches that may need review. Every page runs
 * this, and planning takes longer than reading, so each connection prepares it once, by name.
 */
export async function countForNavigation(db: Db, { userId, now }: UserKey & { now: Date }): Promise<Counted> {
  const present = userNow({ userId, now });
  const moment = { today: present, timeOfDay: sql`to_char(${present}, 'HH24:MI')` };
  const { DUE_OR_INFINITY, MINE, SHARED_DATE, stands, urgent, unmuted, openOn } = fragments;
  const open = sql`promises p where p.user_id = ${userId} and p.words <> '' and ${openOn(moment)}`;
  const shown = sql`${open} and ${unmuted({ userId })}`;
  const promises = sql`
    select ${counted(sql`${shown} and ${MINE} and ${DUE_OR_INFINITY} <= ${present}::date
          and (${stands('overdue', moment)} or ${stands('dueToday', moment)})`)}
        + ${counted(sql`${shown} and ${SHARED_DATE} and ${stands('dueToday', moment)}`)}
        + ${counted(sql`${shown} and ${MINE} and ${urgent({ userId, ...moment })}`)} as due,
      ${counted(sql`${open} and ${MINE}`)} as open
  `.toRaw(db);
  const candidates = selectReviewCandidates(db, userId);
  const [row] = await db
    .select('due', 'open')
    .select(db.raw(`coalesce((select jsonb_agg(to_jsonb(c)) from (?) c), '[]') as candidates`, [candidates]))
    .from(db.raw('(?) promises', [promises]))
    .options({ name: 'navigation' });
  return { ...row, candidates: row.candidates.map(reviewCandidateRow.parse) };
}
