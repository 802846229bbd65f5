import type { Db } from '../../../lib/db.ts';
import { rawSql, type Sql, sql } from '../../../lib/sql.ts';
import { OVER_STATUSES } from '../../billing/rules.ts';
import { SETTLED_STATES } from '../../promises/rules.ts';
import { KEPT_DAYS } from './rules.ts';

type OldRows = {
  /** Tells how old a row is. */
  column: string;
  days: number;
  /** Of the rows from before this moment, only these are deleted; without it all are. */
  only?: (before: Date) => Sql;
};

/** What is deleted by age, in tables of all features; anywhere else, only a feature's own code deletes its rows. */
const OLD_ROWS = {
  // The conversations stay, with how far they were read.
  digests: { column: 'digest_date', days: KEPT_DAYS.digests },
  promises: {
    column: 'last_said_on',
    days: KEPT_DAYS.promises,
    // An open one stays until its day, or the day that it was put off to, is as long ago.
    only: before => sql`(case when state = any(${SETTLED_STATES}) then changed_at
      else greatest(due_date, snoozed_until, last_said_on) end < ${before})`,
  },
  waiting_questions: { column: 'asked_at', days: KEPT_DAYS.questions },
  written_answers: { column: 'written_at', days: KEPT_DAYS.answers },
  sync_jobs: { column: 'finished_at', days: KEPT_DAYS.syncJobs },
  alerts: { column: 'last_at', days: KEPT_DAYS.alerts, only: () => sql`state <> 'waiting'` },
  payment_events: { column: 'received_at', days: KEPT_DAYS.paymentEvents },
  subscriptions: {
    column: 'last_event_at',
    days: KEPT_DAYS.paymentEvents,
    only: () => sql`(user_id is null or status = any(${OVER_STATUSES}))`,
  },
  closed_accounts: { column: 'closed_at', days: KEPT_DAYS.paymentEvents },
  crm_throttles: { column: 'next_at', days: 1 },
  messenger_logins: { column: 'expires_at', days: KEPT_DAYS.messengerLogins },
  // Used and expired ones stay for a while, so that such a link explains why it doesn't work.
  sign_in_tokens: { column: 'created_at', days: KEPT_DAYS.signInTokens },
  leases: { column: 'held_until', days: 1 },
  user_sessions: { column: 'expires_at', days: 0 },
} satisfies Record<string, OldRows>;

export type OldTable = keyof typeof OLD_ROWS;
export const OLD_TABLES = Object.keys(OLD_ROWS) as OldTable[];

function composeAgeFilter(table: OldTable, now: Date) {
  const { column, days, only = () => sql`true` }: OldRows = OLD_ROWS[table];
  const before = new Date(now.getTime() - days * 86_400_000);
  return { column, old: sql`${rawSql(column)} < ${before} and ${only(before)}` };
}

/** How many rows of all users would go, and how many there are. */
export async function countOldOfAllUsers(db: Db, table: OldTable, now: Date): Promise<{ old: number; all: number }> {
  const { old } = composeAgeFilter(table, now);
  return db(table).first(sql`count(*)::int as all, (count(*) filter (where ${old}))::int as old`.toRaw(db));
}

/**
 * Deletes at most `limit` rows, except those locked at this moment, so that several processes can do the same side by
 * side. Returns how many.
 */
export async function deleteOldOfAllUsers(
  db: Db,
  table: OldTable,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const { column, old } = composeAgeFilter(table, now);
  const found = db(table).where(old.toRaw(db)).orderBy(column).limit(limit).forUpdate().skipLocked().select('ctid');
  return db(table).whereRaw('ctid = any(array(?))', [found]).delete();
}
