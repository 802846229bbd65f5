import { type QueueDefinition, UNTIL_DONE } from '../../../lib/queue.ts';

/** The recurring mails: the day's and the week's. */
const MAIL_KINDS = ['digest', 'week'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** One mail. `day` is YYYY-MM-DD; for a week, it is the Monday. */
export type MailOfDay = { userId: string; kind: MailKind; day: string };

/** Jobs that send one user one mail. While the mail server accepts none, retries become less and less frequent. */
export const MAIL_JOBS = {
  policy: 'short',
  ...UNTIL_DONE,
  expireInSeconds: 300,
  retryDelay: 5,
  retryDelayMax: 900,
} as const satisfies Omit<QueueDefinition, 'name'>;
