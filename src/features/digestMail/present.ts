import type { MailLook } from '../../lib/mailLooks.ts';
import { countOf, longDay } from '../../lib/words.ts';
import { presentDigest } from '../digests/present.ts';
import { MODE_LABELS } from '../mailSettings/schema.ts';
import { canBeRead } from '../messenger/rules.ts';
import type { MailMode } from '../settings/schema.ts';
import { connectionBanners, crmBanners } from '../today/listBanners.ts';
import type { DayOverview } from '../today/service.ts';
import type { MailGroups } from './groupMail.ts';
import { oneLine, subjectFor } from './rules.ts';
import { writeHeadline } from './writeHeadline.ts';

/** How many rows of each group a mail has at most. */
export type Room = { needsYou: number; worthKnowing: number };

export type MailAbout = { now: Date; appUrl: string; email: string; mode: MailMode; unsubscribeUrl: string };

/** A day as its mail prints it: what Today shows, with whole addresses, and nothing that needs a click here. */
export function presentDigestMail(overview: DayOverview, groups: MailGroups, room: Room, about: MailAbout) {
  const { now, appUrl, email, mode, unsubscribeUrl } = about;
  const { day, timezone, accounts, job, links, limits: plan } = overview;
  const isBroken = accounts.length > 0 && (!accounts.some(one => canBeRead(one, now)) || job?.state === 'failed');
  const { headline, sub } = writeHeadline(overview, { now, groups, isBroken });
  const row = (digest: MailGroups['needsYou'][number]) => {
    const shown = presentDigest(digest, { today: day, timezone, links, plan });
    return rowOf(shown, `${appUrl}/digests/${digest.id}`);
  };
  const summaryCount = groups.needsYou.length + groups.worthKnowing.length;
  return {
    subject: subjectFor(day, groups),
    date: longDay(day),
    headline,
    sub,
    preheader: sub || headline,
    banners: bannersOf(overview, about),
    needsYou: groups.needsYou.slice(0, room.needsYou).map(row),
    needsYouCount: groups.needsYou.length,
    worthKnowing: groups.worthKnowing.slice(0, room.worthKnowing).map(row),
    worthKnowingCount: groups.worthKnowing.length,
    more: moreWords(groups, room),
    todayUrl: `${appUrl}/today?day=${day}`,
    settingsUrl: `${appUrl}/settings#mail`,
    unsubscribeUrl,
    why: `Sent to ${email}, because digest emails are set to “${MODE_LABELS[mode]}”.`,
    warning: summaryCount > 0 ? 'The summaries are generated automatically and may contain errors.' : '',
  };
}

/** How a date is drawn in a mail. Only what the reader owes is marked. */
const DUE_LOOKS = { today: 'marker', late: 'alert', plain: 'due' } as const satisfies Record<string, MailLook>;

function rowOf(shown: ReturnType<typeof presentDigest>, href: string) {
  const actions = shown.actions.filter(({ isDone }) => !isDone);
  return {
    href,
    name: oneLine(shown.name),
    about: [shown.group, shown.messages, shown.when].filter(Boolean).join(' · '),
    isUrgent: shown.urgency.isHigh,
    summary: oneLine(shown.summary),
    language: shown.language,
    actions: actions.map(({ text, owner, due, tone, isUser }) => ({
      text: oneLine(text),
      due: oneLine([isUser ? 'You' : owner, due].filter(Boolean).join(' · ')),
      look: DUE_LOOKS[tone],
    })),
  };
}

/** What is broken comes before everything else: it says why something may be missing. */
function bannersOf({ accounts, crm, notesWaiting, timezone }: DayOverview, { now, appUrl }: MailAbout) {
  const banners = [
    ...connectionBanners(accounts, { now, timezone, canStart: false }),
    ...crmBanners(crm.status, notesWaiting),
  ];
  return banners.map(({ tone, title, text, link }) => ({
    look: tone,
    boxLook: tone === 'alert' ? 'notice' : 'caution',
    title: oneLine(title),
    text,
    link: link && { label: link.label, href: `${appUrl}${link.href}` },
  }));
}

/** What the mail has no room for. */
function moreWords({ needsYou, worthKnowing }: MailGroups, room: Room): string {
  const left = Math.max(0, needsYou.length - room.needsYou) + Math.max(0, worthKnowing.length - room.worthKnowing);
  return left > 0 ? `${countOf(left, 'more digest is', 'more digests are')} on Today.` : '';
}
