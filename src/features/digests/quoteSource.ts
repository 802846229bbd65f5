import type { Line } from '../../clients/summarizer/types.ts';
import { localDay } from '../../lib/timezones.ts';
import { clockTime, countOf, shortDay } from '../../lib/words.ts';
import { type Address, addressesOf } from '../messenger/dialogs/rules.ts';
import type { Digest, SourceMessage } from './schema.ts';

/** The messages that something rests on, as `_source.eta` prints them. */
export type SourceView = {
  /** Of the panel in the page. */
  id: string;
  /** The first message in a few words: `Farid Nazari, Tue 24 Nov, 16:58`. */
  first: { name: string; when: string };
  lines: { name: string; when: string }[];
  /** What is not listed, such as `3 more messages`. */
  more: string;
  links: Address[];
  /** Of the page that adds the sentence as a promise. */
  add?: string;
};

/** A piece of a summary: a sentence with its source, or, without a source, whatever is between two such sentences. */
export type SaidPart = { text: string; source: SourceView | undefined };

type Told = Pick<Digest, 'id' | 'dialog' | 'sources'>;
type Now = { today: string; timezone: string };

const MOST_LINES = 4;
/** Used when it isn't known how the messenger addresses the conversation. */
const UNKNOWN = { kind: 'user', id: '' } as const;

/** So much of a sentence, and so many of its messages, an added promise takes. */
export const LONGEST_LINE = 300;
export const MOST_MESSAGES = 10;

type Added = { text: string; messageIds: readonly string[]; back: string };

function addressToAdd(dialog: string, { text, messageIds, back }: Added): string {
  const messages = messageIds.slice(0, MOST_MESSAGES).join(',');
  return `/promises/new?${new URLSearchParams({ dialog, text: text.trim().slice(0, LONGEST_LINE), messages, back })}`;
}

/** A summary in pieces, which together make up all of it. */
export function quoteSentences(
  digest: Pick<Digest, 'summary' | 'dialogId'> & Told,
  now: Now & { here?: string | undefined },
): SaidPart[] {
  const { summary, sources } = digest;
  const parts: SaidPart[] = [];
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

/** What a line of a digest in people's own words rests on, for the line with this number. */
export function quoteLine(
  digest: Pick<Digest, 'dialogId'> & Told,
  now: Now & { here?: string | undefined },
): (line: Line, n: number) => SourceView | undefined {
  return ({ spans }, n) => {
    const messageIds = spans.map(({ messageId }) => messageId);
    const source = quoteSource(digest, messageIds, { ...now, key: String(n) });
    const text = spans.map(span => span.text || span.attachment?.name).join(' ');
    const add = now.here && addressToAdd(digest.dialogId, { text, messageIds, back: now.here });
    return source && { ...source, ...(add && { add }) };
  };
}

/**
 * Who sent these messages and when, and where Telegram opens them; undefined when that was not kept.
 * @param now.key what tells the panel from others of the same digest
 */
export function quoteSource(
  { id, dialog, sources }: Told,
  messageIds: readonly string[],
  { key, ...now }: Now & { key: string },
): SourceView | undefined {
  const wanted = new Set(messageIds);
  const messages = sources.messages.filter(message => wanted.has(message.id));
  const told = describeMessages(messages, { ...dialog, peer: dialog.peer ?? UNKNOWN }, now);
  const [first] = told.lines;
  return first && { id: `s-${id}-${key}`, first, ...told };
}

/** Who sent these messages and when, a line each, and where Telegram opens them. */
export function describeMessages(
  messages: SourceMessage[],
  dialog: Parameters<typeof addressesOf>[0],
  now: Now,
): Pick<SourceView, 'lines' | 'more' | 'links'> {
  const lines = linesOf(messages, now);
  const left = lines.length - MOST_LINES;
  return {
    lines: lines.slice(0, MOST_LINES),
    more: left > 0 ? countOf(left, 'more message', 'more messages') : '',
    links: addressesOf(
      dialog,
      messages.map(({ id }) => id),
    ),
  };
}

/** The day is said once, until it changes; several messages of a minute are one line. */
function linesOf(messages: SourceMessage[], { today, timezone }: Now): SourceView['lines'] {
  const lines: SourceView['lines'] = [];
  let before = '';
  let last = '';
  for (const { sender, fromUser, sentAt } of messages) {
    const moment = new Date(sentAt);
    const day = localDay(moment, timezone);
    const time = clockTime(moment, timezone);
    const name = fromUser ? 'You' : sender || 'Someone';
    const key = `${day} ${time} ${name}`;
    if (key === last) continue;
    lines.push({ name, when: day === before ? time : `${shortDay(day, today)}, ${time}` });
    [before, last] = [day, key];
  }
  return lines;
}
