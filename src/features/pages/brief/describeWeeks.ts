import { oneLine } from '../../../lib/mailViews.ts';
import { dayAfter, mondayOf, sundayOf } from '../../../lib/timezones.ts';
import { dateSpan, shortDay } from '../../../lib/words.ts';
import { describeExchanges, type ExchangeView, keyLine, lineText } from '../../digests/describeExchanges.ts';
import { exchangesIn } from '../../digests/exchangesIn.ts';
import { languageOf } from '../../digests/present.ts';
import type { ShownDigest } from '../../digests/schema.ts';
import { nameOf } from '../../messenger/dialogs/rules.ts';
import type { collectPassages } from './collectPassages.ts';
import type { Cite } from './collectSources.ts';
import type { Brief } from './service.ts';

const MOST_WEEKS = 4;
const LINES_OF_WEEK = 2;
const LONGEST_LINE = 140;
/** The newest days are told in full: where things stand is rarely in one line. */
const DAYS_IN_FULL = 3;
const LONGEST_EXCHANGE = 400;

type Told = { words: string; messageIds: string[] };
type With = {
  /** The messages that the page tells of already: `conversation message`. */
  told: ReadonlySet<string>;
  cite: Cite;
  addLine: ReturnType<typeof collectPassages>['addLine'];
};

/** What was said on the newest days, and last on some others, by week, newest first. */
export function describeWeeks({ digests, today, timezone, dialog }: Brief, { told, cite, addLine }: With) {
  const inFull = new Set(digests.slice(0, DAYS_IN_FULL));
  const byWeek = [...Map.groupBy(digests, ({ digestDate }) => mondayOf(digestDate))].slice(0, MOST_WEEKS);
  const weeks = byWeek.map(([monday, days]) => ({
    week: monday === mondayOf(today) ? 'This week' : dateSpan(monday, sundayOf(dayAfter(monday, 0)), today),
    lines: days
      .filter((digest, at) => at < LINES_OF_WEEK || inFull.has(digest))
      .flatMap(digest => {
        const other = digest.dialogId === dialog.id ? '' : `${nameOf(digest.dialog)}: `;
        return linesOf(digest, { timezone, told, isInFull: inFull.has(digest) }).map(({ words, messageIds }) => {
          const source = cite(digest.sources.messages, messageIds);
          addLine(digest, { words, source, day: digest.digestDate });
          const day = shortDay(digest.digestDate, today);
          return { words: `${other}${words}`, date: digest.digestDate, day, source, language: languageOf(digest) };
        });
      }),
  }));
  return weeks.filter(({ lines }) => lines.length > 0);
}

/** The exchanges of a day that the page doesn't tell already; else the line that says most, or the first sentence. */
function linesOf(
  digest: ShownDigest,
  { timezone, told, isInFull }: { timezone: string; told: ReadonlySet<string>; isInFull: boolean },
): Told[] {
  const exchanges = exchangesIn(digest, timezone);
  if (!exchanges) {
    const sentences = digest.sources.sentences.slice(0, isInFull ? undefined : 1);
    const first = { words: oneLine(digest.summary, LONGEST_LINE), messageIds: [] };
    return sentences.length === 0
      ? [first]
      : sentences.map(({ from, to, messageIds }) => ({
          words: oneLine(digest.summary.slice(from, to), LONGEST_EXCHANGE),
          messageIds,
        }));
  }
  const shown = describeExchanges(exchanges, { today: digest.digestDate });
  const all = exchanges.map(({ opener, answers }, n) => {
    const lines = [opener, ...answers];
    return {
      at: `${opener.day} ${opener.time}`,
      words: oneLine(wordsOf(shown[n]), LONGEST_EXCHANGE),
      messageIds: lines.flatMap(({ spans }) => spans.map(({ messageId }) => messageId)),
    };
  });
  const isTold = ({ messageIds }: Told) => messageIds.every(id => told.has(`${digest.dialogId} ${id}`));
  // A digest begins with what ended a matter; here, the newest comes first on every level.
  if (isInFull) return all.filter(one => !isTold(one)).toSorted((one, other) => other.at.localeCompare(one.at));
  const line = keyLine(exchanges, { isGroup: true });
  const words = line ? lineText(line) : '';
  const of = all.find((_, n) =>
    shown[n]?.lines.some(({ who, said }) => line?.who === who && line.said[0]?.words === said[0]?.words),
  );
  return words === '' ? [] : [{ words: oneLine(words, LONGEST_LINE), messageIds: of?.messageIds ?? [] }];
}

function wordsOf(exchange: ExchangeView | undefined): string {
  return exchange?.lines.map(lineText).join(' ') ?? '';
}
