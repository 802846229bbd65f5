import type { MailLook } from '../../lib/mailLooks.ts';
import { oneLine } from '../../lib/mailViews.ts';
import { countOf, formatCount, longDay } from '../../lib/words.ts';
import { countKept, dueIn, MOST_DUE, presentDue, sumCounts } from '../agenda/present.ts';
import { presentDigest } from '../digests/present.ts';
import type { Digest } from '../digests/schema.ts';
import { MODE_LABELS } from '../mailSettings/schema.ts';
import { canBeRead } from '../messenger/rules.ts';
import type { MailMode } from '../settings/schema.ts';
import { connectionBanners, crmBanners } from '../today/listBanners.ts';
import { presentAround } from '../today/present.ts';
import { groupDay } from '../today/rules.ts';
import { addressOf } from '../today/schema.ts';
import type { DayOverview } from '../today/service.ts';
import { presentWaiting } from '../waiting/present.ts';
import { chooseDigests, type MailCounts, rowsIn, shareLines, subjectFor } from './rules.ts';

/** What a mail is written from. */
export type MailDay = {
  /** The user's present day as Today shows it. */
  present: DayOverview;
  /** YYYY-MM-DD, whose digests the mail brings: another one when that ended a moment ago. */
  day: string;
  digests: Digest[];
};

export type MailAbout = { now: Date; appUrl: string; email: string; mode: MailMode; unsubscribeUrl: string };

/** More than this of a line is not needed to know what it is about. */
const LONGEST = { name: 60, words: 120 };
const MOST_BANNERS = 2;

export function countMail({ present, digests }: MailDay): MailCounts {
  const { late, today, urgent } = sumCounts(present.open);
  const { written } = groupDay(digests, { syncRuns: false });
  const { shown, urgent: urgentDigests } = chooseDigests(written);
  const waiting = present.waiting?.count ?? 0;
  return { today, late, urgent, waiting, digests: written.length, unmutedDigests: shown.length, urgentDigests };
}

/** A day as its mail prints it: what Today asks for, a few lines of each kind, with whole addresses. */
export function presentDigestMail(mail: MailDay, about: MailAbout) {
  const { present } = mail;
  const { now, appUrl, email, mode, unsubscribeUrl } = about;
  const counts = countMail(mail);
  const { headline, links, sub } = presentAround(present, { view: 'today', page: 1, now });
  const waits = links.filter(({ href }) => href === '#waiting').map(({ words }) => `${words}.`);
  const second = [...waits, sub].filter(Boolean).join(' ');
  const banners = bannersOf(present, about);
  const kept = present.agenda ? countKept(present.agenda) : 0;
  const lines = shareLines({
    due: Math.min(dueIn(counts), MOST_DUE + 1),
    waiting: Math.min(counts.waiting, (present.waiting?.waits.length ?? 0) + 1),
    ...{ digests: counts.digests, urgent: counts.urgentDigests, others: banners.length + Math.min(kept, 1) },
  });
  return {
    subject: subjectFor(present.today, counts, isBroken(present, now)),
    date: longDay(present.today),
    headline,
    sub: second,
    preheader: second || headline,
    banners,
    due: dueOf(present, { lines: lines.due, total: dueIn(counts) }, about),
    waiting: waitingOf(present, { lines: lines.waiting, total: counts.waiting }, about),
    kept: kept > 0 ? `${countOf(kept, 'promise', 'promises')} kept since yesterday` : '',
    digests: digestsOf(mail, { lines: lines.digests, total: counts.digests }, about),
    todayUrl: `${appUrl}/today`,
    settingsUrl: `${appUrl}/settings#mail`,
    unsubscribeUrl,
    why: `Sent to ${email}, because daily emails are set to “${MODE_LABELS[mode]}”.`,
    warning: 'Promises and summaries are found automatically and may contain errors.',
  };
}

/** Nothing newer than the last whole sync was read, or can be. */
function isBroken({ accounts, job }: DayOverview, now: Date): boolean {
  return accounts.length > 0 && (!accounts.some(one => canBeRead(one, now)) || job?.state === 'failed');
}

/** Of one kind: the lines there are for it, and how many it has in all. */
type Share = { lines: number; total: number };

/** How a day is drawn in a mail. Only what the reader owes is marked. */
const DUE_LOOKS = { today: 'marker', late: 'late', plain: 'due' } as const satisfies Record<string, MailLook>;

function dueOf({ agenda, today, timezone }: DayOverview, share: Share, { appUrl, now }: MailAbout) {
  const rows = agenda ? presentDue(agenda, { today, timezone, now }, rowsIn(share.lines, share.total)) : [];
  return {
    ...listOf(rows, share),
    href: `${appUrl}/today#due`,
    rows: rows.map(row => {
      const [name, company, due] = [row.name, row.company, row.due].map(text => oneLine(text, LONGEST.name));
      const about = [`${due}${row.time}`, name, company].filter(Boolean).join(' · ');
      const href = `${appUrl}${row.conversation}`;
      const words = oneLine(row.words, LONGEST.words);
      return { words, name, company, due, time: row.time, about, look: DUE_LOOKS[row.tone], href };
    }),
  };
}

function waitingOf({ waiting }: DayOverview, share: Share, { appUrl }: MailAbout) {
  const rows = waiting ? presentWaiting(waiting, { here: '' }).rows.slice(0, rowsIn(share.lines, share.total)) : [];
  return {
    ...listOf(rows, share),
    href: `${appUrl}/today#waiting`,
    rows: rows.map(({ name, words, since, conversation }) => ({
      name: oneLine(name, LONGEST.name),
      words: oneLine(words, LONGEST.words),
      since,
      href: `${appUrl}${conversation}`,
    })),
  };
}

function digestsOf({ present, day, digests }: MailDay, share: Share, { appUrl }: MailAbout) {
  const { today, timezone } = present;
  const { shown } = chooseDigests(groupDay(digests, { syncRuns: false }).written);
  const rows = shown.slice(0, rowsIn(share.lines, share.total));
  const left = share.total - rows.length;
  return {
    ...listOf(rows, share),
    ...(rows.length === 0 && left > 0 && { more: `${countOf(left, 'digest', 'digests')} on Today` }),
    href: `${appUrl}${addressOf(day === today ? {} : { day })}`,
    rows: rows.map(digest => {
      const { id, name, summary, language, urgency } = presentDigest(digest, { today, timezone });
      return {
        name: oneLine(name, LONGEST.name),
        summary: oneLine(summary, LONGEST.words),
        language,
        isUrgent: urgency.isHigh,
        href: `${appUrl}/digests/${id}`,
      };
    }),
  };
}

function listOf(rows: readonly unknown[], { total }: Share) {
  const left = total - rows.length;
  return { count: formatCount(total), more: left > 0 ? `${formatCount(left)} more on Today` : '' };
}

/** What is broken comes before everything else: it says why something may be missing. */
function bannersOf({ accounts, crm, notesWaiting, timezone }: DayOverview, { now, appUrl }: MailAbout) {
  const banners = [
    ...connectionBanners(accounts, { now, timezone, canStart: false }),
    ...crmBanners(crm.status, notesWaiting),
  ];
  return banners.slice(0, MOST_BANNERS).map(({ tone, title, text, link }) => ({
    look: tone,
    boxLook: tone === 'alert' ? 'notice' : 'caution',
    title: oneLine(title, LONGEST.words),
    text,
    link: link && { label: link.label, href: `${appUrl}${link.href}` },
  }));
}
