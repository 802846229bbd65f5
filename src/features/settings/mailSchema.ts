import { z } from 'zod';

/** When the day's digest comes by mail. */
export const MAIL_MODES = ['OFF', 'ALWAYS', 'URGENT'] as const;
export type MailMode = (typeof MAIL_MODES)[number];

export const MODE_LABELS: Record<MailMode, string> = { OFF: 'Never', ALWAYS: 'Every day', URGENT: 'Only when urgent' };

export const mailForm = z.object({ mailDigests: z.enum(MAIL_MODES, 'Choose when an email is sent.') });
