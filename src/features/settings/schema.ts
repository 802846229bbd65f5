import { z } from 'zod';
import { SUMMARY_STYLES, type SummaryStyle } from '../../clients/summarizer/types.ts';
import { isTimezone } from '../../lib/timezones.ts';
import { DEFAULT_SCHEDULE } from '../schedule/schema.ts';

export type SyncConfig = {
  /** HH:MM, 24-hour, in `timezone`. */
  syncTime: string;
  /** IANA name. */
  timezone: string;
  includeGroups: boolean;
  /** Conversations with fewer new messages are skipped and add up. */
  minMessages: number;
  summaryStyle: SummaryStyle;
  autoCreateContacts: boolean;
};

export const DEFAULT_CONFIG: SyncConfig = Object.freeze({
  ...DEFAULT_SCHEDULE,
  includeGroups: false,
  minMessages: 1,
  summaryStyle: 'BUSINESS',
  autoCreateContacts: false,
});

const configJson = z
  .strictObject({
    syncTime: z.string().meta({ description: 'HH:MM, 24-hour, in `timezone`' }),
    timezone: z.string().meta({ description: 'IANA name' }),
    includeGroups: z.boolean(),
    minMessages: z.int().meta({ description: 'Conversations with fewer new messages are skipped and add up' }),
    summaryStyle: z.enum(SUMMARY_STYLES),
    autoCreateContacts: z.boolean(),
  })
  .meta({ id: 'SyncConfig' }) satisfies z.ZodType<SyncConfig>;

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

export type SettingsChanges = z.output<typeof settingsInput>;

export const configRow = z.compile(
  z
    .object({
      sync_time: z.string(),
      timezone: z.string(),
      include_groups: z.boolean(),
      min_messages: z.number(),
      summary_style: z.enum(SUMMARY_STYLES),
      auto_create_contacts: z.boolean(),
    })
    .transform(
      (row): SyncConfig => ({
        syncTime: row.sync_time,
        timezone: row.timezone,
        includeGroups: row.include_groups,
        minMessages: row.min_messages,
        summaryStyle: row.summary_style,
        autoCreateContacts: row.auto_create_contacts,
      }),
    ),
);

/** When the day's digest comes by mail. */
export const MAIL_MODES = ['OFF', 'ALWAYS', 'URGENT'] as const;
export type MailMode = (typeof MAIL_MODES)[number];

/** A user's settings with where they stand. */
export type Standing = { config: SyncConfig } & z.output<typeof standingRow>;

export const standingRow = z
  .object({ next_sync_at: z.date().nullable(), mail_digests: z.enum(MAIL_MODES) })
  .transform(row => ({
    /** When the next daily run is; null before anything was saved or connected. */
    nextRunAt: row.next_sync_at,
    mailMode: row.mail_digests,
  }));

/** A connected account as the settings page shows it. Who has connections tells them in these words. */
export type Connection = {
  id: string;
  title: string;
  who: string;
  badge: { tone: 'is-ok' | 'is-warn' | 'is-alert' | 'is-mute'; icon: string; word: string };
  detail: string;
  /** Who writes the digests, and where that is changed; undefined where there is no choice. */
  writer: { words: string; href: string } | undefined;
  action: { href: string; label: string; kind: 'danger' | 'primary' };
};
