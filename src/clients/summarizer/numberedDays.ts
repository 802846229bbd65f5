import { Temporal } from 'temporal-polyfill';
import type { Calendar } from './languages/lexicon.ts';

/** Where in a text a day is named. */
export type FoundDay = { day: Temporal.PlainDate; index: number; length: number };

/** Before such a word, a number counts something other than days. */
const COUNTED =
  /^ ?[%‰€$£°]|^[.,:]\d|^ (?:time|floor|birthday|century|anniversary|street|year|grade|place|round|edition|quarter|draft|version)|^ (?:h|min|minut\p{L}{0,2}|heures?|ore|or[ae]s?|horas?|giorni|gg|jours?|dias?|settiman[ae]|semanas?|semaines?|mois|m[eê]s(?:es)?|mes[ei]|ans?|anos?|ann[oi]|mila|mil|mille|euros?|reais|pessoas?|person\p{L}{1,3}|pezz[oi]|peças?|pièces?|caixas?|unidades?|vezes|volte|fois|parcelas?|per cento|por cento|pour cent|ore)(?![\p{L}\p{N}])/u;
export const NEAR_MONTH =
  /\b(?:jan|feb|mar|mär|apr|ma[iyj]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|ene|abr|ago|dic|fev|avr|juin|juil|août)|(?:январ|феврал|март|апрел|ма[йя]|июн|июл|август|сентябр|октябр|ноябр|декабр|січ|лют|берез|квіт|трав|черв|лип|серп|верес|жовт|листоп|груд)|(?:ιαν|φεβ|μαρ|απρ|μα[ΐίι]|ιουν|ιουλ|αυγ|σεπ|οκτ|νοε|δεκ)|(?:يناير|فبراير|مارس|[أا]بريل|مايو|يونيو|يوليو|[أا]غسطس|سبتمبر|[أا]كتوبر|نوفمبر|ديسمبر)|(?:ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר)|\d月/u;

/** The next day of this number: "the 15th", "el sábado 24". With a month beside it the date library knows better. */
export function numberedDay(
  folded: string,
  { dayOfMonth, weekdays }: Calendar,
  today: Temporal.PlainDate,
): FoundDay | null {
  const found = dayOfMonth.exec(folded);
  if (!found) return null;
  const end = found.index + found[0].length;
  const number = Number(/\d{1,2}/.exec(found[0])?.[0] ?? 0);
  const around = folded.slice(Math.max(0, found.index - 12), end + 14);
  if (number < 1 || number > 31 || COUNTED.test(folded.slice(end)) || NEAR_MONTH.test(around)) return null;
  // "Samedi 28" is one only where the 28th is a Saturday.
  const weekday = weekdays.findIndex(pattern => pattern.test(found[0])) + 1;
  for (let month = 0; month < 3; month += 1) {
    const first = today.with({ day: 1 }).add({ months: month });
    if (number > first.daysInMonth) continue;
    const day = first.with({ day: number });
    if (weekday > 0 && day.dayOfWeek !== weekday) continue;
    if (Temporal.PlainDate.compare(day, today) >= 0) return { day, index: found.index, length: found[0].length };
  }
  return null;
}

const DAY_MS = 86_400_000;

/** Negative for a day before. Takes a fraction of the time of `since`, and is called for every day that is named. */
export function daysBetween(one: Temporal.PlainDate, other: Temporal.PlainDate): number {
  return (Date.UTC(other.year, other.month - 1, other.day) - Date.UTC(one.year, one.month - 1, one.day)) / DAY_MS;
}
