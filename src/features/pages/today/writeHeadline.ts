import {
  choosePlural,
  formatCount,
  formatDayInSentence,
  formatQuantity,
  formatTimeOfDay,
  lowerNumberWord,
  numberWord,
} from '../../../lib/words.ts';
import { isBuiltIn } from '../../digests/present.ts';
import { isUrgent } from '../../digests/rules.ts';
import { TOO_FEW_MESSAGES } from '../../digests/schema.ts';
import { countDue, dueWords, sumCounts } from '../../promises/agenda/present.ts';
import type { Counts, Groups } from './rules.ts';
import type { DayOverview } from './service.ts';

type HeadlineContext = {
  now: Date;
  groups: Groups;
  counts: Counts;
  /** A sync is at work. */
  runs: boolean;
  isFirstSync: boolean;
  /** Reading has failed since the last completed sync. */
  isBroken: boolean;
};

/** The headline of the page. `links` are parts of the second line that link to the lists they count. */
type Headline = { headline: string; links: { href: string; words: string }[]; sub: string };

const toHeadline = (headline: string, sub = ''): Headline => ({ headline, links: [], sub });

/** The first lines of the page: what the day asks, and how far it reaches when that is not up to now. */
export function writeHeadline(overview: DayOverview, about: HeadlineContext): Headline {
  const { runs } = about;
  if (overview.day !== overview.today) return toHeadline(pastLine(about.groups), subWords(overview, about));
  if (runs && overview.days.length === 0 && overview.digests.every(({ summary }) => summary === '')) {
    return toHeadline('Reading your conversations.', 'The first digests are ready in a minute or two.');
  }
  if (about.isFirstSync && !about.isBroken) {
    return toHeadline('Nothing read yet.', 'The first sync reads the newest messages of the last two weeks.');
  }
  if (about.isBroken && !runs && !overview.readUntil && about.counts.everything === 0) {
    return toHeadline('Nothing could be read yet.', subWords(overview, about));
  }
  return { headline: writeDuties(overview, about), links: headlineLinks(overview), sub: subWords(overview, about) };
}

const NOT_FINISHED = 'This day’s digests aren’t finished.';

/** Based on counts of promises alone; what others owe is never part of it. */
function writeDuties(overview: DayOverview, { groups }: HeadlineContext): string {
  const { overdue, dueToday, urgent, dated } = sumCounts(overview.open);
  // Unread messages may ask for something.
  if (overdue + dueToday + urgent + dated === 0 && groups.notFinished.length > 0) return NOT_FINISHED;
  const due = dueWords({ promises: dueToday, dates: dated }, 'today');
  const isDue = dueToday + dated > 0;
  if (overdue + urgent > 0) {
    const first = overdue > 0 ? { count: overdue, words: 'overdue' } : { count: urgent, words: 'urgent' };
    // "Two promises are due today. One is overdue", but without the first sentence "One promise is overdue".
    const are =
      dueToday > 0 ? choosePlural(first.count, 'is', 'are') : choosePlural(first.count, 'promise is', 'promises are');
    const more = overdue > 0 && urgent > 0 ? `, ${lowerNumberWord(urgent)} ${choosePlural(urgent, 'is', 'are')} urgent` : '';
    return `${isDue ? `${due} ` : ''}${numberWord(first.count)} ${are} ${first.words}${more}.`;
  }
  return isDue || !overview.waiting ? due : `${due} ${waitingWords(overview) || 'No one is waiting for you'}.`;
}

const PERSON_WAITS = 'person is waiting for you';
const PEOPLE_WAIT = 'people are waiting for you';

function waitingWords({ waiting }: DayOverview): string {
  const count = waiting?.count ?? 0;
  return count === 0 ? '' : `${numberWord(count)} ${choosePlural(count, PERSON_WAITS, PEOPLE_WAIT)}`;
}

/** Links to listed items that the headline doesn't count. */
function headlineLinks(overview: DayOverview): Headline['links'] {
  const sum = sumCounts(overview.open);
  const { perhapsSettled, owing } = sum;
  const waiting = countDue(sum) > 0 ? (overview.waiting?.count ?? 0) : 0;
  const links = [
    { href: '#waiting', count: waiting, words: choosePlural(waiting, PERSON_WAITS, PEOPLE_WAIT) },
    {
      href: '#due',
      count: perhapsSettled,
      words: `${choosePlural(perhapsSettled, 'promise is', 'promises are')} perhaps settled`,
    },
    { href: '#owed', count: owing, words: `${choosePlural(owing, 'owes', 'owe')} you something` },
  ].filter(({ count }) => count > 0);
  return links.map(({ href, count, words }, n) => {
    return { href, words: `${n === 0 ? numberWord(count) : lowerNumberWord(count)} ${words}` };
  });
}

/** The first line of an earlier day. */
function pastLine({ written, notFinished, quiet }: Groups): string {
  if (written.length === 0) {
    if (notFinished.length > 0) return NOT_FINISHED;
    return quiet.length > 0 ? 'A quiet day.' : 'Nothing was read on this day.';
  }
  const urgent = written.filter(isUrgent).length;
  const verb = choosePlural(urgent, 'was', 'were');
  const calm = isKnownCalm(written) ? ' Nothing was urgent.' : '';
  const urgency = urgent === 0 ? calm : ` ${numberWord(urgent)} ${verb} urgent.`;
  return `${numberWord(written.length)} ${choosePlural(written.length, 'digest', 'digests')}.${urgency}`;
}

/** Without a model nothing is marked urgent, so its absence is no sign of calm. */
function isKnownCalm(written: Groups['written']): boolean {
  return written.every(digest => !isBuiltIn(digest) && !isUrgent(digest));
}

/** `27 digests since yesterday 07:30, none of them urgent. 3 were quiet.` */
function subWords(overview: DayOverview, { now, counts, groups }: HeadlineContext): string {
  const isPast = overview.day !== overview.today;
  if (counts.everything + counts.failed + counts.skipped === 0) return '';
  const quiet = groups.quiet.every(digest => digest.reason === TOO_FEW_MESSAGES) ? 'quiet' : 'skipped';
  const isCalm = counts.everything > 0 && isKnownCalm(groups.written);
  const excerpts = groups.written.filter(({ isExcerpt }) => isExcerpt).length;
  const calm = isCalm && !isPast ? ', none of them urgent' : '';
  const parts = [
    !isPast && `${formatQuantity(counts.everything, 'digest', 'digests')}${sincePart(overview, now)}${calm}.`,
    counts.skipped > 0 && `${formatCount(counts.skipped)} ${choosePlural(counts.skipped, 'was', 'were')} ${quiet}.`,
    counts.failed > 0 && `${formatCount(counts.failed)} couldn’t be finished.`,
    excerpts > 0 && excerptWords(excerpts),
  ];
  return parts.filter(Boolean).join(' ');
}

/** Says how many digests are excerpts, as promises may be missing until they are rewritten. */
function excerptWords(count: number): string {
  const verb = choosePlural(count, 'is an excerpt', 'are excerpts');
  return `${formatCount(count)} ${verb} until the AI model has written; promises follow then.`;
}

function sincePart({ readBefore, timezone }: DayOverview, now: Date): string {
  if (!readBefore) return '';
  return ` since ${formatDayInSentence(readBefore, { now, timezone })} ${formatTimeOfDay(readBefore, timezone)}`;
}
