/** The mails that come again and again: the day, and the week. */
export const MAIL_KINDS = ['digest', 'week'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** One mail: of this day as YYYY-MM-DD, which of a week is its Monday. */
export type MailOfDay = { userId: string; kind: MailKind; day: string };
