import { findWhen } from '../../../clients/summarizer/days/findWhen.ts';
import { CLOCK, MONEY, SHARE } from '../../../lib/figures.ts';
import { toOneLine } from '../../../lib/mailViews.ts';
import { localDay } from '../../../lib/timezones.ts';
import { formatTimeOfDay, isolateDirection } from '../../../lib/words.ts';
import { isQuoted } from '../../digests/present.ts';
import { splitSearchWords } from '../../digests/rules.ts';
import type { Digest } from '../../digests/schema.ts';
import {
  addFollowingTurns,
  ENDS_WITH_QUESTION,
  NUMBER as FIGURE,
  groupTurns,
  type PassageMessage,
  splitPassages,
} from '../ask/passages.ts';
import type { FactKind } from './schema.ts';

/** A line that names a figure, a day, a file or how to reach someone. */
export type Fact = { kind: FactKind; words: string; who: string; day: string; digest: Digest; messageIds: string[] };

const MAX_FACT_LENGTH = 320;
const MAX_ANSWER_LENGTH = 160;
const MAX_FACTS = 9;
const MAX_OF_KIND: Record<FactKind, number> = { money: 5, days: 3, numbers: 3, files: 3, contacts: 2 };

const PHONE = /\+\d[\d ().-]{6,18}\d/u;
const DATE =
  /\b\d{1,2}[./]\d{1,2}\.?(?:\b|\s|$)|\b\d{1,2}(?:\.|st|nd|rd|th)?\s(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек|ene|fév|avr|août)/iu;
const NUMBER = /(?<![\p{Nd}.,:/])\p{Nd}[\p{Nd}.,]*\s?(?:%|\p{L}{2,})/u;

const hasSum = ({ words }: { words: string }) => MONEY.test(words) || SHARE.test(words);

function classifyFact({ words, file }: Pick<PassageMessage, 'words' | 'file'>): FactKind | undefined {
  if (hasSum({ words })) return 'money';
  if (file) return 'files';
  if (PHONE.test(words)) return 'contacts';
  if (CLOCK.test(words) || DATE.test(words)) return 'days';
  return NUMBER.test(words) ? 'numbers' : undefined;
}

/** `covered`: messages that the page already shows, each as the ids of conversation and message with a space between. */
export type Reading = { timezone: string; now: Date; covered: ReadonlySet<string> };

/**
 * The newest prices, days to come, files and numbers that were said, each once, with what was answered. Of two prices for the
 * same thing, only the newer.
 */
export function findFacts(digests: readonly Digest[], { timezone, now, covered }: Reading): Fact[] {
  const found: Fact[] = [];
  const prices: string[] = [];
  const counts = new Map<FactKind, number>();
  for (const { digest, opener, answers } of collectTalks(digests, timezone)) {
    const said = [opener, ...answers];
    const price = said.findLast(hasSum)?.words;
    const kind = price ? 'money' : classifyFact(opener);
    // A model's sentences are told below, and their days and numbers are soon out of date.
    if (!kind || ((kind === 'days' || kind === 'numbers') && !isQuoted(digest))) continue;
    const first = toOneLine(chooseSentence(opener.words), MAX_FACT_LENGTH);
    const answered = answers.map(({ who, words }) => `↳ ${isolateDirection(who)}: ${toOneLine(words, MAX_ANSWER_LENGTH)}`);
    const words = [kind === 'files' && opener.file, first, ...answered].filter(Boolean).join(' ');
    const count = counts.get(kind) ?? 0;
    const isCovered = kind !== 'money' && said.every(({ ids }) => ids.some(id => covered.has(`${digest.dialogId} ${id}`)));
    const isOld = price
      ? prices.some(newer => isReplaced(price, newer))
      : kind === 'days' && isOver(opener, digest, { now, timezone });
    const isKnown = found.some(fact => fact.words === words);
    if (isCovered || isOld || isKnown || count >= MAX_OF_KIND[kind]) continue;
    counts.set(kind, count + 1);
    if (price) prices.push(price);
    const messageIds = said.flatMap(({ ids }) => ids);
    found.push({ kind, words, who: opener.who, day: localDay(opener.at, timezone), digest, messageIds });
  }
  const order = Object.keys(MAX_OF_KIND);
  const placeOf = ({ kind, words }: Fact) =>
    order.indexOf(kind) + (kind === 'money' && !MONEY.test(words) ? AFTER_PRICES : 0);
  return found.toSorted((a, b) => placeOf(a) - placeOf(b)).slice(0, MAX_FACTS);
}

