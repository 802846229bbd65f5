import type { Mail } from '../../clients/mailer/types.ts';
import type { MailViews } from '../../lib/mailViews.ts';
import { signUnsubscribe } from '../mailSettings/rules.ts';
import { getMailMode } from '../mailSettings/service.ts';
import { findJob } from '../sync/repo.ts';
import type { DigestMailPayload } from '../sync/schema.ts';
import { type DayOverview, getDay, type TodayDeps } from '../today/service.ts';
import { groupMail, type MailGroups } from './groupMail.ts';
import { type MailAbout, presentDigestMail } from './present.ts';
import { findAddress } from './repo.ts';
import { isWorthAMail, LONGEST_HTML_BYTES } from './rules.ts';

export type WriteDeps = TodayDeps & {
  mailViews: MailViews;
  sessionSecret: string;
  /** Origin of the service. */
  appUrl: string;
};

/** Rows of each group, as many as are read in two minutes. With fewer it is tried until the mail is short enough. */
const ROOM = { needsYou: 20, worthKnowing: 20 };
const LESS_ROOM = 0.75;

/** The email of a day in the words of Today. Undefined without anything to send, or without a recipient. */
export async function writeDigestMail(
  deps: WriteDeps,
  { userId, jobId, day }: DigestMailPayload,
): Promise<Omit<Mail, 'id'> | undefined> {
  const mode = await getMailMode(deps, { userId });
  const to = mode === 'OFF' ? undefined : await findAddress(deps.db, userId);
  if (!to) return undefined;
  // Written for its day, also when that ended a moment ago.
  const overview = { ...(await getDay(deps, { userId, day })), today: day };
  const groups = groupMail(overview.digests);
  const job = await findJob(deps.db, { userId, jobId });
  if (!isWorthAMail(mode, groups, job?.result.errors ?? [])) return undefined;

  const now = deps.clock.now();
  const token = await signUnsubscribe(deps.sessionSecret, { userId, mode }, now);
  const unsubscribeUrl = `${deps.appUrl}/mail/unsubscribe/${token}`;
  const about = { now, appUrl: deps.appUrl, email: to, mode, unsubscribeUrl };
  return { to, unsubscribeUrl, ...renderDigestMail(deps.mailViews, overview, groups, about) };
}

/** With as many rows as a mail has room for. */
export function renderDigestMail(
  mailViews: MailViews,
  overview: DayOverview,
  groups: MailGroups,
  about: MailAbout,
): Pick<Mail, 'subject' | 'html' | 'text'> {
  for (let room = ROOM; ; ) {
    const { subject, ...shown } = presentDigestMail(overview, groups, room, about);
    const { html, text } = mailViews.render('digest', { subject, ...shown });
    const isShort = Buffer.byteLength(html) <= LONGEST_HTML_BYTES || room.needsYou + room.worthKnowing === 0;
    if (isShort) return { subject, html, text };
    const less = (rows: number) => Math.floor(rows * LESS_ROOM);
    room = { needsYou: less(room.needsYou), worthKnowing: less(room.worthKnowing) };
  }
}
