import { findWhen } from '../../../clients/summarizer/days/findWhen.ts';
import { CLOCK, MONEY, SHARE } from '../../../lib/figures.ts';
import { toOneLine } from '../../../lib/mailViews.ts';
import { localDay } from '../../../lib/timezones.ts';
import { formatTimeOfDay } from '../../../lib/words.ts';
import { isQuoted } from '../../digests/present.ts';
import { splitSearchWords } from '../../digests/rules.ts';
import type { ShownDigest } from '../../digests/schema.ts';
import { type PassageMessage, splitPassages } from '../ask/passages.ts';
import type { FactKind } from './schema.ts';

/** A line that names a figure, a day, a file or how to reach someone. */
export type Fact = { kind: FactKind; words: string; who: string; day: string; digest: ShownDigest; messageIds: string[] };

const MAX_FACT_LENGTH = 320;
const MAX_FACTS = 9;
const MAX_OF_KIND: Record<FactKind, number> = { money: 5, days: 3, numbers: 3, files: 3, contacts: 2 };

const PHONE = /\+\d[\d ().-]{6,18}\d/u;
const DATE =
  /\b\d{1,2}[./]\d{1,2}\.?(?:\b|\s|$)|\b\d{1,2}(?:\.|st|nd|rd|th)?\s(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек|ene|fév|avr|août)/iu;
const NUMBER = /(?<![\d.,:/])\d[\d.,]*\s?(?:%|\p{L}{2,})/u;

function classifyFact({ words, file }: Pick<PassageMessage, 'words' | 'file'>): FactKind | undefined {
  if (MONEY.test(words) || SHARE.test(words)) return 'money';
  if (file) return 'files';
  if (PHONE.test(words)) return 'contacts';
  if (CLOCK.test(words) || DATE.test(words)) return 'days';
  return NUMBER.test(words) ? 'numbers' : undefined;
}

/** `covered`: messages that the page already shows, each as the ids of conversation and message with a space between. */
export type Reading = { timezone: string; covered: ReadonlySet<string> };

/** The newest prices, days, files and numbers that were said, each once. Of two prices for the same thing, only the newer. */
export function findFacts(digests: readonly ShownDigest[], { timezone, covered }: Reading): Fact[] {
  const found: Fact[] = [];
  const counts = new Map<FactKind, number>();
  for (const { digest, ...line } of collectLines(digests, timezone)) {
    const kind = classifyFact(line);
    const words = (kind === 'files' && line.file) || toOneLine(chooseSentence(line.words), MAX_FACT_LENGTH);
    const count = counts.get(kind ?? 'numbers') ?? 0;
    const isCovered = kind !== 'money' && line.ids.some(id => covered.has(`${digest.dialogId} ${id}`));
    // A model's sentences are told below, and their days and numbers are soon out of date.
    if ((kind === 'days' || kind === 'numbers') && !isQuoted(digest)) continue;
    const isOld = found.some(fact => fact.words === words || (kind === 'money' && isReplaced(line.words, fact)));
    if (!kind || isCovered || isOld || count >= MAX_OF_KIND[kind] || found.length >= MAX_FACTS) continue;
    counts.set(kind, count + 1);
    const day = localDay(line.at, timezone);
    found.push({ kind, words, who: line.who, day, digest, messageIds: line.ids });
  }
  const order = Object.keys(MAX_OF_KIND);
  const placeOf = ({ kind, words }: Fact) =>
    order.indexOf(kind) + (kind === 'money' && !MONEY.test(words) ? AFTER_PRICES : 0);
  return found.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Sorts shares after prices, which are of the same kind. */
const AFTER_PRICES = 0.5;
/** Words that share this many first letters count as the same. */
const STEM_LETTERS = 5;

/** Whether a newer fact prices the same things: a third of the words are shared. A share replaces no price. */
function isReplaced(words: string, { kind, words: newer }: Fact): boolean {
  const stems = (text: string) =>
    new Set(splitSearchWords(text).flatMap(word => (/^\p{L}{5,}/u.test(word) ? [word.slice(0, STEM_LETTERS)] : [])));
  if (kind !== 'money' || (MONEY.test(words) && !MONEY.test(newer))) return false;
  const [old, recent] = [stems(words), stems(newer)];
  return 3 * old.intersection(recent).size >= Math.max(1, Math.min(old.size, recent.size));
}

/** The next appointment, a future day with an hour, in the words of a quoting digest: a model's digest has them as items. */
export function findAppointment(digests: readonly ShownDigest[], { now, timezone }: { now: Date; timezone: string }) {
  const moment = `${localDay(now, timezone)} ${formatTimeOfDay(now, timezone)}`;
  const fixed = collectLines(digests.filter(isQuoted), timezone).flatMap(({ digest, words, at }) => {
    const when = /\d/.test(words) ? findWhen(words, digest.structured.language, at, timezone) : null;
    return when?.time && `${when.date} ${when.time}` > moment
      ? [{ title: toOneLine(words, MAX_FACT_LENGTH), date: when.date, time: when.time }]
      : [];
  });
  return fixed.toSorted((a, b) => `${a.date} ${a.time}`.localeCompare(`${b.date} ${b.time}`))[0];
}

/** The sentence with the figure, where the line has several. */
function chooseSentence(words: string): string {
  if (words.length <= MAX_FACT_LENGTH) return words;
  const sentences = words.match(/[^.!?。]+(?:[.!?。](?=\d)[^.!?。]+)*[.!?。]*/g) ?? [words];
  return (sentences.find(sentence => classifyFact({ words: sentence, file: '' })) ?? words).trim();
}

/** The messages that the digests keep, newest first. */
function collectLines(digests: readonly ShownDigest[], timezone: string): (PassageMessage & { digest: ShownDigest })[] {
  const lines = digests.flatMap(digest =>
    splitPassages(digest, timezone).flatMap(({ said }) => said.map(line => ({ ...line, digest }))),
  );
  return lines.toSorted((a, b) => b.at.getTime() - a.at.getTime());
}
