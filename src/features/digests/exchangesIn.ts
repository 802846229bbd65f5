import type { Exchange, Line } from '../../clients/summarizer/types.ts';
import { localDay } from '../../lib/timezones.ts';
import { clockTime } from '../../lib/words.ts';
import type { Digest } from './schema.ts';

/**
 * The exchanges of a digest, the newest day first, with their days and hours in this zone: they were stored in the one
 * that the user had then. A line whose message was not kept stays as it is.
 */
export function exchangesIn(
  { structured, sources }: Pick<Digest, 'structured' | 'sources'>,
  timezone: string,
): Exchange[] | undefined {
  const sentAt = new Map(sources.messages.map(message => [message.id, new Date(message.sentAt)]));
  const inZone = (line: Line): Line => {
    const moment = sentAt.get(line.messageId);
    return moment ? { ...line, day: localDay(moment, timezone), time: clockTime(moment, timezone) } : line;
  };
  const { exchanges } = structured;
  const shown = exchanges?.map(exchange => {
    const { opener, answers } = exchange;
    return { ...exchange, opener: inZone(opener), answers: answers.map(inZone) };
  });
  const isMoved = shown?.some(({ opener }, n) => opener.day !== exchanges?.[n]?.opener.day);
  return isMoved ? shown?.toSorted(byNewestDay) : shown;
}

function byNewestDay({ opener: one }: Exchange, { opener: other }: Exchange): number {
  return other.day.localeCompare(one.day) || one.time.localeCompare(other.time);
}
