import { fold } from '../cleaning.ts';
import type { Conversation, Utterance } from '../conversation.ts';
import type { Closing, OpenPromise } from '../types.ts';
import type { Reply } from './reply.ts';
import { saidDate } from './saidDates.ts';
import type { Line } from './transcript.ts';

type Claimed = Reply['closings'][number];
type Ground = {
  lines: Line[];
  conversation: Conversation;
  openPromises: OpenPromise[];
  /** YYYY-MM-DD */
  today: string;
};

const MOST_SOURCES = 10;
/** Per message. */
const MOST_PARTS = 40;

/**
 * Keeps what can be trusted of what a model says became of promises: only those it was given, each once, and resting on
 * new messages that exist. What others in a group said leaves a doubt, and so does what the messages say is still to be
 * done; a new day is counted from the words said for it. Claims that rest on a question or on nothing are dropped.
 */
export function closingsFrom(claimed: Claimed[], ground: Ground): Closing[] {
  const promises = new Map(ground.openPromises.map(promise => [promise.n, promise]));
  const byPromise = Map.groupBy(claimed, ({ n }) => n);
  return [...byPromise].flatMap(([n, claims]) => {
    const promise = promises.get(n);
    const found = promise ? claims.flatMap(claim => closingFrom(claim, promise, ground) ?? []) : [];
    const [first] = found;
    if (!first) return [];
    // A model that says two things about one promise knows neither.
    const isClear = found.every(({ state, newDueDate }) => state === first.state && newDueDate === first.newDueDate);
    const messageIds = [...new Set(found.flatMap(closing => closing.messageIds))];
    return [isClear ? { ...first, messageIds } : { n, state: 'doubtful', newDueDate: null, messageIds }];
  });
}

function closingFrom(claim: Claimed, promise: OpenPromise, ground: Ground): Closing | null {
  const { n, state } = claim;
  const [first, ...others] = newlySaid(claim.lines, ground);
  if (!first) return null;
  const utterances: [Utterance, ...Utterance[]] = [first, ...others];
  const messageIds = utterances.map(({ messageId }) => messageId);
  const doubt: Closing = { n, state: 'doubtful', newDueDate: null, messageIds };
  if (state === 'doubtful') return doubt;
  const telling = utterances.filter(utterance => !onlyAsks(utterance));
  if (telling.length === 0) return null;
  if (state === 'moved') {
    const newDueDate = newDay(claim, utterances, promise, ground);
    return newDueDate === null ? null : { n, state, newDueDate, messageIds };
  }
  return telling.some(utterance => mayTell(utterance, promise, ground) && bearsOut(utterance, state))
    ? { n, state, newDueDate: null, messageIds }
    : doubt;
}

/** The cited messages that no digest covers yet, except those that were forwarded. */
function newlySaid(numbers: number[], { lines, conversation }: Ground): Utterance[] {
  const cited = new Set(numbers);
  const ids = new Set(
    lines.filter(({ n, told, toMachine }) => cited.has(n) && !told && !toMachine).map(({ messageId }) => messageId),
  );
  return conversation.utterances
    .filter(({ messageId, forwarded }) => ids.has(messageId) && !forwarded)
    .slice(0, MOST_SOURCES);
}

function onlyAsks({ sentences, media }: Utterance): boolean {
  return media === null && sentences.length > 0 && sentences.every(({ isQuestion }) => isQuestion);
}

/** "Not sent yet" and "I'll send it tomorrow" don't confirm that anything is done; a file without words may. */
function bearsOut({ sentences, media, pack }: Utterance, state: Claimed['state']): boolean {
  if (state === 'cancelled' || media !== null) return true;
  const { pending } = pack.promises;
  const parts = sentences.flatMap(({ text, isQuestion }) => (isQuestion ? [] : text.split(/[,;:]|\s[-–—]\s/u)));
  return parts.slice(0, MOST_PARTS).some(part => /[\p{L}\p{N}]/u.test(part) && !pending.test(fold(part, pack.code)));
}

/** Only whoever promised it or the user, to whom it was promised, may tell; in a private chat both may. */
function mayTell({ fromUser, speaker }: Utterance, { direction, who }: OpenPromise, { conversation }: Ground): boolean {
  const { isGroup, names } = conversation;
  if (!isGroup || fromUser || direction !== 'theirs' || who === null) return true;
  return speaker === who || speaker === names.of(who);
}

/** null where no one said such a day, where it is past, or where it is the old one. */
function newDay(
  { dateText, newDueDate }: Claimed,
  utterances: [Utterance, ...Utterance[]],
  { dueDate }: OpenPromise,
  { conversation: { timezone }, today }: Ground,
): string | null {
  if (dateText === null) return null;
  const sentence = utterances.flatMap(({ sentences }) => sentences).find(({ text }) => text.includes(dateText));
  const { date } = saidDate({ words: dateText, date: newDueDate }, { utterances, sentence }, { timezone, today });
  return date === null || date === dueDate || date < today ? null : date;
}
