import { randomUUID } from 'node:crypto';
import type { ActionItem } from '../../../clients/summarizer/types.ts';
import { dayField } from '../../../lib/fields.ts';
import { TRANSITIONS } from '../rules.ts';
import { toDirection } from './rules.ts';
import type { DigestPromises, StoredPromise } from './schema.ts';

/** A promise gains source messages with each day that says it again. */
const MAX_SOURCES = 40;
const newestOf = (ids: Set<string>) => [...ids].sort((a, b) => Number(a) - Number(b)).slice(-MAX_SOURCES);

type Ids = readonly (string | null)[];

/**
 * New and changed promises of these conversations after new digests. A promise that no digest mentions any more stays open
 * if the user has seen it, is closed if the reason is known, and is withdrawn otherwise; one that an earlier digest also
 * mentions stays. Its words come from the newest digest with it; a rewrite of that digest keeps them.
 */
export function mergeDigestPromises(
  known: readonly StoredPromise[],
  digests: readonly DigestPromises[],
  now: Date,
): StoredPromise[] {
  const merged = new Map(known.map(promise => [promiseKey(promise), promise]));
  const mentionedIds = new Set<string>();
  for (const digest of digests.toSorted((a, b) => a.digestDate.localeCompare(b.digestDate)))
    for (const item of digest.structured.actionItems) {
      const fresh = toStoredPromise(item, digest, now);
      const before = merged.get(promiseKey(fresh));
      if (mentionedIds.has(`${promiseKey(fresh)} ${digest.digestId}`)) continue;
      mentionedIds.add(promiseKey(fresh)).add(`${promiseKey(fresh)} ${digest.digestId}`);
      merged.set(promiseKey(fresh), before ? mergeRepeated(before, fresh) : fresh);
    }
  const byId = new Map(digests.map(digest => [digest.digestId, digest]));
  for (const [key, promise] of merged) {
    const digest = byId.get(promise.lastDigestId ?? '');
    if (!digest || mentionedIds.has(key) || !mayChange(promise)) continue;
    const others = [...merged].flatMap(([id, promise]) => (mentionedIds.has(id) ? [promise] : []));
    merged.set(key, handleMissing(promise, digest, others, now));
  }
  const before = new Set(known);
  return [...merged.values()].filter(promise => !before.has(promise));
}

const promiseKey = ({ dialogId, itemId }: Pick<StoredPromise, 'dialogId' | 'itemId'>) => `${dialogId} ${itemId}`;

/** A promise that the user decided about, added or edited is not changed. */
const mayChange = ({ state, isUserDecided, isAdded, edited }: StoredPromise) =>
  state === 'open' && !isUserDecided && !isAdded && edited.length === 0;

function toStoredPromise(item: ActionItem, digest: DigestPromises, now: Date): StoredPromise {
  const { digestId, dialogId, digestDate, engine, structured } = digest;
  const isTranslated = structured.writtenIn !== undefined || structured.inCrm !== undefined;
  return {
    id: randomUUID(),
    dialogId,
    itemId: item.id,
    number: Number.POSITIVE_INFINITY,
    firstDigestId: digestId,
    lastDigestId: digestId,
    firstSaidOn: digestDate,
    lastSaidOn: digestDate,
    direction: toDirection(item.owner),
    who: item.ownerName,
    words: item.text,
    saidWords: item.textInChat ?? null,
    crmWords: isTranslated ? (item.textInCrm ?? item.text) : null,
    dueDate: dayField.safeParse(item.dueDate).data ?? null,
    dueTime: item.dueTime ?? null,
    dueText: item.dueText,
    sourceMessageIds: [...item.sourceMessageIds],
    request: item.request ?? null,
    saidBy: findQuoteAuthor(item, digest),
    kind: item.kind ?? 'promise',
    quotedAt: engine === 'built-in' ? now : null,
    state: 'open',
    reason: null,
    replacedBy: null,
    evidence: null,
    isDoubtful: false,
    snoozedUntil: null,
    isUserDecided: false,
    isAdded: false,
    edited: [],
    undoneMessageIds: [],
    movedFrom: null,
    changedBy: null,
    changedAt: now,
    previous: null,
    replaces: null,
    wasShown: false,
  };
}

/** A digest with exchanges quotes: an item is its last message's words. Without the message, its author has no name. */
function findQuoteAuthor(
  { sourceMessageIds }: ActionItem,
  { structured, sources }: DigestPromises,
): StoredPromise['saidBy'] {
  if (!structured.exchanges) return null;
  const message = sources.messages.find(({ id }) => id === sourceMessageIds.at(-1));
  return { who: message?.sender ?? '', fromUser: message?.fromUser ?? false };
}

