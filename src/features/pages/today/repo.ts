import type { Db } from '../../../lib/db.ts';
import { selectReviewCandidates } from '../../contacts/repo.ts';
import { type ReviewCandidate, reviewCandidateRow } from '../../contacts/schema.ts';
import { IS_WRITTEN, NEWEST_FIRST, SHOWN, SHOWN_COLUMNS, SHOWN_JOINS, toShown } from '../../digests/fragments.ts';
import { NEWS_DAYS } from '../../digests/rules.ts';
import type { ShownDigest } from '../../digests/schema.ts';
import * as sql from '../../promises/fragments.ts';

/** Small questions about digests that only Today asks. */

const NOTED = `exists (select from outbox_notes notes where notes.digest_id = digests.id and notes.user_id = digests.user_id
  and notes.state in ('written', 'outdated') and notes.crm_id is not null) as noted`;
const NOTE_FAILURE = `(select notes.failure from outbox_notes notes where notes.digest_id = digests.id
  and notes.user_id = digests.user_id and notes.state = 'failed' limit 1) as note_failure`;

const NEWS_BEFORE = `(select max((earlier.structured -> 'news')::float) from digests earlier
  where earlier.dialog_id = digests.dialog_id and earlier.user_id = digests.user_id and earlier.summary <> ''
    and earlier.digest_date between digests.digest_date - ${NEWS_DAYS} and digests.digest_date - 1) as news_before`;

/** A day's digests, newest first, which have a note in the CRM, and why others were refused. @param date YYYY-MM-DD */
export async function listDigestsWithNotes(
  db: Db,
  { userId, date }: { userId: string; date: string },
): Promise<{ digests: ShownDigest[]; noted: Set<string>; refused: Map<string, string> }> {
  const { rows } = await db.raw<{ rows: { id: string; noted: boolean; note_failure: string | null }[] }>(
    `select ${SHOWN_COLUMNS}, ${NOTED}, ${NOTE_FAILURE}, ${NEWS_BEFORE} from digests ${SHOWN_JOINS}
     where digests.user_id = ? and digests.digest_date = ? order by ${NEWEST_FIRST}`,
    [userId, date],
  );
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
  const { rows } = await db.raw<{ rows: { date: string }[] }>(
    `
    with latest as materialized (
      select digest_date from digests where user_id = ? and digest_date >= ? and digest_date < ? and ${IS_WRITTEN}
      group by digest_date order by digest_date desc limit ?
    )
    select to_char(latest.digest_date, 'YYYY-MM-DD') as date, top.*
    from latest cross join lateral (
      ${SHOWN} and digests.digest_date = latest.digest_date and ${IS_WRITTEN} and not dialogs.is_muted
      order by digests.news_rank nulls last, digests.is_urgent desc,
        (digests.structured -> 'news')::float desc nulls last, digests.last_message_at desc nulls last, digests.id limit ?
    ) as top
    order by latest.digest_date desc
    `,
    [userId, since, before, days, userId, limit],
  );
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
  const { rows } = await db.raw<{ rows: { previous_visit_at: Date | null; promises: string[]; digests: string[] }[] }>(
    `
    with noted as (
      insert into today_visits as l (user_id, visited_at, promises)
      select :userId, :now, coalesce(max(number), 0) from promises where user_id = :userId
      on conflict (user_id) do update set visited_at = excluded.visited_at, promises = excluded.promises,
        previous_visit_at = case when ${IS_EARLIER} then l.visited_at else l.previous_visit_at end,
        previous_visit_promises = case when ${IS_EARLIER} then l.promises else l.previous_visit_promises end
      where ${IS_EARLIER} or l.promises <> excluded.promises or l.visited_at < excluded.visited_at - interval '${SAME_VISIT}'
      returning previous_visit_at, previous_visit_promises
    ), look as (
      select * from noted
      union all
      select previous_visit_at, previous_visit_promises from today_visits where user_id = :userId and not exists (select from noted)
    )
    select previous_visit_at, array(select p.id from promises p where p.user_id = :userId and p.number > previous_visit_promises
        order by p.number desc limit ${MAX_NEW}) as promises,
      array(select d.id from digests d where d.user_id = :userId and d.digest_date = :today and d.created_at > previous_visit_at) as digests
    from look
    `,
    { userId, now, today, timezone },
  );
  const [row] = rows;
  if (!row?.previous_visit_at) return undefined;
  return { since: row.previous_visit_at, promises: new Set(row.promises), digests: new Set(row.digests) };
}

/** More than a page of promises shows; in their order, they are found by the index. */
const MAX_NEW = 500;
/** Another view within this time counts as the same visit, so that most views write nothing. */
const SAME_VISIT = '10 minutes';
const IS_EARLIER = '(l.visited_at at time zone :timezone)::date < :today::date';

type Counted = { due: number; open: number; candidates: ReviewCandidate[] };

/** Limits counting, so that the cost per page stays constant. */
const MAX_COUNTED = 1000;

const counted = (rest: string) => `(select count(*) from (select from ${rest} limit ${MAX_COUNTED}) as counted)::int`;
const OPEN = `p.user_id = :userId and p.words <> '' and ${sql.OPEN_TODAY}`;

/**
 * Counts the user's own open promises and those due on Today, and finds the matches that may need review. Every page runs
 * this, and planning takes longer than reading, so each connection prepares it once, by name.
 */
export async function countForNavigation(db: Db, moment: { userId: string; now: Date }): Promise<Counted> {
  const { userId } = moment;
  const promises = db.raw(
    `
    select ${counted(`promises p where ${OPEN} and ${sql.MINE} and ${sql.OVERDUE} and ${sql.UNMUTED}`)}
        + ${counted(`promises p where ${OPEN} and ${sql.MINE} and ${sql.DUE_TODAY} and ${sql.UNMUTED}`)}
        + ${counted(`promises p where ${OPEN} and ${sql.SHARED_DATE} and ${sql.DUE_OR_INFINITY} = :today::date and ${sql.UNMUTED}`)}
        + ${counted(`promises p where ${OPEN} and ${sql.MINE} and ${sql.URGENT} and ${sql.UNMUTED}`)} as due,
      ${counted(`promises p where ${OPEN} and ${sql.MINE}`)} as open
    `,
    { userId, today: db.raw(USER_NOW, moment), timeOfDay: db.raw(`to_char(${USER_NOW}, 'HH24:MI')`, moment) },
  );
  const candidates = selectReviewCandidates(db, userId);
  const [row] = await db
    .select('due', 'open')
    .select(db.raw(`coalesce((select jsonb_agg(to_jsonb(c)) from (?) c), '[]') as candidates`, [candidates]))
    .from(db.raw('(?) promises', [promises]))
    .options({ name: 'navigation' });
  return { ...row, candidates: row.candidates.map(reviewCandidateRow.parse) };
}

/** The user's present day and time. */
const USER_NOW = `(:now::timestamptz at time zone
  coalesce((select timezone from sync_configs where user_id = :userId), 'UTC'))`;
