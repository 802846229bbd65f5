import { oncePer } from '../../../lib/once.ts';
import { withoutAccents } from '../cleaning.ts';
import { JOINED, WORD_PATTERNS, type WordPatterns } from '../languages/words.ts';

/** A language's names of days from Unicode CLDR, without accents and capitals. */
export type DayNames = {
  /** Monday first. */
  weekdays: RegExp[];
  /** The first letters of Saturday. */
  saturday: string;
  /** January first, with the number of the day in front of it or behind it. */
  months: { stem: string; name: string }[];
  /** The day after tomorrow first, "pasado mañana" before "mañana". */
  near: { pattern: RegExp; days: number }[];
  thisWeek: RegExp;
  nextWeek: RegExp;
  week: RegExp;
  thisMonth: RegExp;
  nextMonth: RegExp;
  /** The number of a day of the month: behind the word for a day, or in front of what follows it in dates: "dia 20", "20.". */
  numbered: RegExp;
  /** The separator of dates in numbers. */
  separator: string;
  isMonthFirst: boolean;
  isGerman: boolean;
  /** Words that no calendar data has, see {@link WORD_PATTERNS}. `before`, `after`, `by`, `next` end where a day begins. */
  said: Record<Exclude<keyof WordPatterns, 'not' | 'title' | 'numbers' | 'news' | 'past' | 'lasts'>, RegExp>;
};

/** @param language ISO 639-1, or 'und' */
export const dayNames = oncePer((language: string) =>
  readDayNames(Intl.DateTimeFormat.supportedLocalesOf(language)[0] ?? 'en'),
);

/** Whether words have the name of a weekday, or one like "tomorrow". */
export function isDayName(words: string, language: string): boolean {
  const { weekdays, near } = dayNames(language);
  const said = foldInPlace(words);
  return weekdays.some(pattern => pattern.test(said)) || near.some(({ pattern }) => pattern.test(said));
}

