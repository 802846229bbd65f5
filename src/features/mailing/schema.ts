import { type QueueDefinition, UNTIL_DONE } from '../../lib/queue.ts';

/** The mails that come again and again: the day, and the week. */
const MAIL_KINDS = ['digest', 'week'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** One mail: of this day as YYYY-MM-DD, which of a week is its Monday. */
export type MailOfDay = { userId: string; kind: MailKind; day: string };

/** Jobs that send one user one mail. While the mail server takes none it is asked more and more seldom. */
export const MAIL_JOBS = {
  policy: 'short',
  ...UNTIL_DONE,
  expireInSeconds: 300,
  retryDelay: 5,
  retryDelayMax: 900,
} as const satisfies Omit<QueueDefinition, 'name'>;
