import type { ExchangeLine } from '../../clients/summarizer/types.ts';
import { toOneLine } from '../../lib/mailViews.ts';
import { readPersonName } from '../../lib/names/personName.ts';
import { localDay } from '../../lib/timezones.ts';
import {
  formatQuantity,
  formatShortDay,
  formatTimeOfDay,
  isolateDirection,
  isolateName,
  type QuotedLine,
  quoteText,
} from '../../lib/words.ts';
import { type ChatLink, chatLinks, dialogName } from '../messenger/dialogs/rules.ts';
import type { Digest, SourceMessage } from './schema.ts';

/** The messages that something rests on, as `_source.eta` prints them. */
export type SourceView = {
  /** The id of the panel in the page. */
  id: string;
  /** The first message in a few words: `Farid Nazari, Tue 24 Nov, 16:58`. */
  first: { name: string; when: string };
  lines: { name: string; when: string }[];
  /** Number of unlisted messages, such as `3 more messages`. */
  more: string;
  links: ChatLink[];
  /** The address of the page that adds the sentence as a promise. */
  add?: string;
};

/** A piece of a summary: a sentence with its source, or, without a source, whatever is between two such sentences. */
export type SentenceWithSource = { text: string; source: SourceView | undefined };

type Sourced = Pick<Digest, 'id' | 'dialog' | 'sources'>;
type UserDay = { today: string; timezone: string };

const MAX_LINES = 4;
/** Fallback when the messenger's address of the conversation is unknown. */
const UNKNOWN = { kind: 'user', id: '' } as const;

/** Limits on what an added promise copies: characters of the sentence, and messages. */
export const MAX_PROMISE_TEXT_LENGTH = 300;
export const MAX_QUOTED_MESSAGES = 10;

type AddedPromise = { text: string; messageIds: readonly string[]; back: string };

function addressToAdd(dialog: string, { text, messageIds, back }: AddedPromise): string {
  const messages = messageIds.slice(0, MAX_QUOTED_MESSAGES).join(',');
  return `/promises/new?${new URLSearchParams({ dialog, text: text.trim().slice(0, MAX_PROMISE_TEXT_LENGTH), messages, back })}`;
}

/** A summary in pieces, which together make up all of it. */
export function quoteSentences(
  digest: Pick<Digest, 'summary' | 'dialogId'> & Sourced,
  now: UserDay & { here?: string | undefined },
): SentenceWithSource[] {
  const { summary, sources } = digest;
  const parts: SentenceWithSource[] = [];
  let end = 0;
  for (const [n, { from, to, messageIds }] of sources.sentences.entries()) {
    const source = quoteSource(digest, messageIds, { ...now, key: String(n + 1) });
    if (!source || from < end || to > summary.length) continue;
    if (from > end) parts.push({ text: summary.slice(end, from), source: undefined });
    const text = summary.slice(from, to);
    const add = now.here && addressToAdd(digest.dialogId, { text, messageIds, back: now.here });
    parts.push({ text, source: { ...source, ...(add && { add }) } });
    end = to;
  }
  if (end < summary.length) parts.push({ text: summary.slice(end), source: undefined });
  return parts;
}

/** The source of a line of an excerpt, by the number of the line. */
export function createLineQuoter(digest: Pick<Digest, 'dialogId'> & Sourced, now: UserDay & { here?: string | undefined }) {
  return ({ spans }: ExchangeLine, n: number) => {
    const messageIds = spans.map(({ messageId }) => messageId);
    const source = quoteSource(digest, messageIds, { ...now, key: String(n) });
    const text = spans.map(span => span.text || span.attachment?.name).join(' ');
    const add = now.here && addressToAdd(digest.dialogId, { text, messageIds, back: now.here });
    return source && { ...source, ...(add && { add }) };
  };
}

/** Senders, times and Telegram links of messages; undefined if not kept. `key` distinguishes the panels of one digest. */
export function quoteSource(
  { id, dialog, sources }: Sourced,
  messageIds: readonly string[],
  { key, ...now }: UserDay & { key: string },
): SourceView | undefined {
  const wantedIds = new Set(messageIds);
  const messages = sources.messages.filter(message => wantedIds.has(message.id));
  const described = describeMessages(messages, { ...dialog, peer: dialog.peer ?? UNKNOWN }, now);
  const [first] = described.lines;
  return first && { id: `s-${id}-${key}`, first, ...described };
}

