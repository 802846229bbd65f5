import { MEDIA } from '../../clients/messenger/types.ts';
import { type Exchange, type ExchangeLine, SHORT_REPLY_CHARACTERS } from '../../clients/summarizer/types.ts';
import { localDay } from '../../lib/timezones.ts';
import { clockTime, isolated, shortDay } from '../../lib/words.ts';
import type { SourceView } from './quoteSource.ts';
import type { Digest } from './schema.ts';

/** A quotation as `_quote.eta` prints it. */
export type Quote = ReturnType<typeof toQuote>;

/** A line with its answers, as `_quotes.eta` prints them. */
export type ExchangeView = ReturnType<typeof describeExchanges>[number];

type Describing = {
  today: string;
  /** The day that is named beside them: of an exchange of another one its day is said, too. */
  day?: string;
  /** The user by their name, for others to read; otherwise `You`. */
  namesUser?: boolean;
  /** The source of a line. @param n the number of the line, from 1 */
  sourceOf?: (line: ExchangeLine, n: number) => SourceView | undefined;
};

export function describeExchanges(exchanges: readonly Exchange[], about: Describing) {
  const days = new Set(exchanges.map(({ opener }) => opener.day));
  const hasDays = days.size > 1 || (about.day !== undefined && !days.has(about.day));
  let n = 0;
  return exchanges.map(({ opener, answers }) => ({
    /** '' where all exchanges are of the same day, and of the one that is named next to them. */
    day: hasDays ? shortDay(opener.day, about.today) : '',
    time: opener.time,
    lines: [opener, ...answers].map(line => {
      n += 1;
      return { ...toQuote(line, about.namesUser), isAnswer: line !== opener, source: about.sourceOf?.(line, n) };
    }),
  }));
}

type KeyLine = { isGroup: boolean; keptLines?: readonly { messageId: string; score: number }[] | undefined };

/**
 * The greatest news of the newest day: words enough to be read alone, or a file's name, with what they answer if they are
 * short, and with what ended the matter. Of equal news the last; as in a list of chats, only the user and the members of
 * a group are named.
 */
export function keyLine(exchanges: readonly Exchange[], { isGroup, keptLines = [] }: KeyLine): Quote[] {
  const scores = new Map(keptLines.map(({ messageId, score }) => [messageId, score]));
  const newsOf = ({ spans }: ExchangeLine) => Math.max(...spans.map(({ messageId }) => scores.get(messageId) ?? 0));
  const greatest = (lines: readonly ExchangeLine[]) => lines.toReversed().toSorted((a, b) => newsOf(b) - newsOf(a));
  const newest = exchanges.filter(({ opener }) => opener.day === exchanges[0]?.opener.day);
  const [first] = greatest(newest.flatMap(({ opener, answers }) => [opener, ...answers]));
  const best = newest.find(({ opener, answers }) => [opener, ...answers].some(line => line === first));
  if (!best) return [];
  const lines = [best.opener, ...best.answers];
  const line = greatest(lines.filter(isClear))[0] ?? lines.find(saysSomething) ?? best.opener;
  const end = best.isOver || (line === best.opener && isShort(line)) ? lines.at(-1) : undefined;
  const isShown = (one: ExchangeLine) =>
    one === line || (saysSomething(one) && ((one === best.opener && isShort(line)) || (one === end && !one.isDone)));
  return lines
    .filter(isShown)
    .map((one, n) => ({
      ...toQuote({ ...one, isDone: one.isDone || (one === line && end?.isDone === true) }),
      ...(!one.fromUser && !isGroup && { who: '' }),
      isAnswer: n > 0,
    }));
}

function isShort({ spans }: ExchangeLine): boolean {
  return spans.reduce((length, { text }) => length + text.length, 0) < SHORT_REPLY_CHARACTERS;
}

/** The exchange that is over and ended last, which whoever reads only one should see. */
export function lastEnded(exchanges: readonly Exchange[]): Exchange | undefined {
  const momentOf = ({ opener, answers }: Exchange) => {
    const { day, time } = answers.at(-1) ?? opener;
    return `${day} ${time}`;
  };
  const ended = exchanges.filter(({ isOver }) => isOver);
  return ended.toSorted((a, b) => momentOf(a).localeCompare(momentOf(b))).at(-1);
}

/** Letters from which words are rarely a riddle. A Chinese or Japanese character says as much as two or three others. */
const MIN_CLEAR_LETTERS = 16;

function isClear({ spans }: ExchangeLine): boolean {
  return spans.some(({ text, attachment }) => {
    const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
    return text.length + 1.5 * dense >= MIN_CLEAR_LETTERS || (attachment?.name ?? '') !== '';
  });
}

/** Whether it has words or a file with a name; a photo alone has neither. */
function saysSomething({ spans }: ExchangeLine): boolean {
  return spans.some(({ text, attachment }) => text !== '' || (attachment !== null && attachment.name !== ''));
}

/** `who` is '' where it goes without saying. `isForwarded`: they passed on what someone else had written. */
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
  const by = quote.who ? `${describeAuthor(quote)}:` : describeAuthor(quote);
  return [quote.isAnswer && '↳', by, quoteWords(quote), quote.isDone && '✓'].filter(Boolean).join(' ');
}

/** Author, with a sign for forwarded words; '' if obvious. */
export function describeAuthor({ who, isForwarded }: Quote): string {
  return [who && isolated(who), isForwarded && '↪'].filter(Boolean).join(' ');
}

export function quoteWords({ said }: Pick<Quote, 'said'>): string {
  return said
    .map(({ words, attachment }) => [...(attachment ? [attachment.sign, attachment.name] : []), words])
    .map(parts => parts.filter(Boolean).join(' '))
    .join(' / ');
}

/**
 * The exchanges of a digest, the newest day first, with their days and hours in this zone: they were stored in the one
 * that the user had then. A line whose message was not kept stays as it is.
 */
export function exchangesIn({ structured, sources }: Pick<Digest, 'structured' | 'sources'>, timezone: string) {
  const sentAt = new Map(sources.messages.map(message => [message.id, new Date(message.sentAt)]));
  const inZone = (line: ExchangeLine): ExchangeLine => {
    const moment = sentAt.get(line.messageId);
    return moment ? { ...line, day: localDay(moment, timezone), time: clockTime(moment, timezone) } : line;
  };
  const { exchanges } = structured;
  const shown = exchanges?.map(exchange => {
    const { opener, answers } = exchange;
    return { ...exchange, opener: inZone(opener), answers: answers.map(inZone) };
  });
  const isMoved = shown?.some(({ opener }, n) => opener.day !== exchanges?.[n]?.opener.day);
  if (!isMoved) return shown;
  return shown?.toSorted(
    ({ opener: one }, { opener: other }) => other.day.localeCompare(one.day) || one.time.localeCompare(other.time),
  );
}
