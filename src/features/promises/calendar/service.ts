import type { Timed } from '../../../lib/clock.ts';
import { hashToken, randomToken } from '../../../lib/crypto.ts';
import type { Db } from '../../../lib/db.ts';
import { addDays, subtractDays } from '../../../lib/timezones.ts';
import { getSettings } from '../../base/settings/service.ts';
import { isAdmitted } from '../../base/users/rules.ts';
import { markAllPromisesShown } from '../repo.ts';
import { toUserMoment } from '../rules.ts';
import type { UserPromise } from '../schema.ts';
import * as repo from './repo.ts';

export { deleteFeed, findFeed } from './repo.ts';

const DAYS_BACK = 60;
const DAYS_AHEAD = 366;
/** Maximum number of events: more than a calendar shows, and a file that is written in milliseconds. */
const MAX_EVENTS = 1000;
/** Minimum milliseconds between two recorded reads, as calendars read every few minutes. */
const READ_AGAIN_MS = 60_000;
const HINT_LENGTH = 4;

/** Opens the feed, or replaces its address: the old one ends at once. @returns the secret in it, shown this one time */
export async function openFeed({ db, clock }: Timed, { userId }: { userId: string }): Promise<string> {
  const secret = randomToken();
  const feed = { userId, tokenHash: hashToken(secret), hint: secret.slice(0, HINT_LENGTH), now: clock.now() };
  await repo.replaceFeed(db, feed);
  return secret;
}

export type CalendarOfUser = { timezone: string; promises: UserPromise[] };

/** The feed of this secret; undefined for one that is unknown or closed. */
export async function findFeedByToken(
  { db, ownerEmail }: { db: Db; ownerEmail?: string | undefined },
  { secret }: { secret: string },
): Promise<repo.OwnedFeed | undefined> {
  const feed = await repo.findFeedOfAllUsers(db, { tokenHash: hashToken(secret) });
  return feed && isAdmitted({ ownerEmail }, feed.email) ? feed : undefined;
}

/** What the feed shows. Its owner counts as having seen their promises. */
export async function readFeed({ db, clock }: Timed, { userId, lastReadAt }: repo.OwnedFeed): Promise<CalendarOfUser> {
  const now = clock.now();
  await markAllPromisesShown(db, { userId });
  const { timezone } = await getSettings({ db }, { userId });
  const moment = toUserMoment(now, timezone);
  const days = { since: subtractDays(moment.today, DAYS_BACK), until: addDays(moment.today, DAYS_AHEAD) };
  const promises = await repo.listCalendarPromises(db, { userId, ...moment, ...days, limit: MAX_EVENTS });
  if (!lastReadAt || now.getTime() - lastReadAt.getTime() >= READ_AGAIN_MS) await repo.setLastRead(db, { userId, now });
  return { timezone, promises };
}