/** Folds letters without changing positions, so that matches can be quoted as written. */
export function foldInPlace(text: string): string {
  return withoutAccents(text.normalize('NFC').toLowerCase())
    .replaceAll(/[’‘`´ʼ]/g, "'")
    .replaceAll(/[٠-٩]/g, digit => String(digit.charCodeAt(0) - 0x660));
}

const A_MONDAY = Date.UTC(2026, 0, 5);
const DAY = 86_400_000;

function readDayNames(locale: string): DayNames {
  const at = (time: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).formatToParts(time);
  const part = (parts: Intl.DateTimeFormatPart[], type: string) => parts.find(one => one.type === type)?.value ?? '';
  const weekdays = Array.from({ length: 7 }, (_, n) => part(at(A_MONDAY + n * DAY, { weekday: 'long' }), 'weekday'));
  const months = Array.from({ length: 12 }, (_, n) =>
    part(at(Date.UTC(2026, n, 15), { day: 'numeric', month: 'long' }), 'month'),
  );
  const stems = distinctPrefixes(
    [...withoutEnding(weekdays), ...months].map(name => foldInPlace(name).split(/\s/).at(-1) ?? ''),
  );
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const phrase = (count: number, unit: Intl.RelativeTimeFormatUnit) => phrasePattern(relative.format(count, unit));
  const numeric = at(A_MONDAY, { day: 'numeric', month: 'numeric' });
  const field = (name: string) => new Intl.DisplayNames(locale, { type: 'dateTimeField' }).of(name) ?? '';
  const day = foldInPlace(field('day'));
  const dated = at(A_MONDAY, { day: 'numeric', month: 'long' });
  const mark =
    foldInPlace(dated[dated.findIndex(({ type }) => type === 'day') + 1]?.value ?? '')
      .trim()
      .split(' ')[0] ?? '';
  const said = compileWordPatterns(locale.slice(0, 2));
  const near = [2, 1, 0].filter(days => !/\d/.test(relative.format(days, 'day')));
  return {
    weekdays: stems
      .slice(0, 7)
      .map((stem, n) => new RegExp(buildWeekdayPattern(foldInPlace(weekdays[n] ?? ''), stem, locale), 'u')),
    saturday: (stems[5] ?? '').slice(0, 2),
    months: stems.slice(7).map((stem, n) => ({ stem, name: foldInPlace(months[n] ?? '') })),
    near: [
      ...near.map(days => ({ days, pattern: phrase(days, 'day') })),
      { days: 1, pattern: said.tomorrow },
      { days: 0, pattern: said.today },
    ],
    thisWeek: phrase(0, 'week'),
    nextWeek: phrase(1, 'week'),
    week: new RegExp(buildInflectedPattern(foldInPlace(field('weekOfYear')).slice(0, MIN_STEM_LENGTH)), 'u'),
    thisMonth: phrase(0, 'month'),
    nextMonth: phrase(1, 'month'),
    numbered: new RegExp(
      `(?<!\\p{L})${RegExp.escape(day)}\\s(\\d{1,2})(?![\\p{L}\\p{N}:])|(?<![\\p{L}\\p{N}.,:])(\\d{1,2})${mark === '' ? '(?!)' : RegExp.escape(mark)}(?!\\p{N})`,
      'u',
    ),
    separator: part(numeric, 'literal').trim(),
    isMonthFirst: numeric.findIndex(({ type }) => type === 'month') < numeric.findIndex(({ type }) => type === 'day'),
    isGerman: locale.startsWith('de'),
    said,
  };
}

/** "El 28", and no "el 28%". */
const NO_AMOUNT = "(?![\\p{L}\\p{N}:%€$£°]|[.,]\\d|\\s?[%€$£°]|\\s?(?:h|kg|m|km|cm|euros?|eur)(?![\\p{L}']))";

function compileWordPatterns(language: string): DayNames['said'] {
  const words = WORD_PATTERNS[language] ?? {};
  const alone = (source: string | undefined, end: string) => {
    if (source === undefined) return /(?!)/u;
    return new RegExp(JOINED.test(source) ? source : `(?<![\\p{L}\\p{N}])(?:${source})${end}`, 'u');
  };
  // "Vor Ort" and "vor bis" are no "before".
  const article = language === 'de' ? 'de[mnr]|die|das' : '\\p{L}{1,4}';
  return {
    before: alone(words.before, `\\s(?:(?:${article})\\s)?$`),
    after: alone(words.after, '\\s(?:\\p{L}{1,4}\\s)?$'),
    by: alone(words.by, '\\s(?:\\p{L}{1,8}\\s){0,2}$'),
    dayBefore: alone(words.dayBefore, '(?!\\p{L})'),
    today: alone(words.today, '(?!\\p{L})'),
    tomorrow: alone(words.tomorrow, '(?!\\p{L})'),
    weekend: alone(words.weekend, '(?!\\p{L})'),
    endOfWeek: alone(words.endOfWeek, '(?!\\p{L})'),
    endOfMonth: alone(words.endOfMonth, '(?!\\p{L})'),
    nextWeek: alone(words.nextWeek, '(?!\\p{L})'),
    next: alone(words.next, '\\s$'),
    number: alone(words.number, NO_AMOUNT),
    hour: alone(words.hour, NO_AMOUNT),
    needs: alone(words.needs, '(?!\\p{L})'),
    zone: alone(words.zone, '(?!\\p{L})'),
    notDay: alone(words.notDay, '(?!\\p{L})'),
  };
}

/** Drops the ending that all names share. In scripts without spaces, people often leave it out: 金曜日, 金曜. */
function withoutEnding(names: string[]): string[] {
  const ending = names[0]?.at(-1) ?? '';
  return JOINED.test(ending) && names.every(name => name.endsWith(ending)) ? names.map(name => name.slice(0, -1)) : names;
}

const MIN_STEM_LENGTH = 4;
const MAX_ENDING_LENGTH = 3;

/** Shortest prefixes that tell the names apart, so that endings don't matter. */
function distinctPrefixes(names: string[]): string[] {
  return names.map(name => {
    let length = Math.min(MIN_STEM_LENGTH, name.length);
    while (length < name.length && names.some(other => other !== name && other.startsWith(name.slice(0, length)))) length++;
    return name.slice(0, length);
  });
}

/** Languages that inflect weekdays after prepositions: "до пятницы", "w piątku". */
const INFLECTED = ['ru', 'uk', 'pl', 'cs', 'el'];

/** "Среды", "sobotę", "четверга" */
const CASE = '(?:г?i?[aeiouyаеиіоуыюяєїαεηουω][jmuйюмхςυ]?|m|zie)';
/** "Freitags", "cumadan", "Montagabend" */
const BEHIND =
  '(?:\\p{L}{0,3}|s?(?:(?:vor|nach|voor|na|for|efter)?mi(?:tt|dd)ags?|' +
  'abends?|avond|aften|morgens?|fruh|ochtend|morgon|nachts?|kvall|natt|kveld|ettermiddag|eftermiddag)(?:en)?)';
const NUMBER_BEHIND = '(?=\\.\\s?\\S|,?\\s?\\d{1,2}(?!\\d|\\s\\p{L}{4}))';

/** Cut short before a dot or number, or whole with what may be behind it, and no word that only begins alike: "vendre". */
function buildWeekdayPattern(name: string, stem: string, locale: string): string {
  if (JOINED.test(stem)) return RegExp.escape(stem);
  const word = name.split(/\s/).at(-1) ?? '';
  if (PREFIXED.test(stem)) return `(?<!\\p{L})\\p{L}{0,3}${word.replace(/ة$/, '[ةه]').replace(/ء$/, 'ء?')}(?!\\p{L})`;
  const whole = name.split('-')[0] ?? '';
  const cuts = whole.startsWith(stem) ? [...whole.slice(stem.length)].map((_, n) => whole.slice(0, stem.length + n)) : [];
  const [, start = whole, vowel, last] = /^(.+?)(?:([eо])([kк])|[aeyаяеьαηο])$/u.exec(whole) ?? [];
  const declined = start === whole ? `${whole}${CASE}?` : `${start}${last ? `(?:${vowel}${last}|${last}${CASE})` : CASE}`;
  // "On tues" is said alone.
  const said = INFLECTED.includes(locale) ? declined : whole.replace(/(?<=^t\w+s)day$/, '(?:day)?') + BEHIND;
  const forms = [...cuts.map(cut => cut + NUMBER_BEHIND), said];
  return `(?<!\\p{L})(?:${forms.join('|')})(?!\\p{L})`;
}

/** "3 martta", "5 ekime" */
const TURKISH_ENDING = /(?<=^(?:ocak|mart|ekim))(?:[dt][ae]n?|[ae])$/u;

/**
 * The month (January is 1) of which a word is the name, its beginning as far as it is no other's, or another of its
 * endings: no verb that begins alike. null for none.
 */
export function findMonth(word: string, { months }: DayNames): number | null {
  const at = months.findIndex(({ stem, name }) => {
    if (name.length <= stem.length) {
      const mayBePrefixed = PREFIXED.test(name) && word.length - name.length <= MAX_ENDING_LENGTH;
      return word.replace(TURKISH_ENDING, '') === name || (mayBePrefixed && word.endsWith(name));
    }
    if (word.length >= stem.length && name.startsWith(word)) return true;
    const most = name.length - 2;
    return most > stem.length && word.startsWith(name.slice(0, most)) && word.length - most <= MAX_ENDING_LENGTH;
  });
  return at < 0 ? null : at + 1;
}

/** Scripts that attach a word like "on" to the next one. */
const PREFIXED = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

function buildInflectedPattern(stem: string): string {
  if (stem === '') return '(?!)';
  if (JOINED.test(stem)) return RegExp.escape(stem);
  return `(?<!\\p{L})${PREFIXED.test(stem) ? '\\p{L}{0,3}' : ''}${RegExp.escape(stem)}\\p{L}{0,9}(?!\\p{L})`;
}

function phrasePattern(phrase: string): RegExp {
  const words = foldInPlace(phrase)
    .replaceAll(/[\u064B-\u0652]/g, '')
    .split(/\s+/)
    .map(word => RegExp.escape(word));
  const text = words.join('\\s{1,2}');
  return new RegExp(JOINED.test(phrase) ? text : `(?<!\\p{L})${text}(?!\\p{L})`, 'u');
}
