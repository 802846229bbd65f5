import type { MessengerMessage } from '../../../clients/messenger/types.ts';
import { WORDS } from '../../../clients/summarizer/languages/stopwords.ts';
import type { ActionItem, OpenPromise, PendingQuestions, QuotedClosing } from '../../../clients/summarizer/types.ts';
import { dayField } from '../../../lib/fields.ts';
import type { SourceMessage } from '../../digests/schema.ts';
import type { Direction } from '../schema.ts';
import type { AnsweredQuestion, Closing, KnownPromise, OpenPromiseRow } from './schema.ts';

/** Minimum number of words to recognize two items as the same. */
const MIN_WORDS = 2;
const STEM_LETTERS = 5;
/** Minimum share of common words for items with different owners to be the same. */
const MIN_SHARED_SHARE = 0.6;
/** Lower-case words up to this length are ignored, as they only connect others. */
const JOINING_LETTERS = 3;

/** The open promises of the conversation, and how the messages with the items settled or moved them. */
type ReadWithItems = { closings?: readonly Closing[] | undefined; promises?: readonly OpenPromiseRow[] | undefined };

/**
 * Gives items that are known promises the id of that promise, and with it its state: a later day may repeat an item, and
 * another style, writer or language words it differently. An item is recognized, in this order:
 * 1. as the only one due on the day to which the same messages moved a promise;
 * 2. by the message that binds, or the request that it answers; of several from one message, by their words, then by order;
 * 3. by its words alone.
 */
export function reuseKnownItemIds(
  items: readonly ActionItem[],
  known: readonly KnownPromise[],
  read: ReadWithItems = {},
): ActionItem[] {
  const assignedIds = findMoved(items, read);
  const knownIds = new Set(known.map(({ itemId }) => itemId));
  const isKnown = (item: ActionItem) => knownIds.has(assignedIds.get(item) ?? item.id);
  const usedIds = new Set(items.filter(isKnown).map(item => assignedIds.get(item) ?? item.id));
  const candidates = known.map(promise => ({ known: promise, ofKnown: [promise.words, promise.shownWords].map(stemWords) }));
  const pairs = items
    .filter(item => !isKnown(item))
    .map(item => ({ item, ofItem: [item.textInChat ?? item.text, item.text].map(stemWords) }))
    .flatMap(one => candidates.flatMap(candidate => findLikeness({ ...one, ...candidate }) ?? []))
    .sort((a, b) => REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason) || b.likeness - a.likeness);
  for (const { item, knownId, reason, likeness } of pairs) {
    if (assignedIds.has(item) || usedIds.has(knownId)) continue;
    const isUnclear = pairs.some(
      other =>
        other.item === item && other.knownId !== knownId && other.likeness === likeness && !usedIds.has(other.knownId),
    );
    // Words from another day must identify a single promise.
    if (reason === 'saidAgain' && isUnclear) continue;
    assignedIds.set(item, knownId);
    usedIds.add(knownId);
  }
  return items.map(item => ({ ...item, id: assignedIds.get(item) ?? item.id }));
}

/** The ids of the promises that these messages moved to the days of items. */
function findMoved(items: readonly ActionItem[], { closings = [], promises = [] }: ReadWithItems): Map<ActionItem, string> {
  const isMovedTo = (item: ActionItem, { newDueDate, evidence }: Closing) =>
    newDueDate && newDueDate === item.dueDate && item.sourceMessageIds.some(id => evidence.messageIds.includes(id));
  const moved = new Map<ActionItem, string>();
  for (const item of items) {
    const [closing, ...others] = closings.filter(candidate => isMovedTo(item, candidate));
    const isClear = closing && others.length === 0 && items.filter(other => isMovedTo(other, closing)).length === 1;
    const promise = isClear ? promises.find(({ promiseId }) => promiseId === closing.promiseId) : undefined;
    const isSaidAgain = items.some(other => (moved.get(other) ?? other.id) === promise?.itemId);
    if (promise?.direction === toDirection(item.owner) && !isSaidAgain) moved.set(item, promise.itemId);
  }
  return moved;
}

/**
 * In a group, bystanders may repeat a promise that they neither made nor received. Their messages add no sources or days to
 * a known promise, and an item without other sources is dropped.
 */
