import type { Temporal } from 'temporal-polyfill';
import type { FoundDay } from './numberedDays.ts';

const PLAIN_DAY =
  /(?<![\p{L}\p{N}'-])(?:(?:on )?(mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today)(?![\p{L}\p{N}'-])/gu;
const WEEK = ['mon', 'tues', 'wednes', 'thurs', 'fri', 'satur', 'sun'];
/** Beside one of these, only the library can tell what is meant: "Friday week", "tomorrow at 3", "next Monday". */
const LESS_PLAIN = new RegExp(
  [
    String.raw`\d`,
    String.raw`\b(?:this|next|last|past|previous|following|coming|ago|later|before|after|from|in|within|for|now)\b`,
    String.raw`\b(?:the|half|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|few|some) (?:and|more|an?|day|sec|min|hr)\b`,
    'second|minute|hour|week|month|quarter|year|noon|midday|morning|evening|night|yesterday|tmr',
    String.raw`\b(?:mon|tues?|wed|thurs?|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)\b`,
    'january|february|march|april|june|july|august|september|october|november|december',
  ].join('|'),
  'u',
);

/**
 * The only day of an English text with nothing beside it that could change it: "by Friday", "tomorrow". Most days are
 * named this way, and the date library reads a text some thirty times to find them.
 */
export function plainDay(folded: string, today: Temporal.PlainDate): FoundDay | null {
  const [named, ...more] = folded.matchAll(PLAIN_DAY);
  if (!named || more.length > 0 || LESS_PLAIN.test(folded)) return null;
  const weekday = WEEK.indexOf(named[1] ?? '');
  const ahead = named[0] === 'today' ? 0 : weekday < 0 ? 1 : ((weekday - today.dayOfWeek + 7) % 7) + 1;
  return { day: today.add({ days: ahead }), index: named.index, length: named[0].length };
}
