import { z } from 'zod';
import { MAIL_MODES, type MailMode } from '../settings/schema.ts';

export const MODE_LABELS: Record<MailMode, string> = { OFF: 'Never', ALWAYS: 'Every day', URGENT: 'Only when urgent' };

export const mailForm = z.object({ mailDigests: z.enum(MAIL_MODES, 'Choose when an email is sent.') });
