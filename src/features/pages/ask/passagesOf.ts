import { quoteText } from '../../../lib/textDirection.ts';
import { describeExchanges, lineText } from '../../digests/describeExchanges.ts';
import { describeWords } from '../../digests/describeWords.ts';
import { exchangesIn } from '../../digests/exchangesIn.ts';
import type { Digest } from '../../digests/schema.ts';
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
