import type { Evening, Kept } from './live.ts';
import type { Commitment, Story } from './read.ts';

/** What is told of a commitment, compared with what is so. */
export type Judged = {
  commitment: Commitment;
  promise: Kept | null;
  /** `sameDay`: it was settled on the day on which it was made. */
  is: 'settledLater' | 'sameDay' | 'open';
  told: 'closed' | 'asked' | 'nothing' | 'notStored';
  /** Asked about with the words that settled it, or those right beside them. */
  isShown: boolean;
  /** Closed before it was settled, or as what it is not. */
  isWrong: boolean;
  /** Asked about on the evening of a day on which it was still open. */
  isNeedless: boolean;
};
export type Waited = { date: string; waiting: number[]; told: number[] };
export type Verdict = { judged: Judged[]; unlabelled: Kept[]; waits: Waited[] };

/** How many messages before the one that commits may have asked for it. */
const ASKED_BEFORE = 3;
const ENDS = { kept: ['done'], cancelled: ['cancelled'], replaced: ['cancelled'], 'handed over': ['cancelled'] };

export function judge(story: Story, evenings: Evening[]): Verdict {
  const dayOf = (id: number) => story.days.findIndex(({ messages }) => messages.some(message => message.id === id));
  const ids = pair(story, evenings, dayOf);
  const judged = story.commitments.map((commitment): Judged => {
    const promiseId = ids.get(commitment);
    const said = dayOf(commitment.saidIn);
    const settled = commitment.settledIn === null ? evenings.length : dayOf(commitment.settledIn);
    const states = evenings.map(({ promises }) => promises.find(({ id }) => id === promiseId));
    const [open, after] = [states.slice(0, settled), states.slice(settled)];
    const isClosed = (state: Kept | undefined) => state !== undefined && state.state !== 'open';
    const isMoved = (state: Kept | undefined) => commitment.how === 'replaced' && state?.movedFrom != null;
    const closed = after.find(state => isClosed(state) || isMoved(state));
    const ends = commitment.how === null ? [] : ENDS[commitment.how];
    // What a colleague took over is done once they have done it.
    const isDoneLater = closed?.state === 'done' && commitment.how === 'handed over' && after.indexOf(closed) > 0;
    const isOtherEnd = closed !== undefined && !isMoved(closed) && !isDoneLater && !ends.includes(closed.state);
    const isAsked = after.some(state => state?.isDoubtful);
    const last = states.findLast(state => state !== undefined) ?? null;
    return {
      commitment,
      promise: last,
      is: commitment.settledIn === null ? 'open' : settled === said ? 'sameDay' : 'settledLater',
      told: last === null ? 'notStored' : closed ? 'closed' : isAsked ? 'asked' : 'nothing',
      isShown: after.some(state => state?.isDoubtful && isBeside(state, commitment)),
      isWrong: open.some(isClosed) || isOtherEnd,
      isNeedless: open.some(state => state?.isDoubtful),
    };
  });
  const labelled = new Set(ids.values());
  const unlabelled = evenings.at(-1)?.promises.filter(({ id }) => !labelled.has(id)) ?? [];
  const waits = evenings.map(({ date, waits: told }) => {
    return { date, told, waiting: story.waiting.find(wait => wait.date === date)?.messages ?? [] };
  });
  return { judged, unlabelled, waits };
}

/** The id of the stored promise that each commitment is. Of several said in one message, what is settled last is meant. */
function pair({ commitments }: Story, evenings: Evening[], dayOf: (id: number) => number): Map<Commitment, string> {
  const stored = new Map<string, Kept>();
  for (const { promises } of evenings)
    for (const promise of promises) if (!stored.has(promise.id)) stored.set(promise.id, promise);
  const pairs = commitments
    .flatMap(commitment => [...stored.values()].map(promise => ({ commitment, promise })))
    .map(one => ({ ...one, closeness: closenessOf(one.commitment, one.promise, dayOf) }))
    .filter(({ closeness }) => closeness > 0)
    .sort((one, other) => other.closeness - one.closeness || settledIn(other.commitment) - settledIn(one.commitment));
  const ids = new Map<Commitment, string>();
  const taken = new Set<string>();
  for (const { commitment, promise } of pairs) {
    if (ids.has(commitment) || taken.has(promise.id)) continue;
    ids.set(commitment, promise.id);
    taken.add(promise.id);
  }
  return ids;
}

const BESIDE = 2;

function isBeside({ evidence }: Kept, { settledIn }: Commitment): boolean {
  return (evidence?.messageIds ?? []).some(id => settledIn !== null && Math.abs(Number(id) - settledIn) <= BESIDE);
}

const settledIn = (commitment: Commitment) => commitment.settledIn ?? Number.POSITIVE_INFINITY;

/** 0 unless it rests on the message that commits, or on one shortly before it that it answers. */
function closenessOf({ by, saidIn }: Commitment, promise: Kept, dayOf: (id: number) => number): number {
  const side = by === 'me' ? 'mine' : 'theirs';
  if (promise.direction !== side && promise.direction !== 'unassigned') return 0;
  const isOthers = promise.who !== null && !by.includes(promise.who) && !promise.who.includes(by);
  if (by !== 'me' && promise.direction === 'theirs' && isOthers) return 0;
  const sources = promise.sourceMessageIds.map(Number);
  const isSide = promise.direction === side ? 0.5 : 0;
  if (sources.includes(saidIn)) return 3 + isSide;
  if (promise.requestId === String(saidIn)) return 2 + isSide;
  const last = Math.max(...sources);
  const isAnswered = last < saidIn && saidIn - last <= ASKED_BEFORE && dayOf(last) === dayOf(saidIn);
  return isAnswered ? isSide : 0;
}
