import { MEDIA } from '../../clients/messenger/types.ts';
import { type Exchange, type ExchangeLine, SHORT_REPLY_CHARACTERS } from '../../clients/summarizer/types.ts';
import { localDay } from '../../lib/timezones.ts';
import { formatShortDay, formatTimeOfDay, isolateDirection } from '../../lib/words.ts';
import type { SourceView } from './quoteSource.ts';
import type { Digest } from './schema.ts';

/** A quotation as `_quote.eta` prints it. */
export type Quote = ReturnType<typeof toQuote>;

/** A line with its answers, as `_quotes.eta` prints them. */
export type ExchangeView = ReturnType<typeof describeExchanges>[number];

type DescribeOptions = {
  today: string;
  /** The day that is already named beside the exchanges; those of another day name theirs. */
  day?: string;
  /** The user by their name, for others to read; otherwise `You`. */
  namesUser?: boolean;
  /** The source of a line. @param n the number of the line, from 1 */
  sourceOf?: (line: ExchangeLine, n: number) => SourceView | undefined;
};

export function describeExchanges(exchanges: readonly Exchange[], options: DescribeOptions) {
  const days = new Set(exchanges.map(({ opener }) => opener.day));
  const hasDays = days.size > 1 || (options.day !== undefined && !days.has(options.day));
  let n = 0;
  return exchanges.map(({ opener, answers }) => ({
    /** '' where all exchanges are of the same day, and of the one that is named next to them. */
    day: hasDays ? formatShortDay(opener.day, options.today) : '',
    time: opener.time,
    lines: [opener, ...answers].map(line => {
      n += 1;
      return { ...toQuote(line, options.namesUser), isAnswer: line !== opener, source: options.sourceOf?.(line, n) };
    }),
  }));
}

type KeyLine = { isGroup: boolean; keptLines?: readonly { messageId: string; score: number }[] | undefined };

/**
 * Chooses the most newsworthy line of the newest day, of equal ones the last, that is clear alone; with the words that it
 * answers if it is short, and with the line that ended the exchange. As in a list of chats, only the user and the members of
 * a group are named.
 */
export function chooseKeyLines(exchanges: readonly Exchange[], { isGroup, keptLines = [] }: KeyLine): Quote[] {
  const scores = new Map(keptLines.map(({ messageId, score }) => [messageId, score]));
  const newsOf = ({ spans }: ExchangeLine) => Math.max(...spans.map(({ messageId }) => scores.get(messageId) ?? 0));
  const greatest = (lines: readonly ExchangeLine[]) => lines.toReversed().toSorted((a, b) => newsOf(b) - newsOf(a));
  const linesOf = ({ opener, answers }: Exchange) => [opener, ...answers];
  const newest = exchanges.filter(({ opener }) => opener.day === exchanges[0]?.opener.day);
  const [first] = greatest(newest.flatMap(linesOf));
  const best = newest.find(exchange => linesOf(exchange).some(line => line === first));
  if (!best) return [];
  const lines = linesOf(best);
  const line = greatest(lines.filter(isClear))[0] ?? lines.find(hasContent) ?? best.opener;
  const end = best.isOver || (line === best.opener && isShort(line)) ? lines.at(-1) : undefined;
  const shown = lines.filter(candidate => {
    if (candidate === line) return true;
    if (!hasContent(candidate)) return false;
    return (candidate === best.opener && isShort(line)) || (candidate === end && !candidate.isDone);
  });
  return shown.map((candidate, n) => ({
    ...toQuote({ ...candidate, isDone: candidate.isDone || (candidate === line && end?.isDone === true) }),
    ...(!candidate.fromUser && !isGroup && { who: '' }),
    isAnswer: n > 0,
  }));
}

function isShort({ spans }: ExchangeLine): boolean {
  return spans.reduce((length, { text }) => length + text.length, 0) < SHORT_REPLY_CHARACTERS;
}

