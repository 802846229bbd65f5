import { dayAfter, dayBefore, mondayOf, sundayOf } from '../../../lib/timezones.ts';
import { wordsIn } from '../../digests/search/rules.ts';
import type { Days } from './schema.ts';

const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'pt', 'pl', 'ru', 'uk', 'tr', 'el', 'ar', 'he'];

/** Days and weeks that count from the present day, folded, each with the days back from it. */
const BACK: readonly (readonly [names: string, since: number, until: number])[] = [
  ['day before yesterday, vorgestern, anteayer, avant hier, позавчера, altro ieri, anteontem', 2, 2],
  ['yesterday, gestern, ayer, hier, вчера, ieri, ontem, wczoraj, вчора, dun, χθες, أمس, אתמול, 昨日, 昨天', 1, 1],
  [
    'today, heute, hoy, aujourd hui, сегодня, oggi, hoje, dzisiaj, dzis, сьогодні, bugun, σήμερα, اليوم, היום, 今日, 今天',
    0,
    0,
  ],
];
const WEEKS: readonly (readonly [names: string, back: number])[] = [
  [
    'last week, letzte woche, letzter woche, semana pasada, semaine derniere, прошлой неделе, settimana scorsa, semana passada, zeszlym tygodniu',
    1,
  ],
  ['this week, diese woche, dieser woche, esta semana, cette semaine, этой неделе, questa settimana, tym tygodniu', 0],
];

const namesOf = (list: string) => list.split(',').map(name => wordsIn(name).join(' '));

/** The names of the months and of the days of the week: which one, by folded name. */
const MONTHS = named({ month: 'long', day: 'numeric' }, 12, n => Date.UTC(2026, n, 1));
const WEEKDAYS = named({ weekday: 'long' }, 7, n => Date.UTC(2026, 0, 5 + n));

function named(form: Intl.DateTimeFormatOptions, count: number, momentOf: (n: number) => number): Map<string, number> {
  const part = 'month' in form ? 'month' : 'weekday';
  const found = LANGUAGES.flatMap(language => {
    const format = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' });
    return Array.from({ length: count }, (_, n) => {
      const name = format.formatToParts(momentOf(n)).find(({ type }) => type === part)?.value ?? '';
      return [wordsIn(name)[0] ?? '', n] as const;
    });
  });
  return new Map(found.filter(([name]) => name.length > 2));
}

/** Whether a folded word is the name of a month or of a day of the week. */
export function isDayName(word: string): boolean {
  return MONTHS.has(word) || WEEKDAYS.has(word);
}

/** The days that a question names, as people say them, and which of its words say so. @param today YYYY-MM-DD */
export function readDays(words: readonly string[], today: string): { days: Days; said: string[] } | undefined {
  const whole = ` ${words.join(' ')} `;
  const saidIn = (names: string) => namesOf(names).find(name => whole.includes(` ${name} `));
  for (const [names, since, until] of BACK) {
    const said = saidIn(names);
    if (said) return told(dayBefore(today, since), dayBefore(today, until), said.split(' '));
  }
  for (const [names, back] of WEEKS) {
    const said = saidIn(names);
    const monday = dayBefore(mondayOf(today), 7 * back);
    if (said) return told(monday, sundayOf(monday), said.split(' '));
  }
  return readDate(words, today) ?? readWeekday(words, today);
}

function told(since: string, until: string, said: string[], isSure = true) {
  return { days: { since, until, isSure }, said };
}

/** `24 November`, `November 24`, `24.11.`: of this year, or of the last one if it is still to come by more than a month. */
function readDate(words: readonly string[], today: string) {
  for (const [at, word] of words.entries()) {
    const month = MONTHS.get(word);
    if (month === undefined) continue;
    const beside = [words[at - 1], words[at - 2], words[at + 1]];
    const day = beside.find(one => /^([1-9]|[12]\d|3[01])(st|nd|rd|th)?$/.test(one ?? ''));
    if (!day) continue;
    const date = dateOf(month + 1, Number.parseInt(day, 10), today);
    // The date may be one to come, which a digest before it names.
    if (date) return told(date, date, [word, day], date < today);
  }
  return undefined;
}

const MONTH_DAYS = 31;

function dateOf(month: number, day: number, today: string): string | undefined {
  const two = (number: number) => String(number).padStart(2, '0');
  const inYear = (year: number) => `${year}-${two(month)}-${two(day)}`;
  const date = inYear(Number(today.slice(0, 4)));
  if (Number.isNaN(Date.parse(date)) || new Date(date).getUTCDate() !== day) return undefined;
  return date > dayAfter(today, MONTH_DAYS) ? inYear(Number(today.slice(0, 4)) - 1) : date;
}

/** The last one before today, or perhaps the next. */
function readWeekday(words: readonly string[], today: string) {
  const said = words.find(word => WEEKDAYS.has(word));
  const weekday = said === undefined ? undefined : WEEKDAYS.get(said);
  if (said === undefined || weekday === undefined) return undefined;
  const ago = dayAfter(mondayOf(today), weekday);
  const day = ago < today ? ago : dayBefore(ago, 7);
  return told(day, day, [said], false);
}
