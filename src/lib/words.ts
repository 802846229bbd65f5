import { oncePer } from './once.ts';
import { localDay } from './timezones.ts';

/* English words around numbers, money, sizes, days and times, and quotes. Times are in the zone handed in, 24-hour. */

const SMALL_NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Cached by short name: creating a formatter costs far more than using it. */
const FORMATS = {
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  longDay: { weekday: 'long', day: 'numeric', month: 'long' },
  shortDay: { weekday: 'short', day: 'numeric', month: 'short' },
  shortDayOfYear: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
  date: { day: 'numeric', month: 'short' },
  dateOfYear: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long' },
  monthOfYear: { month: 'long', year: 'numeric' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Keyed by lower-case zone, as its spelling varies. */
const formatsByZone = new Map<string, Intl.DateTimeFormat>();

function getFormat(timeZone: string, name: keyof typeof FORMATS): Intl.DateTimeFormat {
  const key = `${name} ${timeZone.toLowerCase()}`;
  const known = formatsByZone.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, ...FORMATS[name] });
  formatsByZone.set(key, format);
  return format;
}

const pluralRules = new Intl.PluralRules('en');
const thousands = new Intl.NumberFormat('en');
const lists = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** `2.5 GB`, as disks and downloads are labelled: a GB is 1,000,000,000 bytes. */
export function formatSize(bytes: number): string {
  const gigabytes = bytes / 1_000_000_000;
  if (gigabytes < 0.1) return `${Math.round(bytes / 1_000_000)} MB`;
  return `${gigabytes < 10 ? Number(gigabytes.toFixed(1)) : Math.round(gigabytes)} GB`;
}

export function formatCount(count: number): string {
  return Math.abs(count) < 1000 && Number.isInteger(count) ? String(count) : thousands.format(count);
}

/** Decimal digits of currencies that don't have two, by ISO 4217 and, for MGA, Stripe. `Intl` has fewer for some. */
const MINOR_UNITS = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map(code => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map(code => [code, 3] as const),
]);

type Money = {
  /** In the currency's smallest unit. */
  amount: number;
  /** ISO 4217, in any case. */
  currency: string;
};

/** `€29.00`; what is no currency stays as it came. */
export function formatMoney({ amount, currency }: Money, options: Intl.NumberFormatOptions = {}): string {
  if (!/^[a-z]{3}$/i.test(currency)) return `${amount} ${currency}`;
  const digits = MINOR_UNITS.get(currency.toUpperCase()) ?? 2;
  const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency, ...shown, ...options });
  return format.format(amount / 10 ** digits);
}