export function dropBystanderSources(
  items: readonly ActionItem[],
  known: readonly KnownPromise[],
  messages: readonly SourceMessage[],
): ActionItem[] {
  const knownById = new Map(known.map(promise => [promise.itemId, promise]));
  return items.flatMap(item => {
    const { sources = null, request = null, sourceMessageIds = [] } = knownById.get(item.id) ?? {};
    if (sources === null) return [item];
    const authors = [...sources, ...(request ? [{ ...request, sender: request.who }] : [])];
    const isAuthor = (message: SourceMessage) =>
      authors.some(({ sender, senderId }) => senderId === message.senderId && (senderId || sender === message.sender));
    const authoredIds = messages.filter(message => message.fromUser || isAuthor(message)).map(({ id }) => id);
    const ids = item.sourceMessageIds.filter(id => sourceMessageIds.includes(id) || authoredIds.includes(id));
    if (ids.length === item.sourceMessageIds.length) return [item];
    return ids.length === 0 ? [] : [{ ...item, sourceMessageIds: ids, dueDate: null, dueTime: null }];
  });
}

/** Why an item may be a known promise, the surest first: it rests on the same message, or a later day repeats it. */
const REASONS = ['sameMessage', 'saidAgain'] as const;
/** Of two promises on the same message, the same side weighs as much as this share of common words. */
const SAME_SIDE = 0.5;

/** Both with the stems of their words, in the conversation's language and in that of the pages. */
type Compared = { item: ActionItem; ofItem: Set<string>[]; known: KnownPromise; ofKnown: Set<string>[] };
/** `likeness` compares pairs with the same reason: the larger, the more alike. */
type Likeness = { item: ActionItem; knownId: string; reason: (typeof REASONS)[number]; likeness: number };

function findLikeness({ item, ofItem, known, ofKnown }: Compared): Likeness | null {
  const shares = ofItem.flatMap(stems => ofKnown.map(known => computeSharedShare(stems, known)));
  const shared = Math.max(...shares);
  const direction = toDirection(item.owner);
  const isSameSide = direction === known.direction;
  const isUnsure = direction === 'unassigned' || known.direction === 'unassigned' || known.isSideEdited;
  // If another summarizer assigned the item to the other side, nearly all words must match, unless the owner was unnamed or
  // chosen by the user.
  if (!isSameSide && !isUnsure && shared < MIN_SHARED_SHARE && !isSameHour(item, known)) return null;
  const requestId = item.request?.messageId ?? null;
  const citedIds = [...item.sourceMessageIds, ...(requestId ? [requestId] : [])];
  // One request may have led to two promises, so sharing it proves nothing unless an item cites it as its own words.
  const sources = citedIds.filter(
    id => known.sourceMessageIds.includes(id) || (id === known.request?.messageId && id !== requestId),
  );
  // A new promise may cite a message of a closed one. Without a common word, and with a further source that is not its
  // request, it is a different promise.
  const isDifferent = !known.isOpen && shared === 0 && citedIds.some(id => id !== requestId && !sources.includes(id));
  const pair = { item, knownId: known.itemId };
  if (sources.length > 0 && !isDifferent)
    return { ...pair, reason: 'sameMessage', likeness: shared + (isSameSide ? SAME_SIDE : 0) };
  if (!known.isOpen || hasOtherDue(item, known)) return null;
  const isSameOwner = isSameSide && (direction !== 'theirs' || mayBeSamePerson(item.ownerName, known.who));
  // "Visit Claire" is part of "Visit Claire in Leeds".
  const isWithin = ofItem.some(stems =>
    ofKnown.some(known => stems.intersection(known).size >= Math.max(MIN_WORDS, Math.min(stems.size, known.size))),
  );
  const isSaidAgain = (isSameOwner && isWithin) || isSameHour(item, known);
  return isSaidAgain ? { ...pair, reason: 'saidAgain', likeness: Math.max(shared, MIN_SHARED_SHARE) } : null;
}

/** Whether both are appointments at the same time: the user meets one person only once at a time. */
function isSameHour({ kind, dueDate, dueTime }: ActionItem, known: KnownPromise): boolean {
  const isAppointment = kind === 'appointment' && known.kind === 'appointment' && known.sources === null;
  return isAppointment && dueDate === known.dueDate && dueTime !== null && dueTime === known.dueTime;
}