/** Whether it names an hour, of a day that is over. */
function isOver({ words, at }: PassageMessage, digest: Digest, { now, timezone }: { now: Date; timezone: string }): boolean {
  const day = findWhen(words, digest.structured.language, at, timezone)?.date ?? localDay(at, timezone);
  return CLOCK.test(words) && day < localDay(now, timezone);
}

/** Sorts shares after prices, which are of the same kind. */
const AFTER_PRICES = 0.5;
/** Words that share this many first letters count as the same. */
const STEM_LETTERS = 5;

/** Whether a newer line prices the same things: a third of the words are shared. A share is no price. */
function isReplaced(words: string, newer: string): boolean {
  const stems = (text: string) =>
    new Set(splitSearchWords(text).flatMap(word => (/^\p{L}{5,}/u.test(word) ? [word.slice(0, STEM_LETTERS)] : [])));
  if (MONEY.test(words) !== MONEY.test(newer)) return false;
  const [old, recent] = [stems(words), stems(newer)];
  return 3 * old.intersection(recent).size >= Math.max(1, Math.min(old.size, recent.size));
}

/** The hours to come that quoting digests name, each with its day: a model's digest has them as items. */
export function findHours(digests: readonly Digest[], { now, timezone, covered }: Reading) {
  const moment = `${localDay(now, timezone)} ${formatTimeOfDay(now, timezone)}`;
  return collectLines(digests.filter(isQuoted), timezone).flatMap(({ digest, ids, words, at }) => {
    if (!FIGURE.test(words) || ids.some(id => covered.has(`${digest.dialogId} ${id}`))) return [];
    const when = findWhen(words, digest.structured.language, at, timezone);
    return when?.time && `${when.date} ${when.time}` > moment
      ? [{ title: toOneLine(words, MAX_FACT_LENGTH), date: when.date, time: `, ${when.time}`, isAppointment: false }]
      : [];
  });
}

/** The sentence with the figure, where the line has several. */
function chooseSentence(words: string): string {
  if (words.length <= MAX_FACT_LENGTH) return words;
  const sentences = words.match(/[^.!?。]+(?:[.!?。](?=\d)[^.!?。]+)*[.!?。]*/g) ?? [words];
  return (sentences.find(sentence => classifyFact({ words: sentence, file: '' })) ?? words).trim();
}

type Talk = { digest: Digest; opener: PassageMessage; answers: PassageMessage[] };

/** The messages that the digests keep, newest first: one with a figure together with what the others soon say to it. */
function collectTalks(digests: readonly Digest[], timezone: string): Talk[] {
  const quoted = digests.filter(isQuoted).flatMap(digest => splitPassages(digest, timezone));
  const known = new Set<PassageMessage>();
  const talks = [...groupTurns(quoted).values()].flatMap(turns =>
    turns.flatMap(({ said: opener, passage }, at) => {
      const kind = classifyFact(opener);
      if (!passage.digest || !kind || known.has(opener)) return [];
      const alone = { ...passage, messageIds: opener.ids, said: [opener] };
      const isAnswered = kind !== 'files' && kind !== 'contacts';
      const [, ...following] = isAnswered ? addFollowingTurns(alone, turns.slice(at)).said : [];
      const answers: PassageMessage[] = [];
      for (const next of following) {
        const before = answers.at(-1) ?? opener;
        const asksMore = before === opener || FIGURE.test(before.words) || ENDS_WITH_QUESTION.test(before.words);
        if (!asksMore || next.who === before.who || next.file) break;
        answers.push(next);
        known.add(next);
      }
      return [{ digest: passage.digest, opener, answers }];
    }),
  );
  const isProse = (digest: Digest) => !isQuoted(digest);
  const sentences = collectLines(digests.filter(isProse), timezone);
  const all = [...talks, ...sentences.map(({ digest, ...opener }) => ({ digest, opener, answers: [] }))];
  return all.toSorted((a, b) => b.opener.at.getTime() - a.opener.at.getTime());
}

const collectLines = (digests: readonly Digest[], timezone: string): (PassageMessage & { digest: Digest })[] =>
  digests.flatMap(digest => splitPassages(digest, timezone).flatMap(({ said }) => said.map(line => ({ ...line, digest }))));
