import type { Db } from '../../../lib/db.ts';

/**
 * Whether the database's clock was set back: its queue stamps every half minute when it last looked at the schedules,
 * and looks no more before the stamp is in the past.
 */
export async function findSetBack(db: Db): Promise<boolean> {
  const row = await db('pgboss.version').whereRaw(IS_AHEAD).first('version');
  return row !== undefined;
}

/** False when another process took it first. */
export async function takeSetBack(trx: Db): Promise<boolean> {
  const taken = await trx('pgboss.version')
    .whereRaw(IS_AHEAD)
    .update({ cron_on: trx.raw('now()') });
  return taken > 0;
}

const IS_AHEAD = `cron_on > now() + interval '1 minute'`;

/** What began later than now for a day that is yet to come was no run of that day. */
export async function forgetRunsToComeOfAllUsers(trx: Db): Promise<void> {
  await trx.raw(`
    update sync_configs set last_sync_day = null from sync_jobs
    where sync_jobs.id = 'sync:' || sync_configs.user_id || ':daily:' || to_char(last_sync_day, 'YYYY-MM-DD')
      and sync_jobs.created_at > now() and last_sync_day > (now() at time zone 'UTC')::date`);
}

/**
 * Brings to the present what was stamped, held or planned while the clock was ahead: it would stay so until that time
 * comes again. Only what is further ahead than it can be with a clock that is right.
 */
export async function endWhatIsAheadOfAllUsers(trx: Db): Promise<void> {
  for (const statement of AHEAD) await trx.raw(statement);
}

const AHEAD = [
  `update pgboss.version set flow_on = least(flow_on, now()), bam_on = least(bam_on, now()),
     reindex_on = least(reindex_on, now()), monitor_backoff_on = null`,
  `update pgboss.queue set monitor_claim_on = least(monitor_claim_on, now()), monitor_on = least(monitor_on, now()),
     maintain_on = least(maintain_on, now())`,
  // Nothing is put off for longer than a day.
  `update pgboss.job set start_after = now()
     where state in ('created', 'retry') and start_after > now() + interval '2 days'`,
  `update pgboss.job set started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now())
     where state = 'active' and greatest(started_on, heartbeat_on) > now()`,
  // Otherwise these minutes of the schedule would count as done when they come again.
  `update pgboss.job set singleton_on = null where singleton_on > (now() at time zone 'UTC') + interval '1 minute'`,
  `update alerts set first_at = least(first_at, now()), last_at = least(last_at, now()), sending_since = null,
     due_at = least(due_at, now()), held_until = null, settled_at = least(settled_at, now())
     where greatest(last_at, due_at, held_until) > now()`,
  `update heartbeat_troubles set since = least(since, now()), told_at = least(told_at, now())`,
  `update worker_heartbeats set started_at = least(started_at, now()), beat_at = least(beat_at, now())`,
  `update messenger_accounts set lease_until = least(lease_until, now()),
     flood_until = case when flood_until <= now() + interval '2 days' then flood_until end,
     dialogs_listed_at = least(dialogs_listed_at, now()), all_dialogs_listed_at = least(all_dialogs_listed_at, now())
     where greatest(lease_until, flood_until, dialogs_listed_at, all_dialogs_listed_at) > now()`,
  `update messenger_logins set busy_until = least(busy_until, now()), expires_at = least(expires_at, now())
     where expires_at > now() + interval '1 day'`,
  `update sign_in_tokens set expires_at = now() where expires_at > now() + interval '1 day'`,
  `update user_sessions set last_seen_at = now() where last_seen_at > now()`,
  `update sync_configs set week_mail_set_at = now() where week_mail_set_at > now()`,
  // What was mailed for a day to come is the mail of today, or of the last week.
  `update sent_mails set claimed_until = least(claimed_until, now()), told_until = least(told_until, now()),
     day = case kind when 'week' then date_trunc('week', now())::date - 7 else (now() at time zone 'UTC')::date end
     where day > (now() at time zone 'UTC')::date + 1 or claimed_until > now() + interval '1 day'`,
  `update sync_jobs set created_at = least(created_at, now()), started_at = least(started_at, now()),
     finished_at = least(finished_at, now()), digest_date = least(digest_date, (now() at time zone 'UTC')::date + 1),
     waits_until = case when waits_until <= now() + interval '2 days' then waits_until end,
     comes_back_at = case when comes_back_at <= now() + interval '2 days' then comes_back_at end
     where greatest(created_at, waits_until, comes_back_at) > now()`,
  `update crm_connections set refresh_until = null where refresh_until > now() + interval '1 hour'`,
  `update crm_throttles set next_at = now(), turns = '{}' where next_at > now() + interval '1 hour'`,
  `update outbox_notes set claimed_until = now() where claimed_until > now() + interval '2 days'`,
  `update outbox_tasks set claimed_until = least(claimed_until, now()), failed_at = least(failed_at, now())
     where claimed_until > now() + interval '2 days' or failed_at > now()`,
  `update ai_places set held_until = now() where held_until > now() + interval '1 hour'`,
];
