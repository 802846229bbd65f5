import { toOneLine } from '../../../lib/mailViews.ts';
import { addDays, startOfDay } from '../../../lib/timezones.ts';
import { formatLongDay, formatQuantity, formatTimeOfDay, formatWeekday } from '../../../lib/words.ts';
import { countLine, cutPromise, MAX_LENGTHS, promiseLine, waitLine } from '../../base/mailing/present.ts';
import { rowsThatFit } from '../../base/mailing/rules.ts';
import { MODE_LABELS } from '../../base/mailing/schema.ts';
import type { MailMode } from '../../base/settings/schema.ts';
import { describeAuthor, quoteWords } from '../../digests/describeExchanges.ts';
import { isQuoted, KEY_LINES, presentDigest } from '../../digests/present.ts';
import type { Digest } from '../../digests/schema.ts';
import { dialogName } from '../../messenger/dialogs/rules.ts';
import { connectionBanners, crmBanners } from '../../pages/today/listBanners.ts';
import { presentWithoutRows } from '../../pages/today/present.ts';
import { groupDay } from '../../pages/today/rules.ts';
import { todayPath } from '../../pages/today/schema.ts';
import type { DayOverview } from '../../pages/today/service.ts';
import { MAX_DUE, presentListed, sumCounts } from '../../promises/agenda/present.ts';
import { describeClosed } from '../../promises/list/describeRow.ts';
import { presentWaiting } from '../../promises/waiting/present.ts';
import { chooseDigests, type MailCounts, shareLines } from './rules.ts';

export type MailDay = {
  /** The user's present day as Today shows it. */
  overview: DayOverview;
  /** YYYY-MM-DD, whose digests the mail brings: not the present day if it ended a moment ago. */
  day: string;
  digests: Digest[];
  /** End of the period covered by the previous mail; undefined for the first. */
  coversUntil: Date | undefined;
  /** Number of digests that wait for a model, and the expected end, if known. */
  awaited: { count: number; until: Date | undefined };
};

export type MailAbout = { now: Date; appUrl: string; email: string; mode: MailMode; unsubscribeUrl: string };

const MAX_BANNERS = 2;
/** The mail ends with tomorrow's due promises. */
const MAX_TOMORROW_LINES = 4;
const ON_TODAY = 'on Today';

export function countMail({ overview, digests }: MailDay): MailCounts {
  const { overdue, dueToday, tomorrow, urgent, dated } = sumCounts(overview.open);
  const { written } = groupDay(digests, { syncRuns: false });
  const { shown, urgent: urgentDigests } = chooseDigests(written);
  const waiting = overview.waiting?.count ?? 0;
  const ofDigests = { digests: written.length, unmutedDigests: shown.length, urgentDigests };
  return { dueToday, overdue, urgent, dated, tomorrow, waiting, ...ofDigests };
}

/** A day as its mail prints it: what Today asks for, a few lines of each kind, with absolute URLs. */
export function presentDigestMail(mail: MailDay, about: MailAbout) {
  const { overview } = mail;
  const { now, appUrl, email, mode, unsubscribeUrl } = about;
  const counts = countMail(mail);
  const { headline, links, sub, sync } = presentWithoutRows(overview, { view: 'today', page: 1, now });
  const others = links.filter(({ href }) => href !== '#owed').map(({ words }) => words);
  const { count, until } = mail.awaited;
  const end = until ? `, until about ${formatTimeOfDay(until, overview.timezone)}` : '';
  // Warns that the mail doesn't cover the whole day yet.
  const awaited =
    count > 0 && `The AI model is still writing ${formatQuantity(count, 'more digest', 'more digests')}${end}.`;
  const asOf = sync.state === 'failed' && sync.asOf;
  const second = [others.length > 0 && `${others.join(', ')}.`, sub, asOf, awaited].filter(Boolean).join(' ');
  const banners = bannersOf(overview, about);
  const due = counts.dueToday + counts.dated + counts.urgent;
  const tomorrow = tomorrowOf(overview, counts.tomorrow, about);
  const lines = shareLines({
    due: Math.min(due, MAX_DUE + 1),
    waiting: Math.min(counts.waiting, (overview.waiting?.waits.length ?? 0) + 1),
    overdue: counts.overdue,
    digests: counts.digests,
  });
  return {
    // Counts alone: a subject is read on locked screens.
    subject: `${formatWeekday(overview.today)}: ${headline}`,
    date: formatLongDay(overview.today),
    headline,
    sub: second,
    preheader: second || headline,
    banners,
    tomorrow,
    due: dueOf(overview, { lines: lines.due, total: due }, about),
    waiting: waitingSection(overview, { lines: lines.waiting, total: counts.waiting }, about),
    closed: describeClosings(mail, about),
    overdue: overdueOf(overview, { lines: lines.overdue, total: counts.overdue }, about),
    digests: digestsOf(mail, { lines: lines.digests, total: counts.digests }, about),
    todayUrl: `${appUrl}/today`,
    settingsUrl: `${appUrl}/settings#mail`,
    unsubscribeUrl,
    stop: 'Stop the daily email',
    why: `Sent to ${email}, because daily emails are set to “${MODE_LABELS[mode]}”.`,
    warning: 'Promises and summaries are found automatically and may contain errors.',
  };
}

