import { toOneLine } from '../../../lib/mailViews.ts';
import { formatCount, formatQuantity } from '../../../lib/words.ts';
import { countLine, MAX_LENGTHS, promiseLine, waitLine } from '../../base/mailing/present.ts';
import { rowsThatFit } from '../../base/mailing/rules.ts';
import { describeBusy, weekTitle, writeWeekHeadline } from '../../pages/week/present.ts';
import { addressOfWeek, type Week } from '../../pages/week/service.ts';
import { describeRow } from '../../promises/list/describeRow.ts';
import { presentWaiting } from '../../promises/waiting/present.ts';

/** Lines per list, including the one that counts the rest: fifteen in all. */
export const LINES = { late: 4, waiting: 4, moved: 3, next: 4 } as const;

/** Contains counts only, no conversation's words: "Your week: 11 of 13 promises kept, 2 past their day, 9 new". */
function subjectFor({ counts, waiting, isPresent }: Week): string {
  const { due, kept, late, ahead, fresh } = counts;
  // As the headline counts.
  const [soFar, counted] = isPresent && ahead > 0 ? [' so far', kept + late] : ['', due];
  const share = `${formatCount(kept)} of ${formatQuantity(counted, 'promise', 'promises')} kept${soFar}`;
  const dueWords = due > 0 ? `${formatQuantity(due, 'promise', 'promises')} due` : 'nothing due';
  const parts = [
    counted > 0 ? share : dueWords,
    late > 0 && `${formatCount(late)} past ${late === 1 ? 'its' : 'their'} day`,
    fresh > 0 && `${formatCount(fresh)} new`,
    waiting.count > 0 && `${formatQuantity(waiting.count, 'person', 'people')} waiting`,
  ];
  return `Your week: ${parts.filter(part => part !== false).join(', ')}`;
}

type WeekMailAbout = { appUrl: string; email: string; unsubscribeUrl: string };

const IN_WEEK = 'in your week';

/** A week as its mail prints it: the page of the week in a few lines, with absolute addresses. */
export function presentWeekMail(week: Week, { appUrl, email, unsubscribeUrl }: WeekMailAbout) {
  const { headline, links } = writeWeekHeadline(week);
  const weekUrl = `${appUrl}${addressOfWeek(week.monday, week.today)}`;
  const second = links.map(({ words }) => words).join(' ');
  return {
    subject: subjectFor(week),
    date: weekTitle(week),
    headline,
    sub: second,
    preheader: second || headline,
    late: { title: 'Past their day', ...promisesSection(week, 'late', appUrl), href: `${weekUrl}#late` },
    waiting: { ...waitingSection(week, appUrl), href: `${weekUrl}#waiting` },
    moved: movedOf(week, appUrl),
    next: nextOf(week, appUrl),
    weekUrl,
    settingsUrl: `${appUrl}/settings#mail`,
    unsubscribeUrl,
    stop: 'Stop the weekly email',
    why: `Sent to ${email}, because the weekly email is on.`,
    warning: 'Promises and summaries are found automatically and may contain errors.',
  };
}

function promisesSection(week: Week, list: 'late' | 'next', appUrl: string) {
  const all = week.listed.filter(one => one.list === list);
  const rows = all.slice(0, rowsThatFit(LINES[list], week.counts[list]));
  return {
    ...countLine(rows, week.counts[list], IN_WEEK),
    rows: rows.map(({ promise }) =>
      promiseLine({ ...describeRow(promise, { ...week, view: 'yours' }), company: '' }, appUrl),
    ),
  };
}

/** The following week. For a past week it is the current one, where these promises are still due. */
function nextOf(week: Week, appUrl: string) {
  const [title, place] = week.isPresent ? ['Next week', 'next'] : ['This week', 'ahead'];
  return { title, ...promisesSection(week, 'next', appUrl), href: `${appUrl}/week#${place}` };
}

function waitingSection({ waiting, isPresent }: Week, appUrl: string) {
  const rows = presentWaiting(waiting, { here: '' }).rows.slice(0, rowsThatFit(LINES.waiting, waiting.count));
  return {
    title: isPresent ? 'Waiting longest for you' : 'Still waiting for you',
    ...countLine(rows, waiting.count, IN_WEEK),
    rows: rows.map(row => waitLine(row, appUrl)),
  };
}

function movedOf(week: Week, appUrl: string) {
  return {
    title: 'Moved the most',
    more: '',
    href: '',
    rows: week.moved.slice(0, LINES.moved).map(dialog => {
      const { name, words, language, when, conversation } = describeBusy(dialog, week);
      return {
        name: toOneLine(name, MAX_LENGTHS.name),
        summary: toOneLine(words, MAX_LENGTHS.words),
        language,
        note: when,
        href: `${appUrl}${conversation}`,
      };
    }),
  };
}
