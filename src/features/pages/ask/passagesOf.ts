import { readPersonName } from '../../../lib/names/personName.ts';
import { quoteText } from '../../../lib/textDirection.ts';
import { describeExchanges, exchangesIn, lineText } from '../../digests/describeExchanges.ts';
import { describeWords } from '../../digests/quoteSource.ts';
import type { Digest } from '../../digests/schema.ts';
import type { OwnPassage } from '../../messenger/consent/service.ts';
import { nameOf } from '../../messenger/dialogs/rules.ts';
import { isLive } from '../../promises/rules.ts';
import type { SourcedPromise } from '../../promises/schema.ts';

/** A piece of what is stored that may answer a question: an exchange, a sentence of a digest, or a promise. */
export type Passage = {
  /** What it says, a line for each person. */
  lines: string[];
  /** YYYY-MM-DD, when it was said. */
  day: string;
  dialogId: string;
  messageIds: string[];
  digest: Digest | undefined;
  promise: SourcedPromise | undefined;
};

const MOST_LETTERS = 1200;

/** What a digest says, piece by piece. */
export function passagesOf(digest: Digest, timezone: string): Passage[] {
  const { dialogId, digestDate } = digest;
  const passage = (lines: string[], messageIds: string[], day = digestDate): Passage => {
    return {
      lines: lines.map(line => line.slice(0, MOST_LETTERS)),
      day,
      dialogId,
      messageIds,
      digest,
      promise: undefined,
    };
  };
  const exchanges = exchangesIn(digest, timezone);
  if (!exchanges) return proseOf(digest).map(({ text, messageIds }) => passage([text], messageIds));
  const shown = describeExchanges(exchanges, { today: digestDate });
  const told = exchanges.map(({ opener, answers }, n) => {
    const ids = [opener, ...answers].flatMap(({ messageId, spans }) => [
      messageId,
      ...spans.map(span => span.messageId),
    ]);
    return passage(shown[n]?.lines.map(lineText) ?? [], [...new Set(ids)], opener.day);
  });
  const isTold = new Set(told.flatMap(({ messageIds }) => messageIds));
  const kept = (digest.structured.keptLines ?? []).filter(({ messageId }) => !isTold.has(messageId));
  return [...told, ...kept.map(({ who, text, messageId }) => passage([`${who}: ${text}`], [messageId]))];
}

/** The sentences of a summary in prose, with the messages they rest on where these are kept. */
function proseOf({ summary, sources }: Digest): { text: string; messageIds: string[] }[] {
  if (sources.sentences.length === 0) {
    return (summary.match(/[^.!?。！？\n]+[.!?。！？]*/g) ?? [])
      .map(text => ({ text: text.trim(), messageIds: [] }))
      .filter(({ text }) => text);
  }
  return sources.sentences.map(({ from, to, messageIds }) => ({ text: summary.slice(from, to), messageIds }));
}

/** What a promise says, with what it answers. */
export function passageOfPromise(promise: SourcedPromise): Passage {
  const { words, quotes } = describeWords(promise);
  const lines = quotes.length > 0 ? quotes.map(quoteText) : [words];
  const request = promise.request ? [promise.request.messageId] : [];
  return {
    lines,
    day: promise.firstSaidOn,
    dialogId: promise.dialogId,
    messageIds: [...new Set([...request, ...promise.sourceMessageIds])],
    digest: undefined,
    promise,
  };
}

/** Passages as a model may be given them, numbered as the page numbers them. */
export function toOwnPassages(passages: readonly Passage[]): OwnPassage[] {
  return passages.map(({ lines, day, dialogId, digest, promise }, index) => ({
    ...{ n: index + 1, lines, day, dialogId, peer: peerOf({ digest, promise }) },
    quotedAt: promise ? promise.quotedAt : quotedAtOf(digest),
    ...(promise && { promise: toOwnPromise(promise) }),
  }));
}

/** Before any consent, where it isn't known. */
export function quotedAtOf(digest: { quotedAt?: Date | null | undefined } | undefined): Date | null {
  return digest?.quotedAt === undefined ? new Date(0) : digest.quotedAt;
}

/** As a model may be given it. */
export function toOwnPromise(promise: SourcedPromise): NonNullable<OwnPassage['promise']> {
  const { direction, who, state, dueDate, dueTime } = promise;
  const by =
    direction === 'mine' ? 'you' : who || (direction === 'theirs' ? shortName(promise) : 'no one in particular');
  return {
    by,
    state: isLive(promise) ? 'open' : state === 'done' ? 'kept' : 'not kept',
    dueDate,
    dueTime: dueTime ?? null,
  };
}

function peerOf({ digest, promise }: Pick<Passage, 'digest' | 'promise'>): string {
  if (promise) return shortName(promise);
  if (!digest) return '';
  return digest.dialog.peerType === 'user' ? shortOf(nameOf(digest.dialog)) : nameOf(digest.dialog);
}

function shortName(promise: SourcedPromise): string {
  const name = nameOf(promise);
  return promise.peerKind === 'user' ? shortOf(name) : name;
}

/** First names only, as digests are written from. */
export const shortOf = (name: string) => readPersonName(name).short || name;