/** Merges a promise that a digest repeats. One that was shown keeps its words when its digest is only rewritten. */
function mergeRepeated(known: StoredPromise, again: StoredPromise): StoredPromise {
  if (known.lastSaidOn > again.lastSaidOn && known.words !== '') return known;
  const isSameDigest = known.lastDigestId === again.lastDigestId;
  const isRewritten = isSameDigest && known.wasShown;
  const keepsWords = known.edited.includes('words') || (isRewritten && known.words !== '');
  const keepsSide = known.edited.includes('side') || (isRewritten && known.direction !== 'unassigned');
  const keepsKind = known.edited.includes('kind') || isRewritten;
  const isBack = known.state === TRANSITIONS.withdraw.to;
  return {
    ...known,
    lastDigestId: again.lastDigestId,
    lastSaidOn: again.lastSaidOn,
    ...(!keepsSide && { direction: again.direction, who: again.who }),
    ...(!keepsWords && { words: again.words, saidWords: again.saidWords, saidBy: again.saidBy }),
    ...(!keepsKind && { kind: again.kind }),
    crmWords: known.crmWords === null ? again.crmWords : (again.crmWords ?? again.words),
    request: known.request ?? again.request,
    quotedAt: known.quotedAt ?? again.quotedAt,
    ...(!keepsDue(known, again, isSameDigest) && newDue(known, again)),
    sourceMessageIds: newestOf(new Set([...known.sourceMessageIds, ...again.sourceMessageIds])),
    ...(isBack && { state: TRANSITIONS.comeBack.to, previous: null }),
  };
}

/**
 * Keeps the due date if the new reading has none or the user changed the promise. After a move, a rewrite doesn't
 * change it either, nor does a later reading that only repeats the date before the move.
 */
function keepsDue({ isUserDecided, edited, movedFrom }: StoredPromise, again: StoredPromise, isSameDigest: boolean) {
  if (isUserDecided || edited.includes('due') || again.dueDate === null) return true;
  return movedFrom !== null && (isSameDigest || again.dueDate === movedFrom);
}

function newDue(known: StoredPromise, { dueDate, dueTime, dueText }: StoredPromise) {
  if (dueDate === known.dueDate) return { dueTime: dueTime ?? known.dueTime, dueText };
  const isMoved = known.dueDate !== null && known.wasShown;
  return { dueDate, dueTime, dueText, movedFrom: isMoved ? known.dueDate : known.movedFrom };
}

/** For a promise that its newest digest lists no more. A digest of part of a day says nothing about earlier ones. */
function handleMissing(promise: StoredPromise, digest: DigestPromises, said: StoredPromise[], now: Date): StoredPromise {
  const isOutOfReach = promise.sourceMessageIds.some(id => Number(id) <= digest.afterMessageId);
  const { firstDigestId, firstSaidOn } = promise;
  if (firstDigestId !== digest.digestId) return { ...promise, lastDigestId: firstDigestId, lastSaidOn: firstSaidOn };
  if (isOutOfReach) return promise;
  if (promise.wasShown) return closeMissing(promise, digest, said, now);
  const previous = promise.replaces;
  return { ...promise, state: TRANSITIONS.withdraw.to, isDoubtful: false, changedAt: now, previous };
}

/**
 * Closed where it is known why: the request that it answers is taken on by a later message, or it is a question that the
 * user answered. Everything else stays open. A closing that the person undid is not repeated.
 */
function closeMissing(promise: StoredPromise, digest: DigestPromises, named: StoredPromise[], now: Date): StoredPromise {
  const closed = { ...promise, isDoubtful: false, changedBy: 'automatic', changedAt: now } as const;
  const isUndone = (ids: Ids) => promise.undoneMessageIds.some(id => ids.includes(id));
  const newer = named
    .filter(one => isReplacement(one, promise) && !isUndone(one.sourceMessageIds))
    .sort((a, b) => b.lastSaidOn.localeCompare(a.lastSaidOn) || a.id.localeCompare(b.id))[0];
  const previous = promise.replaces;
  if (newer) {
    const evidence = { who: newer.who ?? '', when: now.toISOString(), words: '', messageIds: newer.sourceMessageIds };
    return { ...closed, state: TRANSITIONS.callOff.to, reason: 'replaced', replacedBy: newer.id, evidence, previous };
  }
  const answers = digest.answers.filter(({ dialogId }) => dialogId === promise.dialogId);
  const areAnswered = promise.sourceMessageIds.every(id => answers.some(({ questionId }) => questionId === id));
  const [answer] = answers
    .filter(({ questionId, evidence }) => promise.sourceMessageIds.includes(questionId) && !isUndone(evidence.messageIds))
    .sort((a, b) => Number(b.questionId) - Number(a.questionId));
  if (promise.direction !== 'mine' || !areAnswered || !answer) return promise;
  const { evidence } = answer;
  return { ...closed, state: TRANSITIONS.keep.to, reason: 'answered', replacedBy: null, evidence, previous };
}

function isReplacement(candidate: StoredPromise, promise: StoredPromise): boolean {
  const isLater = lastMessageNumber(candidate) > lastMessageNumber(promise) && candidate.number > promise.number;
  const isOfSame = candidate.dialogId === promise.dialogId && candidate.lastDigestId === promise.lastDigestId;
  const takesOn = promise.request !== null && candidate.sourceMessageIds.includes(promise.request.messageId);
  return isLater && isOfSame && takesOn && candidate.state === 'open';
}

/** Message ids are increasing numbers; others are ignored. */
function lastMessageNumber({ sourceMessageIds }: StoredPromise): number {
  return Math.max(-1, ...sourceMessageIds.map(Number).filter(Number.isFinite));
}