/** How much of two texts is the same: 0 to 1. */
const computeSharedShare = (a: Set<string>, b: Set<string>): number => a.intersection(b).size / Math.max(1, a.size, b.size);

/** Whether two names may be one person's: "Marco" and "Marco Bianchi". Someone else repeats words to take a promise over. */
export function mayBeSamePerson(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return true;
  const wordsOf = (name: string) => new Set(name.normalize('NFKC').toLowerCase().split(/\s+/));
  const [first, second] = [wordsOf(a), wordsOf(b)];
  return first.isSubsetOf(second) || second.isSubsetOf(first);
}

/** Whether both have a due date, or both a time, and these differ, as those of weekly reports do. */
function hasOtherDue({ dueDate, dueTime = null }: ActionItem, known: KnownPromise): boolean {
  const differ = (a: string | null, b: string | null) => a !== null && b !== null && a !== b;
  return differ(dueDate, known.dueDate) || differ(dueTime, known.dueTime);
}

const SMALL_LETTERS = /^\p{Ll}+$/u;
/** Words in scripts with lower and upper case: their endings change, and the short ones connect others. */
const INFLECTED = /^[\p{Lu}\p{Ll}\p{M}]+$/u;

function stemWords(text: string): Set<string> {
  const words = text.normalize('NFKC').match(WORDS) ?? [];
  const content = words.filter(word => word.length > JOINING_LETTERS || !SMALL_LETTERS.test(word));
  return new Set(content.map(word => (INFLECTED.test(word) ? word.slice(0, STEM_LETTERS) : word).toLowerCase()));
}

export function toDirection(owner: ActionItem['owner']): Direction {
  if (owner === 'unknown') return 'unassigned';
  return owner === 'user' ? 'mine' : 'theirs';
}

/** Whether the closing, if it moves the promise, names a day that exists and that pages and the API can show. */
export function hasValidDay(closing: Closing): boolean {
  return closing.state !== 'moved' || dayField.safeParse(closing.newDueDate).success;
}

const MAX_NAME_LENGTH = 100;

/** Numbers the promises for the summarizer that checks new messages against them. */
export function numberPromises(promises: readonly OpenPromiseRow[]): OpenPromise[] {
  return promises.map(({ promiseId: _, itemId: __, ...promise }, at) => {
    return { n: at + 1, ...promise, ...(promise.request && { sourceTexts: [promise.request.words] }) };
  });
}

/** Closings of promises numbered by {@link numberPromises}, if they cite these messages, with author and time of these. */
export function toClosings(
  quotedClosings: readonly QuotedClosing[],
  { dialogId, promises }: { dialogId: string; promises: readonly OpenPromiseRow[] },
  messages: readonly MessengerMessage[],
): Closing[] {
  return quotedClosings.flatMap(({ n, state, newDueDate, messageIds, quote, isAnswered }): Closing[] => {
    const promise = promises[n - 1];
    const last = messages.findLast(({ id }) => messageIds.includes(String(id)));
    if (!promise || !last) return [];
    // Only later messages can keep the promise.
    if (Number(last.id) <= Math.max(0, ...(promise.sourceMessageIds ?? []).map(Number))) return [];
    const evidence = { who: findAuthorName(last), when: last.sentAt.toISOString(), words: quote, messageIds };
    const { promiseId } = promise;
    if (state !== 'moved') return [{ promiseId, dialogId, state, evidence, ...(isAnswered && { isAnswered }) }];
    return newDueDate === null ? [] : [{ promiseId, dialogId, state, newDueDate, evidence }];
  });
}

/** The user's answers to the other side's questions, with who wrote them and when. */
export function listAnswers(
  { dialogId, waits }: { dialogId: string; waits: PendingQuestions },
  messages: readonly MessengerMessage[],
): AnsweredQuestion[] {
  const byId = new Map(messages.map(message => [String(message.id), message]));
  return (waits.answered ?? []).flatMap(({ questionId, answerId, words }) => {
    const answer = byId.get(answerId);
    if (!answer) return [];
    const evidence = { who: findAuthorName(answer), when: answer.sentAt.toISOString(), words, messageIds: [answerId] };
    return [{ dialogId, questionId, evidence }];
  });
}

/** The author's name as pages show it; the user is "You". */
function findAuthorName({ fromUser, senderName }: MessengerMessage): string {
  return fromUser ? 'You' : senderName.slice(0, MAX_NAME_LENGTH);
}
