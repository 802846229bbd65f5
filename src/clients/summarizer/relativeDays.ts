import { Temporal } from 'temporal-polyfill';
import type { Calendar } from './languages/lexicon.ts';
import type { FoundDay } from './numberedDays.ts';

/** "In three days", "within 48 hours", "sous huitaine": a given time after today. */
export function inTime(folded: string, { inTime }: Calendar, today: Temporal.PlainDate): FoundDay | null {
  for (const unit of ['day', 'week', 'month'] as const) {
    const match = inTime[unit].exec(folded);
    if (!match) continue;
    const [words] = match;
    const number = Number(/\d+/.exec(words)?.[0] ?? words.split(/[ ,]/).map(countOf).find(Boolean) ?? 1);
    const amount = HOURS.test(words) ? number / 24 : number;
    return { day: today.add({ [`${unit}s`]: amount }), index: match.index, length: words.length };
  }
  return null;
}

/** A day has 24 of them. */
const HOURS = /(?:24|48|72) ?(?:h|heures|ore|horas|saat)(?!\p{L})/u;

function countOf(word: string): number | undefined {
  return Object.hasOwn(COUNTS, word) ? COUNTS[word] : undefined;
}

const COUNTS: Record<string, number> = {
  ...{ dwa: 2, dwie: 2, trzy: 3, cztery: 4 },
  ...{ iki: 2, üç: 3, dört: 4, beş: 5, altı: 6, yedi: 7, on: 10 },
  ...{ dois: 2, duas: 2, três: 3, quatro: 4, cinco: 5, seis: 6, sete: 7, oito: 8, dez: 10, quinze: 15, vinte: 20 },
  ...{
    deux: 2,
    trois: 3,
    quatre: 4,
    cinq: 5,
    six: 6,
    sept: 7,
    huit: 8,
    dix: 10,
    quinze: 15,
    huitaine: 8,
    quinzaine: 15,
  },
  ...{ due: 2, tre: 3, quattro: 4, cinque: 5, sei: 6, sette: 7, otto: 8, dieci: 10, quindici: 15, venti: 20 },
  ...{ dos: 2, tres: 3, два: 2, две: 2, дві: 2, три: 3 },
  ...{ δύο: 2, δυο: 2, يومين: 2, أسبوعين: 2, יומיים: 2, שבועיים: 2 },
};

const ENDS_SO = new WeakMap<RegExp, [RegExp, RegExp]>();

/** "Fin novembre", "kasım sonu": the last day of the next month of that name. */
export function endOfNamedMonth(
  folded: string,
  { endOf, months }: Calendar,
  today: Temporal.PlainDate,
): FoundDay | null {
  const [lead, tail] = ENDS_SO.get(endOf) ?? [
    new RegExp(`(?:${endOf.source})$`, 'u'),
    new RegExp(`^ (?:${endOf.source})`, 'u'),
  ];
  ENDS_SO.set(endOf, [lead, tail]);
  if (!endOf.test(folded)) return null;
  for (const [at, pattern] of months.entries()) {
    const month = pattern.exec(folded);
    if (!month) continue;
    const before = lead.exec(folded.slice(0, month.index).trimEnd());
    const after = tail.exec(folded.slice(month.index + month[0].length));
    if (!before && !after) continue;
    const index = before?.index ?? month.index;
    const length = month.index + month[0].length + (after?.[0].length ?? 0) - index;
    const year = at + 1 < today.month ? today.year + 1 : today.year;
    return { day: Temporal.PlainDate.from({ year, month: at + 1, day: 31 }), index, length };
  }
  return null;
}
