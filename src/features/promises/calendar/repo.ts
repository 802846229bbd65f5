import { z } from 'zod';
import { type Db, rowReader, type UserKey } from '../../../lib/db.ts';
import { sql } from '../../../lib/sql.ts';
import { BY_DUE, LIVE, selectColumns, unmuted } from '../fragments.ts';
import type { UserMoment } from '../rules.ts';
import { promiseRow } from '../schema.ts';

const feed = z.object({
  userId: z.string(),
  /** How its address begins. */
  hint: z.string(),
  createdAt: z.date(),
  /** To the minute; null if never read. */
  lastReadAt: z.date().nullable(),
});
const feedRow = rowReader(feed);
export type Feed = z.output<typeof feed>;

const ownedFeed = feed.extend({ email: z.string() });
const ownedFeedRow = rowReader(ownedFeed);
export type OwnedFeed = z.output<typeof ownedFeed>;

/** Finds the feed with this address, over all users; undefined for an unknown one. */
export async function findFeedOfAllUsers(db: Db, { tokenHash }: { tokenHash: string }): Promise<OwnedFeed | undefined> {
  const [found] = await sql`
    select calendar_feeds.user_id, hint, calendar_feeds.created_at, last_read_at, users.email
    from calendar_feeds join users on users.id = calendar_feeds.user_id where token_hash = ${tokenHash}
  `.read(db, ownedFeedRow);
  return found;
}

export async function findFeed(db: Db, { userId }: { userId: string }): Promise<Feed | undefined> {
  const row = await db('calendar_feeds').where({ user_id: userId }).first('user_id', 'hint', 'created_at', 'last_read_at');
  return row && feedRow.parse(row);
}

/** The previous address stops working. */
export async function replaceFeed(
  db: Db,
  { userId, tokenHash, hint, now }: { userId: string; tokenHash: string; hint: string; now: Date },
): Promise<void> {
  await db('calendar_feeds')
    .insert({ user_id: userId, token_hash: tokenHash, hint, created_at: now, last_read_at: null })
    .onConflict('user_id')
    .merge();
}

export async function setLastRead(db: Db, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await db('calendar_feeds').where({ user_id: userId }).update({ last_read_at: now });
}

export async function deleteFeed(db: Db, { userId }: { userId: string }): Promise<void> {
  await db('calendar_feeds').where({ user_id: userId }).delete();
}

/** Past events stay in the calendar; settled promises leave it. */
const IN_CALENDAR = sql`(${LIVE} or p.state = 'done' and p.kind <> 'promise' and p.reason = 'past')`;

/** Days are YYYY-MM-DD. */
type CalendarQuery = UserKey & UserMoment & { since: string; until: string; limit: number };

/** Promises with a day from `since` up to `until`, without muted conversations, by day. */
export async function listCalendarPromises(db: Db, { userId, since, until, limit, ...moment }: CalendarQuery) {
  return sql`
    select ${selectColumns(moment)} from promises p join dialogs on dialogs.id = p.dialog_id
    where p.user_id = ${userId} and p.words <> '' and p.due_date between ${since}::date and ${until}::date
      and ${IN_CALENDAR} and ${unmuted({ userId })}
    order by ${BY_DUE} limit ${limit}
  `.read(db, promiseRow);
}
