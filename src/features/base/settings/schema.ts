import { z } from 'zod';
import { LANGUAGES } from '../../../clients/summarizer/languages/types.ts';
import { SUMMARY_STYLES } from '../../../clients/summarizer/types.ts';
import { rowReader } from '../../../lib/db.ts';
import { type DailyRun, isTimezone } from '../../../lib/timezones.ts';

/** When the daily run is until a user chooses a time. */
export const DEFAULT_SCHEDULE = Object.freeze({
  /** HH:MM, 24-hour, in `timezone`. */
  syncTime: '18:00',
  /** IANA name. */
  timezone: 'UTC',
});

const schedule = z
  .object({
    userId: z.string(),
    syncTime: z.string(),
    timezone: z.string(),
    nextSyncAt: z.date().nullable(),
    nextDay: z.string().nullable(),
    /** The day of the newest run, YYYY-MM-DD; null before the first. */
    lastDay: z.string().nullable(),
  })
  .transform(({ nextSyncAt: at, nextDay: day, ...row }) => {
    const next: DailyRun | null = at && day !== null ? { at, day } : null;
    return { ...row, next };
  });
export const scheduleRow = rowReader(schedule);

/** The settings that a user's schedule depends on, and its next run. */
export type Schedule = z.output<typeof schedule>;

const configJson = z
  .strictObject({
    syncTime: z.string().meta({ description: 'HH:MM, 24-hour, in `timezone`' }),
    timezone: z.string().meta({ description: 'IANA name' }),
    includeGroups: z.boolean(),
    minMessages: z.int().meta({ description: 'Conversations with fewer new messages are skipped and add up' }),
    summaryStyle: z.enum(SUMMARY_STYLES),
    autoCreateContacts: z.boolean(),
  })
  .meta({ id: 'SyncConfig' });
/** Working days without an answer after which a question counts as waiting. */
export const WAITING_DAYS = [1, 2, 3, 7] as const;
/** Language in which a model writes; '' for each conversation's own. */
const language = z.enum(['', ...LANGUAGES], 'Choose a language from the list.');
/** Chosen only on the page: the configuration in the API has just the fields above. */
const onlyOnPage = { waitingDays: z.literal(WAITING_DAYS), digestLanguage: language, crmLanguage: language };

const config = z.object({ ...configJson.shape, ...onlyOnPage });
export type SyncConfig = z.output<typeof config>;
export type ConfigJson = z.output<typeof configJson>;

export const DEFAULT_JSON: ConfigJson = Object.freeze({
  ...DEFAULT_SCHEDULE,
  includeGroups: false,
  minMessages: 1,
  summaryStyle: 'BUSINESS',
  autoCreateContacts: false,
});
export const DEFAULT_CONFIG: SyncConfig = Object.freeze({
  ...DEFAULT_JSON,
  waitingDays: 1,
  digestLanguage: '',
  crmLanguage: '',
});

export const settingsJson = z.strictObject({ config: configJson });
export const savedSettingsJson = z.strictObject({ success: z.literal(true), config: configJson });

/** Every setting, those with rules of their own replaced. A field not sent keeps its value. */
export const settingsInput = z.object({
  ...configJson.partial().shape,
  syncTime: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as HH:MM, for example 07:30.')
    .optional(),
  timezone: z
    .string()
    .max(64, 'Choose a time zone from the list, for example Europe/Berlin.')
    .refine(isTimezone, 'Choose a time zone from the list, for example Europe/Berlin.')
    .optional(),
  minMessages: z
    .int('Enter a whole number from 1 to 500.')
    .min(1, 'Enter a whole number from 1 to 500.')
    .max(500, 'Enter a whole number from 1 to 500.')
    .optional(),
  summaryStyle: z.enum(SUMMARY_STYLES, `Choose one of ${SUMMARY_STYLES.join(', ')}.`).optional(),
});

export const pageInput = settingsInput.extend({
  waitingDays: z.coerce
    .number()
    .pipe(z.literal(WAITING_DAYS, `Choose one of ${WAITING_DAYS.join(', ')}.`))
    .optional(),
  digestLanguage: language.optional(),
  crmLanguage: language.optional(),
});
export type SettingsChanges = z.output<typeof pageInput>;

export const configRow = rowReader(config);

/** When the day's digest comes by mail. */
export const MAIL_MODES = ['OFF', 'ALWAYS', 'URGENT'] as const;
export type MailMode = (typeof MAIL_MODES)[number];

/** Friday afternoon, when the week is over for most. */
export const DEFAULT_WEEK_MAIL = Object.freeze({ weekMail: false, weekMailDay: 5, weekMailHour: 16 });

const scheduleFields = z.object({
  /** When the next daily run is; null before anything was saved or connected. */
  nextRunAt: z.date().nullable(),
  mailMode: z.enum(MAIL_MODES),
  /** Whether the week comes by mail, on which day (ISO 8601: Monday is 1) and at which full hour. */
  weekMail: z.boolean(),
  weekMailDay: z.number(),
  weekMailHour: z.number(),
});
export const scheduleFieldsRow = rowReader(scheduleFields, { next_sync_at: 'nextRunAt', mail_digests: 'mailMode' });

/** A user's settings and schedule. */
export type SettingsWithSchedule = { config: SyncConfig } & z.output<typeof scheduleFields>;

/** A connected account as the settings page shows it, worded by the feature that has the connection. */
export type Connection = {
  id: string;
  title: string;
  who: string;
  badge: { tone: 'is-ok' | 'is-warn' | 'is-alert' | 'is-mute'; icon: string; word: string };
  detail: string;
  /** The writer of digests and the link to change it; undefined without a choice. */
  writer: { words: string; href: string } | undefined;
  action: { href: string; label: string; kind: 'danger' | 'primary' };
};
