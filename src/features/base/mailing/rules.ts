import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { findNextWeeklyRun, mondayOf, subtractDays, sundayOf } from '../../../lib/timezones.ts';
import { MAIL_MODES } from '../settings/schema.ts';
import type { Unsubscribe, WeekMail } from './schema.ts';

/** The Monday of the week that a mail of this day reports: from Friday on the same week, else the one before. */
export function findReportedMonday(day: string): string {
  const isEnding = day >= subtractDays(sundayOf(day), 2);
  return isEnding ? mondayOf(day) : subtractDays(mondayOf(day), 7);
}

/** Number of rows in a list of `lines` lines, where the last line may count the remaining rows. */
export function rowsThatFit(lines: number, total: number): number {
  return total > lines ? Math.max(0, lines - 1) : total;
}

/** Distinguishes these tokens from all others that are signed with the same secret. */
const PURPOSE = 'digest-mails';
/** Same as the retention of digests, as old mails stay in mailboxes. */
const LIFETIME_MS = 365 * 24 * 3600 * 1000;

const claims = z.union([
  z.object({ sub: z.uuid(), mail: z.literal('week') }),
  z.object({ sub: z.uuid(), mail: z.literal('digest'), mode: z.enum(MAIL_MODES) }),
]);

/** Signs a token for the links in a mail. It needs no sign-in and can only turn mails of its kind off or back on. */
export async function signUnsubscribe(secret: string, { userId, ...link }: Unsubscribe, now: Date): Promise<string> {
  return new SignJWT(link)
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(PURPOSE)
    .setSubject(userId)
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + LIFETIME_MS))
    .sign(new TextEncoder().encode(secret));
}

/** What a token of {@link signUnsubscribe} says; undefined for any other text, and when it is no longer valid at `now`. */
export async function readUnsubscribe(secret: string, token: string, now: Date): Promise<Unsubscribe | undefined> {
  try {
    const options = { algorithms: ['HS256'], audience: PURPOSE, currentDate: now };
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), options);
    const { sub: userId, ...link } = claims.parse(payload);
    return { userId, ...link };
  } catch (err) {
    if (err instanceof errors.JOSEError || err instanceof z.ZodError) return undefined;
    throw err;
  }
}

type Now = { now: Date; timezone: string };

/** Time of the next weekly mail for the chosen settings. Each week is mailed once. */
export function nextWeekMail({ day, hour, newest }: Omit<WeekMail, 'isOn'>, { now, timezone }: Now): Date {
  const weekly = { weekday: day, time: toTimeOfDay(hour), timezone };
  let run = findNextWeeklyRun(now, weekly);
  while (newest !== null && findReportedMonday(run.day) <= newest) run = findNextWeeklyRun(run.at, weekly);
  return run.at;
}

/** HH:MM */
export function toTimeOfDay(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
