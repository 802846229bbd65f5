import { randomUUID } from 'node:crypto';
import type { ActionItem } from '../../../clients/summarizer/types.ts';
import { dayField } from '../../../lib/fields.ts';
import { TRANSITIONS } from '../rules.ts';
import { toDirection } from './rules.ts';
import type { DigestPromises, StoredPromise } from './schema.ts';

/** A promise gains source messages with each day that says it again. */
const MAX_SOURCES = 40;
const keepNewestIds = (ids: Set<string>) => [...ids].sort((a, b) => Number(a) - Number(b)).slice(-MAX_SOURCES);

type Ids = readonly (string | null)[];

/**
 * New and changed promises of these conversations after new digests. A promise that no digest mentions any more stays open
 * if the user has seen it, is closed if the reason is known, and is withdrawn otherwise; one that an earlier digest also
 * mentions stays. Its words come from the newest digest with it; a rewrite of that digest keeps them.
 */
export function mergeDigestPromises(
  storedPromises: readonly StoredPromise[],
  digests: readonly DigestPromises[],
  now: Date,
): StoredPromise[] {
  const merged = new Map(storedPromises.map(promise => [promiseKey(promise), promise]));
  const mentionedKeys = new Set<string>();
  const mergedItems = new Set<string>();
  for (const digest of digests.toSorted((a, b) => a.digestDate.localeCompare(b.digestDate)))
    for (const item of digest.structured.actionItems) {
      const fresh = toStoredPromise(item, digest, now);
      const existing = merged.get(promiseKey(fresh));
      if (mergedItems.has(`${promiseKey(fresh)} ${digest.digestId}`)) continue;
      mergedItems.add(`${promiseKey(fresh)} ${digest.digestId}`);
      mentionedKeys.add(promiseKey(fresh));
      merged.set(promiseKey(fresh), existing ? mergeRepeated(existing, fresh) : fresh);
    }
  const byId = new Map(digests.map(digest => [digest.digestId, digest]));
  for (const [key, promise] of merged) {
    const digest = byId.get(promise.lastDigestId ?? '');
    if (!digest || mentionedKeys.has(key) || !isUntouchedByUser(promise)) continue;
    const others = [...merged].flatMap(([otherKey, other]) => (mentionedKeys.has(otherKey) ? [other] : []));
    merged.set(key, handleMissing(promise, digest, others, now));
  }
  const unchanged = new Set(storedPromises);
  return [...merged.values()].filter(promise => !unchanged.has(promise));
}

const promiseKey = ({ dialogId, itemId }: Pick<StoredPromise, 'dialogId' | 'itemId'>) => `${dialogId} ${itemId}`;

/** A promise that the user decided about, added or edited is not changed. */
const isUntouchedByUser = ({ state, isUserDecided, isAdded, edited }: StoredPromise) =>
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
    saidBefore: null,
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
function mergeRepeated(stored: StoredPromise, repeated: StoredPromise): StoredPromise {
  if (stored.lastSaidOn > repeated.lastSaidOn && stored.words !== '') return stored;
  const isSameDigest = stored.lastDigestId === repeated.lastDigestId;
  const isRewritten = isSameDigest && stored.wasShown;
  const keepsWords = stored.edited.includes('words') || (isRewritten && stored.words !== '');
  const keepsSide = stored.edited.includes('side') || (isRewritten && stored.direction !== 'unassigned');
  const keepsKind = stored.edited.includes('kind') || isRewritten;
  const isBack = stored.state === TRANSITIONS.withdraw.to;
  return {
    ...stored,
    lastDigestId: repeated.lastDigestId,
    lastSaidOn: repeated.lastSaidOn,
    ...(!keepsSide && { direction: repeated.direction, who: repeated.who }),
    ...(!keepsWords && { words: repeated.words, saidWords: repeated.saidWords, saidBy: repeated.saidBy }),
    ...(!keepsKind && { kind: repeated.kind }),
    crmWords: stored.crmWords === null ? repeated.crmWords : (repeated.crmWords ?? repeated.words),
    request: stored.request ?? repeated.request,
    quotedAt: stored.quotedAt ?? repeated.quotedAt,
    ...(!keepsDue(stored, repeated, isSameDigest) && mergeDue(stored, repeated)),
    sourceMessageIds: keepNewestIds(new Set([...stored.sourceMessageIds, ...repeated.sourceMessageIds])),
    ...(isBack && { state: TRANSITIONS.comeBack.to, previous: null }),
  };
}

/**
 * Keeps the due date if the new reading has none or the user changed the promise. After a move, a rewrite doesn't
 * change it either, nor does a later reading that only repeats the date before the move.
 */
function keepsDue({ isUserDecided, edited, movedFrom }: StoredPromise, repeated: StoredPromise, isSameDigest: boolean) {
  if (isUserDecided || edited.includes('due') || repeated.dueDate === null) return true;
  return movedFrom !== null && (isSameDigest || repeated.dueDate === movedFrom);
}

function mergeDue(stored: StoredPromise, { dueDate, dueTime, dueText }: StoredPromise) {
  if (dueDate === stored.dueDate) return { dueTime: dueTime ?? stored.dueTime, dueText };
  const isMoved = stored.dueDate !== null && stored.wasShown;
  return { dueDate, dueTime, dueText, movedFrom: isMoved ? stored.dueDate : stored.movedFrom };
}

/** Handles a promise that its newest digest no longer lists. One with messages before that digest's range stays as it is. */
function handleMissing(
  promise: StoredPromise,
  digest: DigestPromises,
  mentioned: StoredPromise[],
  now: Date,
): StoredPromise {
  const isOutOfReach = promise.sourceMessageIds.some(id => Number(id) <= digest.afterMessageId);
  const { firstDigestId, firstSaidOn, saidBefore } = promise;
  if (firstDigestId !== digest.digestId) {
    const { digestId, day } = saidBefore ?? { digestId: firstDigestId, day: firstSaidOn };
    return { ...promise, lastDigestId: digestId, lastSaidOn: day };
  }
  if (isOutOfReach) return promise;
  if (promise.wasShown) return closeMissing(promise, digest, mentioned, now);
  const previous = promise.replaces;
  return { ...promise, state: TRANSITIONS.withdraw.to, isDoubtful: false, changedAt: now, previous };
}

/**
 * Closed where it is known why: the request that it answers is taken on by a later message, or it is a question that the
 * user answered. Everything else stays open. A closing that the person undid is not repeated.
 */
function closeMissing(promise: StoredPromise, digest: DigestPromises, mentioned: StoredPromise[], now: Date): StoredPromise {
  const closed = { ...promise, isDoubtful: false, changedBy: 'automatic', changedAt: now } as const;
  const isUndone = (ids: Ids) => promise.undoneMessageIds.some(id => ids.includes(id));
  const replacement = mentioned
    .filter(candidate => isReplacement(candidate, promise) && !isUndone(candidate.sourceMessageIds))
    .sort((a, b) => b.lastSaidOn.localeCompare(a.lastSaidOn) || a.id.localeCompare(b.id))[0];
  const previous = promise.replaces;
  if (replacement) {
    const evidence = {
      who: replacement.who ?? '',
      when: now.toISOString(),
      words: '',
      messageIds: replacement.sourceMessageIds,
    };
    return { ...closed, state: TRANSITIONS.callOff.to, reason: 'replaced', replacedBy: replacement.id, evidence, previous };
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