/** How many lines of the mail one kind of item gets, and how many items there are of it. */
type Share = { lines: number; total: number };

type AgendaRow = Parameters<Parameters<typeof presentListed>[3]>[0];

function dueRows({ agenda, today, timezone }: DayOverview, now: Date, most: number, isWanted: (one: AgendaRow) => boolean) {
  return agenda ? presentListed(agenda, { today, timezone, now }, most, isWanted) : [];
}

/** Puts the hour in place of the day, which the heading says; `otherwise` if there is no hour. */
function withHour<Row extends { due: string; time: string }>(row: Row, otherwise: string): Row {
  return { ...row, due: row.time.replace(/^, /, '') || otherwise, time: '' };
}

function tomorrowOf(overview: DayOverview, total: number, { appUrl, now }: MailAbout) {
  const day = addDays(overview.today, 1);
  const isTomorrow = ({ list, promise }: AgendaRow) => list === 'next' && promise.dueDate === day;
  const rows = dueRows(overview, now, rowsThatFit(MAX_TOMORROW_LINES, total), isTomorrow);
  return {
    ...countLine(rows, total, 'in your week'),
    href: `${appUrl}/week`,
    rows: rows.map(row => mailLine(withHour(row, ''), appUrl)),
  };
}

function mailLine(row: Parameters<typeof promiseLine>[0], appUrl: string) {
  const { due, time, name, href } = promiseLine(row, appUrl);
  return { due: `${due}${time}`, name, href, words: cutPromise(row, MAX_LENGTHS.shortWords) };
}

/** The lines on what is due, by hour; then the urgent promises without a day. */
function dueOf(overview: DayOverview, { lines, total }: Share, { appUrl, now }: MailAbout) {
  const rows = dueRows(overview, now, rowsThatFit(lines, total), ({ list }) => list === 'dueToday' || list === 'urgent');
  return {
    ...countLine(rows, total, ON_TODAY),
    href: `${appUrl}/today#due`,
    rows: rows.map(row => promiseLine(withHour(row, row.due), appUrl)),
  };
}

/** The lines on what is overdue, the latest first. */
function overdueOf(overview: DayOverview, { lines, total }: Share, { appUrl, now }: MailAbout) {
  const most = rowsThatFit(lines, total);
  const rows = dueRows(overview, now, most, ({ list }) => list === 'overdue');
  return {
    ...countLine(rows, total, ON_TODAY),
    ...(rows.length === 0 &&
      total > 0 && { more: `${formatQuantity(total, 'promise', 'promises')} past their day ${ON_TODAY}` }),
    href: `${appUrl}/today#due`,
    rows: rows.map(row => mailLine(row, appUrl)),
  };
}

function waitingSection({ waiting }: DayOverview, { lines, total }: Share, { appUrl }: MailAbout) {
  const rows = waiting ? presentWaiting(waiting, { here: '' }).rows.slice(0, rowsThatFit(lines, total)) : [];
  return {
    ...countLine(rows, total, ON_TODAY),
    href: `${appUrl}/today#waiting`,
    rows: rows.map(row => waitLine(row, appUrl)),
  };
}

