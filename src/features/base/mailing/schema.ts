import { z } from 'zod';
import { rowReader } from '../../../lib/db.ts';
import { type QueueDefinition, RETRY_FOREVER } from '../../../lib/queue.ts';
import { MAIL_MODES, type MailMode } from '../settings/schema.ts';

/** The recurring mails: the day's and the week's. */
const MAIL_KINDS = ['digest', 'week'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** `day` is YYYY-MM-DD; for a week its Monday. */
export type MailOfDay = { userId: string; kind: MailKind; day: string };

/** Jobs that send one user one mail. While the mail server accepts none, retries become less and less frequent. */
export const MAIL_JOBS = {
  policy: 'short',
  ...RETRY_FOREVER,
  expireInSeconds: 300,
  retryDelay: 5,
  retryDelayMax: 900,
} as const satisfies Omit<QueueDefinition, 'name'>;

export const MODE_LABELS: Record<MailMode, string> = { OFF: 'Never', ALWAYS: 'Every day', URGENT: 'Only when urgent' };

export const mailForm = z.object({ mailDigests: z.enum(MAIL_MODES, 'Choose when an email is sent.') });

/** When the week comes by mail. */
const weekMail = z.object({
  isOn: z.boolean(),
  /** ISO 8601: Monday is 1. */
  day: z.number(),
  /** Full hour of the user's time zone. */
  hour: z.number(),
  /** The Monday of the newest week that was sent, YYYY-MM-DD; null before the first. */
  newest: z.string().nullable(),
});
export const weekMailRow = rowReader(weekMail, { week_mail: 'isOn', week_mail_day: 'day', week_mail_hour: 'hour' });
export type WeekMail = z.output<typeof weekMail>;

/** The part of it that a person chooses. */
export type WeekMailChoice = Omit<WeekMail, 'newest'>;

const isFrom = (from: number, to: number) => (text: string) => {
  return /^\d{1,2}$/.test(text) && Number(text) >= from && Number(text) <= to;
};
export const weekMailForm = z
  .object({
    weekMail: z.literal('on', 'A switch sends "on", or nothing.').optional(),
    weekMailDay: z.string().refine(isFrom(1, 7), 'Choose a day of the week.'),
    weekMailHour: z.string().refine(isFrom(0, 23), 'Choose an hour.'),
  })
  .transform(typed => ({ isOn: typed.weekMail === 'on', day: Number(typed.weekMailDay), hour: Number(typed.weekMailHour) }));

/** The mail that a link ends, and can bring back. */
export type Unsubscribe = { userId: string } & ({ mail: 'digest'; mode: MailMode } | { mail: 'week' });
