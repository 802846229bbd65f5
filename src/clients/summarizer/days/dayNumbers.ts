import { fold } from '../cleaning.ts';
import { findNamedDays, type NamedDay } from './calendar.ts';
import { dayNames } from './names.ts';

/** A number of a text, in ASCII. `parts`: those of a date, an hour or a range, otherwise its value alone. */
type NumberInText = { value: string; parts: readonly string[]; written: string; index: number };
export type MonthDay = `${number}-${number}`;

const LAST_OF_MONTH = 31;
/** Characters between a month and the number of its day: "3 de diciembre", "Nov. 30". */
const MAX_GAP = 5;
/** "The 21st", "20日" */
export const ORDINAL = /^(?:st|nd|rd|th)\b|^-?(?:го|му|ого|ому)(?!\p{L})|^[日号號]/u;
const POINT = /^\.(?!\d)/;

/** The months that are named with a day, in whichever order: in "12 November, um 7 Uhr" the hour is none. */
export function findDates(numbers: readonly NumberInText[], named: readonly NamedDay[]): MonthDay[] {
  return named.flatMap(({ word, index, meanings }) => {
    const months = [...meanings].flatMap(meaning => (meaning.startsWith('month') ? meaning.slice(6) : []));
    const near = numbers.filter(({ value, parts, written, index: at }) => {
      const gap = at > index ? at - index - word.length : index - at - written.length;
      return at >= 0 && parts.length === 1 && Number(value) >= 1 && Number(value) <= LAST_OF_MONTH && gap <= MAX_GAP;
    });
    const before = near.filter(({ index: at }) => at < index);
    const days = before.length > 0 ? before : near.slice(0, 1);
    return days.flatMap(({ value }) => months.map(month => `${month}-${value}` as MonthDay));
  });
}

/** Tells whether a number is that of a day or a year: digits, in a text with a weekday or month or by their notation. */
export function createDayNumberCheck(text: string, language: string): (number: NumberInText) => boolean {
  const plain = text.normalize('NFKC');
  const namesDay = findNamedDays(text, language).length > 0;
  const { numbered, said } = dayNames(language);
  const byWord = [numbered, said.number].flatMap(pattern => pattern.exec(fold(text, language))?.slice(1) ?? []);
  return ({ value, written, index }) =>
    (Number(value) <= LAST_OF_MONTH || /^20\d\d$/.test(value)) &&
    /^\p{Nd}/u.test(plain.slice(index)) &&
    (namesDay || byWord.includes(value) || [ORDINAL, POINT].some(end => end.test(plain.slice(index + written.length))));
}