/** Senders and times, one line per message, with Telegram links. */
export function describeMessages(messages: SourceMessage[], dialog: Parameters<typeof chatLinks>[0], now: UserDay) {
  const lines = sourceLines(messages, now);
  const remaining = lines.length - MAX_LINES;
  return {
    lines: lines.slice(0, MAX_LINES),
    more: remaining > 0 ? formatQuantity(remaining, 'more message', 'more messages') : '',
    links: chatLinks(
      dialog,
      messages.map(({ id }) => id),
    ),
  };
}

/** One line per sender and minute, in order; the day is named only when it changes. */
function sourceLines(messages: SourceMessage[], { today, timezone }: UserDay): SourceView['lines'] {
  const lines: SourceView['lines'] = [];
  let before = '';
  let last = '';
  for (const { sender, fromUser, sentAt } of messages) {
    const moment = new Date(sentAt);
    const day = localDay(moment, timezone);
    const time = formatTimeOfDay(moment, timezone);
    const name = fromUser ? 'You' : sender || 'Someone';
    const key = `${day} ${time} ${name}`;
    if (key === last) continue;
    lines.push({ name, when: day === before ? time : `${formatShortDay(day, today)}, ${time}` });
    [before, last] = [day, key];
  }
  return lines;
}

type Author = { who: string; fromUser: boolean };

type QuotablePromise = {
  words: string;
  /** Author of quoted words; null if not a quote. */
  saidBy: Author | null;
  /** The message that a quote answers, if the quote is unclear alone. */
  request: (Author & { words: string }) | null;
  /** Debtor, and the name if mentioned. */
  direction: 'mine' | 'theirs' | 'unassigned';
  who: string | null;
  peerName: string;
  peerUsername: string;
  peerPhone: string;
};

/**
 * The words of a promise in one line, and for a quote also line by line, the message that it answers first. The one
 * line names the topic, and, beside the conversation's name, only the user and others of a group.
 */
export function describeWords(promise: QuotablePromise): { words: string; quotes: QuotedLine[] } {
  const name = dialogName(promise);
  const { saidBy, request } = promise;
  if (!saidBy) return { words: isolateName(promise.words, name), quotes: [] };
  const answerQuote = { by: authorName(saidBy, name), words: promise.words, isAnswer: request !== null };
  if (!request) {
    const quoted = isAuthorNamed(promise, name) ? { ...answerQuote, by: '' } : answerQuote;
    return { words: quotedLine(quoted, name), quotes: [quoted] };
  }
  const requestQuote = { by: authorName(request, name), words: request.words, isAnswer: false };
  return { words: quotedLine(requestQuote, name), quotes: [requestQuote, answerQuote] };
}

/** A promise in plain text, in lines: words that answer a message follow that message. */
export function formatInFull(promise: QuotablePromise): string[] {
  const { words, quotes } = describeWords(promise);
  return quotes.length > 1 ? quotes.map(quoteText) : [words];
}

/** The longest quote where two are on one line, in characters. */
const MAX_PAIRED_QUOTE_LENGTH = 70;

/** A promise in one line: the words that it answers, then its own. */
export function formatInLine(promise: QuotablePromise): string {
  const { words, quotes } = describeWords(promise);
  if (quotes.length < 2) return words;
  return quotes.map(quote => quoteText({ ...quote, words: toOneLine(quote.words, MAX_PAIRED_QUOTE_LENGTH) })).join(' ');
}

const MAX_TITLE_LENGTH = 80;

/** A promise as a title, where there is room for one line only. */
export function toPromiseTitle(promise: QuotablePromise): string {
  return toOneLine(describeWords(promise).words, MAX_TITLE_LENGTH);
}

/** The name of a line's author. In a conversation with one person, their short name. */
function authorName({ who, fromUser }: Author, conversation: string): string {
  if (fromUser) return 'You';
  return who === conversation ? shortName(who) : who;
}

const shortName = (name: string): string => readPersonName(name).short || name;

/** Whether a row already names the author of a promise's words, as debtor or conversation. */
function isAuthorNamed({ saidBy, direction, who }: QuotablePromise, conversation: string): boolean {
  if (!saidBy || direction === 'unassigned') return false;
  if (direction === 'mine' || saidBy.fromUser) return direction === 'mine' && saidBy.fromUser;
  return [conversation, who].some(named => named === saidBy.who || named === shortName(saidBy.who));
}

function quotedLine({ by, words }: QuotedLine, conversation: string): string {
  const isAuthorImplied = by === '' || by === conversation || by === shortName(conversation);
  return isAuthorImplied ? words : `${isolateDirection(by)}: ${words}`;
}
