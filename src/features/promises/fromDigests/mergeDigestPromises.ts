import { randomUUID } from 'node:crypto';
import type { ActionItem } from '../../../clients/summarizer/types.ts';
import { dayField } from '../../../lib/fields.ts';
import { TRANSITIONS } from '../rules.ts';
import { directionOf } from './rules.ts';
import type { DigestPromises, StoredPromise } from './schema.ts';

/** A promise gains source messages with each day that says it again. */
const MOST_SOURCES = 40;

type Ids = readonly (string | null)[];

/**
 * The promises of these conversations, as stored, after digests that were just written: only those that are new or have
 * changed. A promise that no digest says any more stays open once it was shown to its person, or is closed where it is
 * known why, and is withdrawn before; one that an earlier digest also says stays. Its words are those of the newest
 * digest that said it; a rewrite of that digest leaves them.
 */
export function mergeDigestPromises(
  known: readonly StoredPromise[],
  digests: readonly DigestPromises[],
  now: Date,
): StoredPromise[] {
  const merged = new Map(known.map(promise => [keyOf(promise), promise]));
  const said = new Set<string>();
  for (const digest of digests.toSorted((one, other) => one.digestDate.localeCompare(other.digestDate)))
    for (const item of digest.structured.actionItems) {
      const fresh = promiseOf(item, digest, now);
      const before = merged.get(keyOf(fresh));
      if (said.has(`${keyOf(fresh)} ${digest.digestId}`)) continue;
      said.add(keyOf(fresh)).add(`${keyOf(fresh)} ${digest.digestId}`);
      merged.set(keyOf(fresh), before ? mergeRepeated(before, fresh) : fresh);
    }
  const byId = new Map(digests.map(digest => [digest.digestId, digest]));
  for (const [key, promise] of merged) {
    const digest = byId.get(promise.lastDigestId ?? '');
    if (!digest || said.has(key) || !mayChange(promise)) continue;
    const others = [...merged].flatMap(([other, of]) => (said.has(other) ? [of] : []));
    merged.set(key, handleMissing(promise, digest, others, now));
  }
  const before = new Set(known);
  return [...merged.values()].filter(promise => !before.has(promise));
}

const keyOf = ({ dialogId, itemId }: Pick<StoredPromise, 'dialogId' | 'itemId'>) => `${dialogId} ${itemId}`;

/** A promise that the user decided about, added or edited is not changed. */
const mayChange = ({ state, isTouched, isAdded, edited }: StoredPromise) =>
  state === 'open' && !isTouched && !isAdded && edited.length === 0;

function promiseOf(item: ActionItem, digest: DigestPromises, now: Date): StoredPromise {
  const { digestId, dialogId, digestDate, engine, structured } = digest;
  const isTranslated = structured.writtenIn !== undefined || structured.inCrm !== undefined;
  return {
    id: randomUUID(),
    ...{ dialogId, itemId: item.id, number: Number.POSITIVE_INFINITY },
    ...{ firstDigestId: digestId, lastDigestId: digestId, firstSaidOn: digestDate, lastSaidOn: digestDate },
    ...{ direction: directionOf(item.owner), who: item.ownerName, words: item.text },
    ...{ saidWords: item.textInChat ?? null, crmWords: isTranslated ? (item.textInCrm ?? item.text) : null },
    dueDate: dayField.safeParse(item.dueDate).data ?? null,
    ...{ dueTime: item.dueTime ?? null, dueText: item.dueText },
    ...{
      sourceMessageIds: [...item.sourceMessageIds],
      request: item.request ?? null,
      saidBy: quoteAuthorOf(item, digest),
    },
    ...{ kind: item.kind ?? 'promise', quotedAt: engine === 'built-in' ? now : null },
    ...{ state: 'open', reason: null, replacedBy: null, evidence: null, isDoubtful: false, snoozedUntil: null },
    ...{ isTouched: false, isAdded: false, edited: [], undoneMessageIds: [], movedFrom: null },
    ...{ changedBy: null, changedAt: now, previous: null, replaces: null, wasShown: false },
  };
}

/** A digest with exchanges quotes: an item is its last message's words. Without the message, its author has no name. */
function quoteAuthorOf(
  { sourceMessageIds }: ActionItem,
  { structured, sources }: DigestPromises,
): StoredPromise['saidBy'] {
  if (!structured.exchanges) return null;
  const message = sources.messages.find(({ id }) => id === sourceMessageIds.at(-1));
  return { who: message?.sender ?? '', fromUser: message?.fromUser ?? false };
}

