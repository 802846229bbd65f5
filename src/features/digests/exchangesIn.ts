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
  return structured.exchanges
    ?.map(({ opener, answers, ...exchange }) => ({ ...exchange, opener: inZone(opener), answers: answers.map(inZone) }))
    .toSorted(({ opener: one }, { opener: other }) => compare(other.day, one.day) || compare(one.time, other.time));
}

/** Both are written in a way that sorts. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
