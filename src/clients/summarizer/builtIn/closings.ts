import type { MediaKind } from '../../messenger/types.ts';
import { type PromiseRead, promiseRows } from '../reader/promises.ts';
import { scoreTrees } from '../reader/trees.ts';
import { tokensOf, wordOf } from '../reader/words.ts';
import type { Closing, ClosingRequest, OpenPromise } from '../types.ts';
import type { Read, ReadDay, Said } from './readRequest.ts';

/** Per conversation. Promises beyond that were made last, and stay open. */
const MOST_PROMISES = 60;
const MOST_SOURCES = 3;
/** What it adds that whoever promised sends something: of 100 such questions between two people, about 80 are right. */
const SENT: Partial<Record<MediaKind, number>> = { document: 1.75, photo: 1 };
const DAY = 86_400_000;

/**
 * The open promises that new messages may have ended, each with the messages that are about it: their person is asked.
 * Nothing is closed, for no score was ever right often enough for that. Messages up to `told.untilMessageId`, and what was
 * only passed on, end nothing.
 */
export function findClosings(
  read: Read,
  { openPromises = [], told }: Pick<ClosingRequest, 'openPromises' | 'told'>,
): Closing[] {
  const promises = openPromises.slice(0, MOST_PROMISES);
  if (promises.length === 0) return [];
  const { thresholds } = read.model;
  const found = new Map<number, { id: string; score: number }[]>();
  for (const of of read.days) {
    if (told && of.said.every(({ message }) => message.id <= told.untilMessageId)) continue;
    const { day, words, scores } = of.scored;
    const asked = promises.map(promise => asRead(promise, read, of));
    const rows = promiseRows(day, words, scores, asked);
    for (const [at, said] of of.said.entries()) {
      const { id, message } = said;
      const isNew = !told || message.id > told.untilMessageId;
      if (!isNew || message.forwarded) continue;
      const scored = promises.map((promise, k) => {
        return { promise, score: scoreOfEnd(read, said, { who: asked[k]!.who, row: rows[k]![at]! }) };
      });
      // Of several promises, a message is about the one that it fits best.
      const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
      const { n, sourceMessageIds } = best.promise;
      if (best.score < thresholds.asks || sourceMessageIds?.includes(id)) continue;
      found.set(n, [...(found.get(n) ?? []), { id, score: best.score }]);
    }
  }
  return [...found].map(([n, messages]) => {
    // The one that says it best comes last: its words are quoted.
    const best = messages.reduce((one, other) => (other.score > one.score ? other : one));
    const others = messages.filter(one => one !== best).slice(1 - MOST_SOURCES);
    return { n, state: 'doubtful', newDueDate: null, messageIds: [...others, best].map(({ id }) => id) };
  });
}

/** How likely a message ends what `who` is to do. */
export function scoreOfEnd(
  { model, isGroup }: Read,
  { who: writer, message }: Said,
  { who, row }: { who: string | null; row: Float32Array },
): number {
  const sent = !isGroup && writer === who && message.media ? SENT[message.media.kind] : 0;
  return scoreTrees(model.ends, row) + (sent ?? 0);
}

function asRead(
  { direction, who, text, sourceTexts, authors = [], saidAt, dueDate, request }: OpenPromise,
  { names, isGroup }: Read,
  { day }: ReadDay,
): PromiseRead {
  const said = [...(request ? [request.words] : []), ...(sourceTexts?.length ? sourceTexts : [text])];
  const other = who === null ? (isGroup ? null : names.peer) : names.of(who);
  return {
    who: direction === 'mine' ? names.user : direction === 'theirs' ? other : null,
    authors: authors.map(({ name, fromUser }) => (fromUser ? names.user : names.of(name))),
    words: said.map(one => {
      const tokens = tokensOf(one);
      return { tokens, words: tokens.map(wordOf) };
    }),
    daysAgo: Math.round((Date.parse(day) - Date.parse(saidAt)) / DAY),
    daysLeft: dueDate === null ? null : Math.round((Date.parse(dueDate) - Date.parse(day)) / DAY),
  };
}
