import { countOf, formatCount, numberWord, pluralOf, sinceWords } from '../../lib/words.ts';
import { isUrgent } from '../digests/rules.ts';
import { type Digest, TOO_FEW_MESSAGES } from '../digests/schema.ts';
import type { DayOverview } from '../today/service.ts';
import { NOT_FINISHED } from '../today/writeHeadline.ts';
import { type MailGroups, openItems } from './groupMail.ts';

type About = {
  now: Date;
  groups: MailGroups;
  /** Nothing newer than the last whole sync was read, or can be. */
  isBroken: boolean;
};

/** The first lines of the mail: what its digests ask, and how far they reach when that is not up to now. */
export function writeHeadline(overview: DayOverview, about: About): { headline: string; sub: string } {
  const line = headline(about.groups);
  return { headline: about.isBroken ? brokenLine(line, overview, about) : line, sub: subWords(about.groups) };
}

/** "Two are urgent. This digest ends yesterday at 22:40." */
function brokenLine(line: string, { readUntil, timezone }: DayOverview, { groups, now }: About): string {
  const written = groups.needsYou.length + groups.worthKnowing.length;
  const failed = groups.notFinished.length;
  if (!readUntil) return failed > 0 ? line : 'Nothing could be read yet.';
  const until = sinceWords(readUntil, { now, timezone });
  if (written + failed === 0) return `Nothing new was read. The last sync was ${until}.`;
  const [first = line, second = first] = line.split(/(?<=\.) /);
  const news = groups.needsYou.some(isUrgent) || groups.needsYou.length === 0 ? first : second;
  return written > 0 ? `${news} This digest ends ${until}.` : `${line} The last complete sync was ${until}.`;
}

function subWords({ needsYou, worthKnowing, notFinished, quiet }: MailGroups): string {
  const written = needsYou.length + worthKnowing.length;
  const all = written + notFinished.length + quiet.length;
  if (all === 0) return '';
  const word = quiet.every(digest => digest.reason === TOO_FEW_MESSAGES) ? 'quiet' : 'skipped';
  const skipped = quiet.length;
  const failed = notFinished.length;
  const parts = [
    `${countOf(written, 'digest', 'digests')} from ${countOf(all, 'conversation', 'conversations')}.`,
    ...(skipped > 0 ? [`${formatCount(skipped)} ${pluralOf(skipped, 'was', 'were')} ${word}.`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} couldn’t be finished.`] : []),
  ];
  return parts.join(' ');
}

/** The first line of the day, from counts alone: "Two are urgent. Five people wait for something from you." */
export function headline(groups: MailGroups): string {
  const urgent = groups.needsYou.filter(isUrgent).length;
  const owing = groups.needsYou.filter(digest => openItems(digest).length > 0);
  if (urgent === 0 && owing.length === 0) return quietDay(groups);
  const urgency = urgent === 0 ? 'Nothing urgent.' : `${numberWord(urgent)} ${pluralOf(urgent, 'is', 'are')} urgent.`;
  return `${urgency} ${owing.length > 0 ? owingWords(owing) : 'Nothing waits for you.'}`;
}

function quietDay(groups: MailGroups): string {
  if (groups.worthKnowing.length > 0 || groups.quiet.length > 0) return 'A quiet day. Nothing waits for you.';
  return groups.notFinished.length > 0 ? NOT_FINISHED : 'Nothing new so far today.';
}

function owingWords(owing: Digest[]): string {
  const onlyPeople = owing.every(digest => digest.dialog.peerType === 'user');
  const who = onlyPeople
    ? pluralOf(owing.length, 'person', 'people')
    : pluralOf(owing.length, 'conversation', 'conversations');
  return `${numberWord(owing.length)} ${who} ${pluralOf(owing.length, 'waits', 'wait')} for something from you.`;
}