function digestsOf({ overview, day, digests }: MailDay, { lines, total }: Share, { appUrl }: MailAbout) {
  const { today, timezone } = overview;
  const { shown } = chooseDigests(groupDay(digests, { syncRuns: false }).written);
  const rows = shown.slice(0, rowsThatFit(lines, total));
  return {
    ...countLine(rows, total, ON_TODAY),
    ...(rows.length === 0 && total > 0 && { more: `${formatQuantity(total, 'digest', 'digests')} ${ON_TODAY}` }),
    href: `${appUrl}${todayPath(day === today ? {} : { day })}`,
    writer: rows.length > 0 && rows.every(isQuoted) ? KEY_LINES : '',
    rows: rows.map(digest => {
      const { id, name, summary, keyLine, language, urgency } = presentDigest(digest, { today, timezone });
      return {
        name: toOneLine(name, MAX_LENGTHS.name),
        summary: toOneLine(summary, MAX_LENGTHS.summary),
        // As `views/shared/mail/_conversations` prints them.
        lines: keyLine.map(quote => ({
          by: toOneLine(describeAuthor(quote), MAX_LENGTHS.name),
          words: toOneLine(quoteWords(quote), MAX_LENGTHS.words),
          isAnswer: quote.isAnswer,
          isDone: quote.isDone,
        })),
        language,
        note: urgency.isHigh ? 'Urgent' : '',
        href: `${appUrl}/digests/${id}`,
      };
    }),
  };
}

/** The banners about broken connections, which come first: they say why something may be missing. */
function bannersOf(overview: DayOverview, { now, appUrl }: MailAbout) {
  const { accounts, timezone } = overview;
  const banners = [...connectionBanners(accounts, { now, timezone }), ...crmBanners(overview)];
  return banners
    .slice(0, MAX_BANNERS)
    .map(({ tone, title, text, link }) => ({
      look: tone,
      boxLook: tone === 'alert' ? 'notice' : 'caution',
      title: toOneLine(title, MAX_LENGTHS.words),
      text,
      link: link && { label: link.label, href: `${appUrl}${link.href}` },
    }));
}

/** At most one line each: closings need no action. */
const MAX_CLOSINGS = 3;

/** Promises closed since the previous mail, which listed the earlier ones; since yesterday where the agenda has less. */
function closingsOf({ agenda, today, timezone }: DayOverview, coversUntil: Date | undefined) {
  const closed = agenda?.closed.promises.filter(({ isDoubtful }) => !isDoubtful) ?? [];
  const { kept = 0, past = 0, notNeeded = 0 } = agenda?.closed.counts ?? {};
  const total = kept + past + notNeeded;
  const news = closed.filter(({ changedAt }) => !coversUntil || changedAt > coversUntil);
  const isWhole = news.length < closed.length || closed.length === total;
  const isRecent = coversUntil && coversUntil >= startOfDay(addDays(today, -1), timezone);
  if (isRecent && isWhole) return { since: 'the last email', closings: news, total: news.length };
  return { since: 'yesterday', closings: closed, total };
}

function describeClosings({ overview, coversUntil }: MailDay, { now, appUrl }: MailAbout) {
  const { timezone } = overview;
  const { since, closings, total } = closingsOf(overview, coversUntil);
  const rows = closings.slice(0, rowsThatFit(MAX_CLOSINGS, total));
  return {
    title: `Closed since ${since}`,
    ...countLine(rows, total, 'on Today'),
    href: `${appUrl}/today`,
    rows: rows.map(promise => {
      const { words, what, isKept } = describeClosed(promise, { now, timezone });
      return {
        name: toOneLine(dialogName(promise), MAX_LENGTHS.name),
        words: toOneLine(words, MAX_LENGTHS.words),
        due: `${isKept ? '✓ ' : ''}${what}`,
        href: `${appUrl}/conversations/${promise.dialogId}`,
      };
    }),
  };
}
