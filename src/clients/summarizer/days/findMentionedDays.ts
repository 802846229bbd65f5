import { Temporal } from 'temporal-polyfill';
import { localDay } from '../../../lib/timezones.ts';
import { packOf } from '../languages/stopwords.ts';
import { splitSentences } from '../sentences.ts';
import { findCountedDays, findTypedDays, nextDayOfMonth, nextWeekday } from './calendar.ts';
import { ORDINAL } from './dayNumbers.ts';
import { findWhen, MAX_READ_LENGTH } from './findWhen.ts';
import { namesDayOfMonth } from './resolveDueDate.ts';

type Message = { text: string; language: string; sentAt: Date };
type MentionedDays = {
  /** YYYY-MM-DD, named or counted. */
  days: string[];
  /** Days of which only the number was said, if it means a day at all. */
  numbered: Temporal.PlainDate[];
};

const NUMBER = /(?<![\d.,:])\d{1,2}(?![\d:]|[.,]\d)/g;
const DAYS_OF_WEEK = 7;

/** All days that a message mentions, those of the last week too. @param timezone IANA @param nextStep yields between sentences */
export async function findMentionedDays(
  { text, language, sentAt }: Message,
  timezone: string,
  nextStep: () => Promise<void>,
): Promise<MentionedDays> {
  const sentOn = Temporal.PlainDate.from(localDay(sentAt, timezone));
  const counted = findCountedDays(text).filter(count => Math.abs(count) <= 2);
  const meanings = findTypedDays(text, language).flatMap(day => [...day.meanings]);
  const weekdays = meanings.flatMap(meaning => (meaning.startsWith('weekday') ? Number(meaning.split(' ')[1]) : []));
  const days = [
    ...counted.map(count => sentOn.add({ days: count })),
    ...weekdays.map(weekday => nextWeekday(sentOn, weekday)),
  ].map(String);
  const numbered: Temporal.PlainDate[] = [];
  if (!/\p{N}/u.test(text) && days.length === 0 && meanings.length === 0) return { days, numbered };
  for (const sentence of splitSentences(text, language)) {
    await nextStep();
    const when = findWhen(sentence, language, sentAt, timezone, DAYS_OF_WEEK);
    if (when && !when.isHour) days.push(when.date);
    // The first date of a sentence is not the only one: "the 21st/22nd".
    const plain = sentence.slice(0, MAX_READ_LENGTH).normalize('NFKC');
    for (const [number, isOrdinal] of findNumbers(plain)) {
      const day = nextDayOfMonth(sentOn, number);
      if (day && isOrdinal) days.push(day.toString());
      else if (day && namesDayOfMonth(plain, packOf(language), number)) numbered.push(day);
    }
  }
  return { days, numbered };
}

/** Each number of a text once, with whether it is an ordinal anywhere. */
function findNumbers(plain: string): Map<number, boolean> {
  const found = new Map<number, boolean>();
  for (const { 0: digits, index } of plain.matchAll(NUMBER)) {
    const number = Number(digits);
    found.set(number, found.get(number) || ORDINAL.test(plain.slice(index + digits.length)));
  }
  return found;
}
