import { countOf, formatCount, numberWord, pluralOf, sinceWords } from '../../lib/words.ts';
import { isUrgent } from '../digests/rules.ts';
import type { Digest } from '../digests/schema.ts';
import { TOO_FEW_MESSAGES } from '../digests/schema.ts';
import { type Counts, type Groups, openItems } from './rules.ts';
import type { DayOverview } from './service.ts';

type About = {
  now: Date;
  groups: Groups;
  counts: Counts;
  /** A sync is at work. */
  runs: boolean;
  isFirstSync: boolean;
  /** Nothing newer than the last whole sync was read, or can be. */
  isBroken: boolean;
};

/** The first lines of the page: what the day asks, and how far it reaches when that is not up to now. */
export function writeHeadline(overview: DayOverview, about: About): { headline: string; sub: string } {
  const { counts, runs } = about;
  const isPast = overview.day !== overview.today;
  if (runs && !isPast && overview.digests.every(digest => digest.summary === '')) {
    return { headline: 'Reading your conversations.', sub: 'The first digests are ready in a minute or two.' };
  }
  if (about.isFirstSync && !about.isBroken) {
    return { headline: 'Nothing read yet.', sub: 'The first sync reads the newest messages of the last two weeks.' };
  }
  const line = headline(about.groups, { isPast });
  const isHonest = isPast || runs || !about.isBroken;
  return {
    headline: isHonest ? line : brokenLine(line, overview, about),
    sub: subWords(counts, about.groups, runs && !isPast),
  };
}

/** "Two are urgent. This digest ends yesterday at 22:40." */
function brokenLine(line: string, { readUntil, timezone }: DayOverview, { counts, now }: About): string {
  if (!readUntil) return counts.failed > 0 ? line : 'Nothing could be read yet.';
  const until = sinceWords(readUntil, { now, timezone });
  if (counts.everything + counts.failed === 0) return `Nothing new was read. The last sync was ${until}.`;
  const [first = line, second = first] = line.split(/(?<=\.) /);
  const news = counts.urgent > 0 || counts.open === 0 ? first : second;
  return counts.everything > 0 ? `${news} This digest ends ${until}.` : `${line} The last complete sync was ${until}.`;
}

function subWords(counts: Counts, groups: Groups, runs: boolean): string {
  const all = counts.everything + counts.failed + counts.skipped;
  if (all === 0) return '';
  const quiet = groups.quiet.every(digest => digest.reason === TOO_FEW_MESSAGES) ? 'quiet' : 'skipped';
  const parts = [
    `${countOf(counts.everything, 'digest', 'digests')} from ${countOf(all, 'conversation', 'conversations')}.`,
    ...(counts.skipped > 0
      ? [`${formatCount(counts.skipped)} ${pluralOf(counts.skipped, 'was', 'were')} ${quiet}.`]
      : []),
    ...(counts.failed > 0 ? [`${formatCount(counts.failed)} couldn’t be finished.`] : []),
    ...(runs ? ['New ones appear here as they’re ready.'] : []),
  ];
  return parts.join(' ');
}

/** The first line of the day, from counts alone: "Two are urgent. Five people wait for something from you." */
export function headline(groups: Groups, { isPast }: { isPast: boolean }): string {
  const urgent = groups.needsYou.filter(isUrgent).length;
  const owing = groups.needsYou.filter(digest => openItems(digest).length > 0);
  if (urgent === 0 && owing.length === 0) return quietDay(groups, isPast);
  return `${urgentWords(urgent, isPast)} ${owing.length > 0 ? owingWords(owing, isPast) : restWords(isPast)}`;
}

function quietDay(groups: Groups, isPast: boolean): string {
  if (groups.needsYou.length + groups.worthKnowing.length > 0 || groups.quiet.length > 0) {
    return isPast ? 'A quiet day. Nothing waited for you.' : 'A quiet day. Nothing waits for you.';
  }
  if (groups.notFinished.length > 0) return 'This day’s digests aren’t finished.';
  return isPast ? 'Nothing was read on this day.' : 'Nothing new so far today.';
}

function urgentWords(urgent: number, isPast: boolean): string {
  if (urgent === 0) return isPast ? 'Nothing was urgent.' : 'Nothing urgent.';
  const verb = isPast ? pluralOf(urgent, 'was', 'were') : pluralOf(urgent, 'is', 'are');
  return `${numberWord(urgent)} ${verb} urgent.`;
}

function owingWords(owing: Digest[], isPast: boolean): string {
  const onlyPeople = owing.every(digest => digest.dialog.peerType === 'user');
  const who = onlyPeople
    ? pluralOf(owing.length, 'person', 'people')
    : pluralOf(owing.length, 'conversation', 'conversations');
  const verb = isPast ? 'waited' : pluralOf(owing.length, 'waits', 'wait');
  return `${numberWord(owing.length)} ${who} ${verb} for something from you.`;
}

function restWords(isPast: boolean): string {
  return isPast ? 'Nothing waited for you.' : 'Nothing waits for you.';
}