/** The exchange that ended last; undefined if none has ended. */
export function findLastEnded(exchanges: readonly Exchange[]): Exchange | undefined {
  const endOf = ({ opener, answers }: Exchange) => {
    const { day, time } = answers.at(-1) ?? opener;
    return `${day} ${time}`;
  };
  const ended = exchanges.filter(({ isOver }) => isOver);
  return ended.toSorted((a, b) => endOf(a).localeCompare(endOf(b))).at(-1);
}

/** Minimum letters for words to be clear alone. A Chinese or Japanese character counts as two and a half. */
const MIN_CLEAR_LETTERS = 16;

function isClear({ spans }: ExchangeLine): boolean {
  return spans.some(({ text, attachment }) => {
    const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
    return text.length + 1.5 * dense >= MIN_CLEAR_LETTERS || (attachment?.name ?? '') !== '';
  });
}

/** Whether it has words or a file with a name; a photo alone has neither. */
function hasContent({ spans }: ExchangeLine): boolean {
  return spans.some(({ text, attachment }) => text !== '' || (attachment !== null && attachment.name !== ''));
}

/** A line as a quote, with `You` for the user unless `namesUser`. `isForwarded`: someone else had written the words. */
function toQuote({ messageId, who, fromUser, isForwarded, spans, isDone }: ExchangeLine, namesUser = false) {
  const said = spans.map(({ text, isStart, isEnd, attachment }) => ({
    words: `${isStart ? '' : '… '}${text}${isEnd ? '' : ' …'}`,
    /** The attachment: its symbol in plain text, and its name. */
    attachment: attachment
      ? { ...MEDIA[attachment.kind], isFile: attachment.kind === 'document', name: attachment.name }
      : undefined,
  }));
  return { messageId, who: fromUser && !namesUser ? 'You' : who, isForwarded, isAnswer: false, said, isDone };
}

/** "Name: words"; "↳" marks an answer, "✓" completed work. */
export function lineText(quote: Quote): string {
  const author = quote.who ? `${describeAuthor(quote)}:` : describeAuthor(quote);
  return [quote.isAnswer && '↳', author, quoteWords(quote), quote.isDone && '✓'].filter(Boolean).join(' ');
}

/** Author, with a sign for forwarded words; '' if obvious. */
export function describeAuthor({ who, isForwarded }: Quote): string {
  return [who && isolateDirection(who), isForwarded && '↪'].filter(Boolean).join(' ');
}

export function quoteWords({ said }: Pick<Quote, 'said'>): string {
  return said
    .map(({ words, attachment }) => [...(attachment ? [attachment.sign, attachment.name] : []), words])
    .map(parts => parts.filter(Boolean).join(' '))
    .join(' / ');
}

/**
 * The exchanges of a digest, newest day first, with days and times in this zone; they were stored in the user's zone at that
 * time. A line whose message was not kept stays as it is.
 */
export function localizeExchanges({ structured, sources }: Pick<Digest, 'structured' | 'sources'>, timezone: string) {
  const sentAt = new Map(sources.messages.map(message => [message.id, new Date(message.sentAt)]));
  const inZone = (line: ExchangeLine): ExchangeLine => {
    const moment = sentAt.get(line.messageId);
    return moment ? { ...line, day: localDay(moment, timezone), time: formatTimeOfDay(moment, timezone) } : line;
  };
  const { exchanges } = structured;
  const localized = exchanges?.map(exchange => {
    const { opener, answers } = exchange;
    return { ...exchange, opener: inZone(opener), answers: answers.map(inZone) };
  });
  const isMoved = localized?.some(({ opener }, n) => opener.day !== exchanges?.[n]?.opener.day);
  if (!isMoved) return localized;
  return localized?.toSorted(
    ({ opener: one }, { opener: other }) => other.day.localeCompare(one.day) || one.time.localeCompare(other.time),
  );
}