/** Merges a promise that a digest repeats. One that was shown keeps its words when its digest is only rewritten. */
function mergeRepeated(known: StoredPromise, said: StoredPromise): StoredPromise {
  if (known.lastSaidOn > said.lastSaidOn && known.words !== '') return known;
  const isSameDigest = known.lastDigestId === said.lastDigestId;
  const isRewritten = isSameDigest && known.wasShown;
  const keepsWords = known.edited.includes('words') || (isRewritten && known.words !== '');
  const keepsSide = known.edited.includes('side') || (isRewritten && known.direction !== 'unassigned');
  const keepsKind = known.edited.includes('kind') || isRewritten;
  const isBack = known.state === TRANSITIONS.withdraw.to;
  return {
    ...known,
    ...{ lastDigestId: said.lastDigestId, lastSaidOn: said.lastSaidOn },
    ...(!keepsSide && { direction: said.direction, who: said.who }),
    ...(!keepsWords && { words: said.words, saidWords: said.saidWords, saidBy: said.saidBy }),
    ...(!keepsKind && { kind: said.kind }),
    crmWords: known.crmWords === null ? said.crmWords : (said.crmWords ?? said.words),
    ...{ request: known.request ?? said.request, quotedAt: known.quotedAt ?? said.quotedAt },
    ...(!keepsDue(known, said, isSameDigest) && newDue(known, said)),
    sourceMessageIds: [...new Set([...known.sourceMessageIds, ...said.sourceMessageIds])].sort().slice(0, MOST_SOURCES),
    ...(isBack && { state: TRANSITIONS.comeBack.to, previous: null }),
  };
}

/**
 * Keeps the due date if the new reading has none or the user changed the promise. After a move, a rewrite doesn't
 * change it either, nor does a later reading that only repeats the date before the move.
 */
function keepsDue({ isTouched, edited, movedFrom }: StoredPromise, said: StoredPromise, isSameDigest: boolean) {
  if (isTouched || edited.includes('due') || said.dueDate === null) return true;
  return movedFrom !== null && (isSameDigest || said.dueDate === movedFrom);
}

function newDue(known: StoredPromise, { dueDate, dueTime, dueText }: StoredPromise) {
  if (dueDate === known.dueDate) return { dueTime: dueTime ?? known.dueTime, dueText };
  const isMoved = known.dueDate !== null && known.wasShown;
  return { dueDate, dueTime, dueText, movedFrom: isMoved ? known.dueDate : known.movedFrom };
}

/** For a promise that its newest digest lists no more. A digest of part of a day says nothing about earlier ones. */
function handleMissing(
  promise: StoredPromise,
  digest: DigestPromises,
  said: StoredPromise[],
  now: Date,
): StoredPromise {
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
function closeMissing(promise: StoredPromise, digest: DigestPromises, said: StoredPromise[], now: Date): StoredPromise {
  const closed = { ...promise, isDoubtful: false, changedBy: 'automatic', changedAt: now } as const;
  const isUndone = (ids: Ids) => promise.undoneMessageIds.some(id => ids.includes(id));
  const other = said
    .filter(one => isReplacement(one, promise) && !isUndone(one.sourceMessageIds))
    .sort((one, two) => two.lastSaidOn.localeCompare(one.lastSaidOn) || one.id.localeCompare(two.id))[0];
  const previous = promise.replaces;
  if (other) {
    const evidence = { who: other.who ?? '', when: now.toISOString(), words: '', messageIds: other.sourceMessageIds };
    return { ...closed, state: TRANSITIONS.callOff.to, reason: 'replaced', replacedBy: other.id, evidence, previous };
  }
  const answers = digest.answers.filter(({ dialogId }) => dialogId === promise.dialogId);
  const areAnswered = promise.sourceMessageIds.every(id => answers.some(({ questionId }) => questionId === id));
  const [answer] = answers
    .filter(
      ({ questionId, evidence }) => promise.sourceMessageIds.includes(questionId) && !isUndone(evidence.messageIds),
    )
    .sort((one, two) => Number(two.questionId) - Number(one.questionId));
  if (promise.direction !== 'mine' || !areAnswered || !answer) return promise;
  const { evidence } = answer;
  return { ...closed, state: TRANSITIONS.keep.to, reason: 'answered', replacedBy: null, evidence, previous };
}

function isReplacement(other: StoredPromise, promise: StoredPromise): boolean {
  const isLater = lastMessageOf(other) > lastMessageOf(promise) && other.number > promise.number;
  const isOfSame = other.dialogId === promise.dialogId && other.lastDigestId === promise.lastDigestId;
  const takesOn = promise.request !== null && other.sourceMessageIds.includes(promise.request.messageId);
  return isLater && isOfSame && takesOn && other.state === 'open';
}

/** The messenger counts messages up; an id that is no number is no one's last. */
function lastMessageOf({ sourceMessageIds }: StoredPromise): number {
  return Math.max(-1, ...sourceMessageIds.map(Number).filter(Number.isFinite));
}