/** `3 digests`, `1 digest`, `1,204 messages`. */
export function formatQuantity(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${choosePlural(count, one, many)}`;
}

export function choosePlural(count: number, one: string, many: string): string {
  return pluralRules.select(count) === 'one' ? one : many;
}

/** A sentence as a title: without its period. */
export const dropPeriod = (sentence: string): string => sentence.replace(/\.$/, '');

/** `Two`, `Ten`, `11`: to begin a sentence with. */
export function numberWord(count: number): string {
  const word = SMALL_NUMBERS[count];
  return word ? word.charAt(0).toUpperCase() + word.slice(1) : formatCount(count);
}

/** A number inside a sentence: `two`. */
export const lowerNumberWord = (count: number): string => numberWord(count).toLowerCase();

/** `a, b and c`. */
export const joinList = (items: string[]): string => lists.format(items);

/** `07:31` */
export const formatTimeOfDay = (moment: Date, timezone: string): string => getFormat(timezone, 'clock').format(moment);

/** `Friday 20 November`, of a calendar day as YYYY-MM-DD. */
export const formatLongDay = (day: string): string => getFormat('UTC', 'longDay').format(toNoon(day)).replace(',', '');

/** `Fri 20 Nov`, with the year when it is not the one of `today`. */
export function formatShortDay(day: string, today: string): string {
  const format = getFormat('UTC', isSameYear(day, today) ? 'shortDay' : 'shortDayOfYear');
  return format.format(toNoon(day)).replace(',', '');
}

/** `Today`, `Yesterday`, `Wednesday` within the last week, else, also for days to come, `Fri 20 Nov`. */
export function formatNearDay(day: string, today: string): string {
  const ago = daysBetween(day, today);
  if (ago === 0) return 'Today';
  if (ago === 1) return 'Yesterday';
  if (ago > 1 && ago < 7) return getFormat('UTC', 'weekday').format(toNoon(day));
  return formatShortDay(day, today);
}

/** `09:48` today, else with its day: `09:48 on Sat 21 Nov`. For moments to come. */
export function formatUntil(moment: Date, { now, timezone }: { now: Date; timezone: string }): string {
  const time = formatTimeOfDay(moment, timezone);
  const day = localDay(moment, timezone);
  const today = localDay(now, timezone);
  return day === today ? time : `${time} on ${formatShortDay(day, today)}`;
}

/** `today at 18:00`, `tomorrow at 07:30`, `on Mon 23 Nov at 07:30`. For moments to come. */
export function formatUpcoming(moment: Date, { now, timezone }: { now: Date; timezone: string }): string {
  const day = localDay(moment, timezone);
  const today = localDay(now, timezone);
  const ahead = daysBetween(today, day);
  const near = ahead === 1 ? 'tomorrow' : 'today';
  const when = ahead > 1 ? `on ${formatShortDay(day, today)}` : near;
  return `${when} at ${formatTimeOfDay(moment, timezone)}`;
}

/** By how many days ago they are. */
const RECENT_DAYS = ['today', 'yesterday'];

/** `today at 22:40`, `yesterday at 22:40`, `on Wednesday at 22:40`. For moments that have been. */
export function formatSince(moment: Date, { now, timezone }: { now: Date; timezone: string }): string {
  const [day, today] = [localDay(moment, timezone), localDay(now, timezone)];
  const when = RECENT_DAYS[daysBetween(day, today)] ?? `on ${formatNearDay(day, today)}`;
  return `${when} at ${formatTimeOfDay(moment, timezone)}`;
}

/** `today`, `yesterday`, `Wednesday`, `Fri 20 Nov`: in the middle of a sentence. */
export function formatDayInSentence(moment: Date, { now, timezone }: { now: Date; timezone: string }): string {
  const [day, today] = [localDay(moment, timezone), localDay(now, timezone)];
  return RECENT_DAYS[daysBetween(day, today)] ?? formatNearDay(day, today);
}

/** Whole days from one calendar day to a later one; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((toNoon(to).getTime() - toNoon(from).getTime()) / 86_400_000);
}

/** Whether the day is in the year of `today`, which then goes without saying. */
const isSameYear = (day: string, today: string): boolean => day.slice(0, 4) === today.slice(0, 4);

const toNoon = (day: string): Date => new Date(`${day}T12:00:00Z`);

/** `Friday`, of a calendar day as YYYY-MM-DD. */
export const formatWeekday = (day: string): string => getFormat('UTC', 'weekday').format(toNoon(day));

/** `20 Nov`, with the year when it is not the one of `today`. */
export function formatDate(day: string, today: string): string {
  return getFormat('UTC', isSameYear(day, today) ? 'date' : 'dateOfYear').format(toNoon(day));
}

/** `14–16 Nov`, `28 Oct – 3 Nov`. */
export function formatDateSpan(from: string, to: string, today: string): string {
  return getFormat('UTC', isSameYear(from, today) ? 'date' : 'dateOfYear').formatRange(toNoon(from), toNoon(to));
}

/** `Sat–Mon`. */
export function formatWeekdaySpan(from: string, to: string): string {
  const short = (day: string) => getFormat('UTC', 'shortWeekday').format(toNoon(day));
  return `${short(from)}–${short(to)}`;
}

/** `November`, with the year when it is not the one of `today`. */
export function formatMonth(day: string, today: string): string {
  return getFormat('UTC', isSameYear(day, today) ? 'month' : 'monthOfYear').format(toNoon(day));
}

/**
 * The attributes `lang` and `dir` of an element whose text is in a language, as markup: a name in another script at its
 * beginning doesn't reverse the text. Where the language can't be told, the first letter decides.
 * @param language ISO 639-1
 */
export function writtenIn(language: string | undefined): string {
  if (!language || !/^[a-z]{2}$/.test(language)) return 'dir="auto"';
  return `lang="${language}" dir="${directionOf(language)}"`;
}

const directionOf = oncePer((language: string) => new Intl.Locale(language).getTextInfo?.().direction ?? 'ltr');

const RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const LEFT = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;
const JOINS = /[\p{L}\p{M}\p{Nd}]/u;

/** A name for use in our own sentences: one written from right to left doesn't reverse what follows it. */
export const isolateDirection = (name: string): string => (RIGHT.test(name) ? `\u2068${name}\u2069` : name);

/**
 * A text that mixes both directions of writing, with each mention of a name isolated, so that what follows it (a colon,
 * a number, a date) stays where it belongs. Uses marks, which plain text has, too (FSI and PDI: UAX 9, 2.4).
 * Other texts are returned unchanged.
 */
export function isolateName(text: string, name: string): string {
  if (!RIGHT.test(text) || !LEFT.test(text)) return text;
  const [first = ''] = name.split(' ', 1);
  return isolateEach(text, name, rest => (first === name ? rest : isolateEach(rest, first, same => same)));
}

/** @param between transforms the text around the mentions */
function isolateEach(text: string, name: string, between: (rest: string) => string): string {
  if (name.length < 2) return between(text);
  let done = '';
  let from = 0;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const isWhole = !JOINS.test(text.charAt(at - 1)) && !JOINS.test(text.charAt(at + name.length));
    if (!isWhole) continue;
    done += `${between(text.slice(from, at))}\u2068${name}\u2069`;
    from = at + name.length;
  }
  return done + between(text.slice(from));
}

/** Words as someone wrote them. `by`: their name; '' where a page already says who it is. */
export type QuotedLine = { by: string; words: string; isAnswer: boolean; day?: string };

/** A quote as plain text: `↳ You: yes, you have it on Monday`. */
export function quoteText({ by, words, isAnswer }: QuotedLine): string {
  return `${isAnswer ? '↳ ' : ''}${by && `${isolateDirection(by)}: `}${words}`;
}

/** Cuts to `limit` characters, between words if possible, with an ellipsis. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  const space = cut.lastIndexOf(' ');
  const kept = space >= limit / 2 ? cut.slice(0, space) : cut.slice(0, -1).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept.replace(/(?<![\s,;:.–—-])[\s,;:.–—-]+$/u, '')}…`;
}
