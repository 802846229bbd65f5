import { createYielder } from '../../../lib/inSteps.ts';
import type { MediaKind } from '../../messenger/types.ts';
import { isAnswer } from '../questions.ts';
import { type PromiseRead, promiseRows, readSharedWords, scoreEnd } from '../reader/promises.ts';
import { splitTokens, toWord } from '../reader/words.ts';
import type { AuthoredMessage } from '../readMessages.ts';
import type { Closing, OpenPromise, SummaryRequest } from '../types.ts';
import type { ReadDay, ScoredRequest } from './readRequest.ts';

/** Added when whoever made the promise sends a file: in private chats, four of five such questions are right. */
const FILE_SCORES: Partial<Record<MediaKind, number>> = { document: 1.75, photo: 1 };
/** Added to what a message must score to ask again. */
const ASKED_BEFORE = 0.5;
const DAY = 86_400_000;

/**
 * The open promises that new messages may have ended, each with the message that suggests it most: the user is asked
 * about them. None is closed, for no score was ever right often enough for that. Messages up to
 * `previousDigest.untilMessageId`, and forwarded ones, end nothing. Yields regularly to other work.
 */
export async function findClosings(
  read: ScoredRequest,
  { openPromises: promises = [], previousDigest }: Pick<SummaryRequest, 'openPromises' | 'previousDigest'>,
): Promise<Closing[]> {
  const nextStep = createYielder();
  const { asks } = read.model.thresholds;
  const isNew = ({ message }: AuthoredMessage) =>
    (!previousDigest || message.id > previousDigest.untilMessageId) && !message.forwarded;
  const found = new Map<number, { id: string; score: number }>();
  for (const readDay of read.days) {
    if (promises.length === 0 || !readDay.said.some(isNew)) continue;
    const { day, words, scores } = readDay.scored;
    const scoredPromises = promises.map(promise => toPromiseRead(promise, read, readDay));
    const rows = promiseRows(day, words, scores, scoredPromises);
    for (const [at, said] of readDay.said.entries()) {
      await nextStep();
      if (!isNew(said)) continue;
      const ends = rows.map((row, k) => scorePromiseEnd(read, said, { who: scoredPromises[k]!.who, row: row[at]! }));
      const sent = scoredPromises.map(({ who }) => scoreSentFile(read, said, who));
      const best = Math.max(...ends.filter((_, k) => sent[k]! > 0));
      // The score for a sent file counts only for the promise it fits best and for those that are due.
      const endsOf = scoredPromises.map(({ daysLeft }, k) =>
        ends[k] === best || (daysLeft !== null && daysLeft <= 0) ? ends[k]! : ends[k]! - sent[k]!,
      );
      const isAboutOne = endsOf.some(score => score >= asks);
      for (const [k, { n, sourceMessageIds, isDoubtful, isRequest }] of promises.entries()) {
        const score = endsOf[k]!;
        // The user's next message may answer the other side's request, unless it says more of another promise, and a reply
        // to it does. A question isn't asked about again for words that say nothing of it.
        const isReply = sourceMessageIds?.includes(String(said.message.replyTo));
        const { shared, ahead } = readSharedWords(rows[k]![at]!);
        const mayAnswer = isReply || (!read.isGroup && (!isAboutOne || (shared > 0 && ahead >= 0)));
        const isNext = isRequest && !isDoubtful && mayAnswer && isAnswer(said.message);
        const again = shared > 0 || isReply ? ASKED_BEFORE : Infinity;
        const least = isNext ? -Infinity : asks + (isDoubtful ? again : 0);
        if (score < least || sourceMessageIds?.includes(said.id) || score <= (found.get(n)?.score ?? -Infinity)) continue;
        found.set(n, { id: said.id, score });
      }
    }
  }
  return [...found].map(([n, { id }]) => ({ n, state: 'doubtful', newDueDate: null, messageIds: [id] }));
}

/** Score, not a probability, of a message as the end of the task of `who`. */
export function scorePromiseEnd(
  read: ScoredRequest,
  said: AuthoredMessage,
  { who, row }: { who: string | null; row: Float32Array },
): number {
  return scoreEnd(read.model.ends, row) + scoreSentFile(read, said, who);
}

function scoreSentFile({ isGroup }: ScoredRequest, { who: writer, message }: AuthoredMessage, who: string | null): number {
  return (!isGroup && writer === who && message.media && FILE_SCORES[message.media.kind]) || 0;
}

function toPromiseRead(
  { direction, who, text, sourceTexts = [], authors = [], saidAt, dueDate, request }: OpenPromise,
  { names, isGroup }: ScoredRequest,
  { day }: ReadDay,
): PromiseRead {
  const said = [...new Set([...(request ? [request.words] : []), ...sourceTexts, text])];
  const unnamed = isGroup ? null : names.peer;
  const owners = { mine: names.user, theirs: who === null ? unnamed : names.displayName(who), unassigned: null };
  return {
    who: owners[direction],
    authors: authors.map(({ name, fromUser }) => (fromUser ? names.user : names.displayName(name))),
    words: said.map(one => {
      const tokens = splitTokens(one);
      return { tokens, words: tokens.map(toWord) };
    }),
    daysAgo: Math.round((Date.parse(day) - Date.parse(saidAt)) / DAY),
    daysLeft: dueDate === null ? null : Math.round((Date.parse(dueDate) - Date.parse(day)) / DAY),
  };
}
