import { Temporal } from 'temporal-polyfill';
import type { Lexicon } from './languages/lexicon.ts';
import type { FoundDay } from './numberedDays.ts';

const NUMERIC = /(?<![\p{N}.,/])(\d{1,2})([./])(\d{1,2})(?:\2(\d{4}|\d{2}))?(?![\p{N}%]|[.,/]\d)/u;
/** Behind these "15.11" is a day without its last dot. */
const BEFORE_DATE = /(?:^|[ (])(?:am|bis|zum|ab|vom|do|na|dnia|od|до|к|на|від|от|el|al|até|dia|le|il) $/u;
const MONTH_FIRST = /^(?:America\/(?!(?:Argentina|Sao|Bogota|Lima|Santiago|Caracas))|US\/|Canada\/)/;

/** 20.11. and 20.11.2026 everywhere, 20/11 where it is clear which is the month. */
export function numericDate(
  folded: string,
  { haveSlashes }: Lexicon['dates'],
  today: Temporal.PlainDate,
  timezone: string,
): FoundDay | null {
  const match = NUMERIC.exec(folded);
  if (!match) return null;
  const [, first = '', mark, second = '', year = ''] = match;
  // "at 10.30", "3.5 million" and "24/7" are no dates; with dots a date has its year or its last dot.
  const isLed = !haveSlashes && /^(?:0[1-9]|1[0-2])$/.test(second) && BEFORE_DATE.test(folded.slice(0, match.index));
  const closed = folded.charAt(match.index + match[0].length) === '.' || year !== '' || isLed;
  if (mark === '.' ? !closed : first === '24' && second === '7') return null;
  const monthFirst =
    mark === '/' && haveSlashes && (Number(second) > 12 || (Number(first) <= 12 && MONTH_FIRST.test(timezone)));
  const [day, month] = monthFirst ? [Number(second), Number(first)] : [Number(first), Number(second)];
  const found = plainDate(today, { year: year ? Number(year.slice(-2)) + 2000 : null, month, day });
  return found && at(match, found);
}

/** The next such day; one that was only weeks or months ago counts as a past day of this year. */
export function plainDate(
  today: Temporal.PlainDate,
  { year, month, day }: { year: number | null; month: number; day: number },
): Temporal.PlainDate | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  const date = Temporal.PlainDate.from({ year: year ?? today.year, month, day });
  if (year !== null || Temporal.PlainDate.compare(date, today.subtract({ days: 120 })) >= 0) return date;
  return date.add({ years: 1 });
}

export function at(match: RegExpExecArray, day: Temporal.PlainDate): FoundDay {
  return { day, index: match.index, length: match[0].length };
}
