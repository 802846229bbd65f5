import { oneLine } from '../../../lib/mailViews.ts';
import { describeExchanges, exchangesIn, wordsOf } from '../../digests/describeExchanges.ts';
import type { ShownDigest } from '../../digests/schema.ts';
import type { FactKind } from './schema.ts';

/** A line that names a figure, a day, a file or how to reach someone. */
export type Fact = {
  kind: FactKind;
  words: string;
  who: string;
  day: string;
  digest: ShownDigest;
  messageIds: string[];
};

/** A line of a digest with the messages it rests on. */
type Line = { words: string; who: string; day: string; messageIds: string[]; file: string };

const LONGEST = 110;
const MOST = 9;
const MOST_OF_KIND: Record<FactKind, number> = { money: 4, days: 3, numbers: 3, files: 3, contacts: 2 };

const MONEY =
  /(?:[€$£¥₴₽]|r\$)\s?\d|\d(?:[\d., {2}]{0,12}\d)?\s?(?:k\s?)?(?:[€$£¥₴₽]|eur\b|euros?\b|usd\b|gbp\b|pounds?\b|dollars?\b|руб|тыс|грн|zł|ευρώ|يورو|美元)/iu;
const PHONE = /\+\d[\d ().-]{6,18}\d/u;
const CLOCK = /\b(?:[01]?\d|2[0-3])(?:[:.][0-5]\d|\s?(?:uhr|am|pm|h)\b)/iu;
const DATE =
  /\b\d{1,2}[./]\d{1,2}\.?(?:\b|\s|$)|\b\d{1,2}(?:\.|st|nd|rd|th)?\s(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек|ene|fév|avr|août)/iu;
const NUMBER = /(?<![\d.,:/])\d[\d.,]*\s?(?:%|\p{L}{2,})/u;

function kindOf({ words, file }: Line): FactKind | undefined {
  if (file) return 'files';
  if (PHONE.test(words)) return 'contacts';
  if (MONEY.test(words)) return 'money';
  if (CLOCK.test(words) || DATE.test(words)) return 'days';
  return NUMBER.test(words) ? 'numbers' : undefined;
}

/**
 * The newest figures, days, files and numbers that digests name, each once.
 * @param digests newest first
 * @param told the messages that the page tells of already: `conversation message`
 */
export function findFacts(
  digests: readonly ShownDigest[],
  { timezone, told }: { timezone: string; told: ReadonlySet<string> },
): Fact[] {
  const found: Fact[] = [];
  const said = new Set<string>();
  const counts = new Map<FactKind, number>();
  for (const digest of digests) {
    for (const line of linesOf(digest, timezone).toReversed()) {
      const kind = kindOf(line);
      const words = line.file || oneLine(clip(line.words), LONGEST);
      const count = counts.get(kind ?? 'numbers') ?? 0;
      const isTold = line.messageIds.some(id => told.has(`${digest.dialogId} ${id}`));
      if (!kind || isTold || said.has(words) || count >= MOST_OF_KIND[kind] || found.length >= MOST) continue;
      said.add(words);
      counts.set(kind, count + 1);
      found.push({ kind, words, who: line.who, day: line.day, digest, messageIds: line.messageIds });
    }
  }
  const order = Object.keys(MOST_OF_KIND);
  return found.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

/** The sentence with the figure, where the line has several. */
function clip(words: string): string {
  if (words.length <= LONGEST) return words;
  const sentences = words.match(/[^.!?。]+(?:[.!?。](?=\d)[^.!?。]+)*[.!?。]*/g) ?? [words];
  return (
    sentences.find(sentence => kindOf({ words: sentence, who: '', day: '', messageIds: [], file: '' })) ?? words
  ).trim();
}

function linesOf(digest: ShownDigest, timezone: string): Line[] {
  const exchanges = exchangesIn(digest, timezone);
  if (!exchanges) {
    return digest.sources.sentences.map(({ from, to, messageIds }) => ({
      ...{ words: digest.summary.slice(from, to), who: '', day: digest.digestDate, messageIds, file: '' },
    }));
  }
  const shown = describeExchanges(exchanges, { today: digest.digestDate });
  const kept = (digest.structured.keptLines ?? []).map(({ who, text, messageId }) => ({
    ...{ words: text, who, day: digest.digestDate, messageIds: [messageId], file: '' },
  }));
  const told = exchanges.flatMap(({ opener, answers }, n) =>
    [opener, ...answers].map(({ spans, day }, at) => {
      const quote = shown[n]?.lines[at];
      const file = spans.find(({ attachment }) => attachment?.kind === 'document')?.attachment?.name ?? '';
      const words = quote ? wordsOf(quote) : '';
      return { words, who: quote?.who ?? '', day, messageIds: spans.map(span => span.messageId), file };
    }),
  );
  const isTold = new Set(told.flatMap(({ messageIds }) => messageIds));
  // Read from the end: what the digest shows comes first.
  return [...kept.filter(({ messageIds: [id = ''] }) => !isTold.has(id)).toReversed(), ...told];
}
