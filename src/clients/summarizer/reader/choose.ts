import { QUESTION_MARK } from '../sentences.ts';
import { SHORT_REPLY_CHARACTERS } from '../types.ts';
import { MAX_DISTANCE } from './context.ts';
import { HEAD_COUNT, HEAD_INDEX, type Head } from './features.ts';
import type { DayScored, Thresholds } from './model.ts';

const headScore = ({ scores }: DayScored, at: number, head: Head) => scores[at * HEAD_COUNT + HEAD_INDEX[head]]!;

function rankMessages(scored: DayScored, head: Head): number[] {
  return [...scored.day.messages.keys()].toSorted(
    (a, b) => headScore(scored, b, head) - headScore(scored, a, head) || a - b,
  );
}

/** The messages of an item, as indexes of the day's messages: the one that binds most surely, and others that belong to it. */
export type ItemChosen = { binding: number; others: number[]; score: number };

/** Binding messages, best first, each with others of its exchange; likely repetitions are dropped. */
export function chooseItems(scored: DayScored, { binds, joined }: { binds: number; joined: number }): ItemChosen[] {
  const chosen: ItemChosen[] = [];
  for (const at of rankMessages(scored, 'binds')) {
    const score = headScore(scored, at, 'binds');
    if (score < binds) break;
    const same = chosen.find(({ binding }) => scored.joined(binding, at) >= joined);
    if (same) same.others.push(at);
    else chosen.push({ binding: at, others: [], score });
  }
  return chosen;
}

export type ExchangeChosen = { messages: number[]; score: number };

const MIN_EXCHANGES = 3;
/** Only a third of the messages with a lower score matter: one of them is shown only if there is nothing else. */
const MIN_RELEVANCE_SCORE = -0.5;

/** The other side's message that most likely answers a question, or that a short answer replies to; null for none. */
function findPartner({ day, joined }: DayScored, at: number, minScore: number): number | null {
  const { messages } = day;
  const { from, text } = messages[at]!;
  const step = QUESTION_MARK.test(text) ? 1 : text.length <= SHORT_REPLY_CHARACTERS ? -1 : 0;
  let [best, most]: [number | null, number] = [null, minScore];
  for (let other = at + step; step !== 0 && Math.abs(other - at) <= MAX_DISTANCE && messages[other]; other += step) {
    const score = joined(other, at);
    if (messages[other]!.from !== from && score >= most) [best, most] = [other, score];
  }
  return best;
}

/** The score of a pair of messages that are too far apart to be compared. */
const UNRELATED_SCORE = -3;

/** Mean score of a message as part of an exchange: one answer may follow two questions. */
function closeness({ joined }: DayScored, messages: number[], at: number): number {
  return messages.reduce((sum, other) => sum + Math.max(UNRELATED_SCORE, joined(other, at)), 0) / messages.length;
}

/** Messages with at least this score likely settle something. */
const SETTLES = 0;

/** The message that settled an exchange after its last shown message: "yes", "no, sorry", "done". */
function findLastWord(scored: DayScored, shown: number, minScore: number): number | null {
  let [best, most]: [number | null, number] = [null, SETTLES];
  for (let at = shown + 1; at < scored.day.messages.length && at - shown <= MAX_DISTANCE; at++) {
    const score = headScore(scored, at, 'settles');
    if (score >= most && scored.joined(shown, at) >= minScore) [best, most] = [at, score];
  }
  return best;
}

/**
 * The most relevant messages as exchanges, best first, each in message order; a message related to a chosen one joins its
 * exchange. `most`: limit of exchanges; `share`: messages shown per hundred of the day, a few for a short day.
 */
export function chooseExchanges(
  scored: DayScored,
  { most, share, joined }: { most: number; share: number; joined: number },
): ExchangeChosen[] {
  const room = Math.max(MIN_EXCHANGES, Math.round((share / 100) * scored.day.messages.length));
  // Messages that end an earlier matter are seldom long ("Signed!"), so they get an extra score.
  const score = (at: number) =>
    (headScore(scored, at, 'essential') + headScore(scored, at, 'matters')) / 2 + Math.max(0, headScore(scored, at, 'ends'));
  const order = [...scored.day.messages.keys()].toSorted((a, b) => score(b) - score(a) || a - b);
  const chosen: ExchangeChosen[] = [];
  const isShown = new Set<number>();
  for (const at of order) {
    if (isShown.size >= room || (isShown.size > 0 && score(at) < MIN_RELEVANCE_SCORE)) break;
    if (isShown.has(at)) continue;
    const own = chosen.find(({ messages }) => closeness(scored, messages, at) >= joined);
    const partner = findPartner(scored, at, joined);
    const messages = partner === null || isShown.has(partner) ? [at] : [at, partner];
    if (own) own.messages.push(...messages);
    else if (chosen.length < most) chosen.push({ messages, score: score(at) });
    else continue;
    for (const message of messages) isShown.add(message);
  }
  for (const { messages } of chosen) {
    messages.sort((a, b) => a - b);
    const last = findLastWord(scored, messages.at(-1)!, joined);
    if (last !== null && !isShown.has(last)) messages.push(last);
  }
  return chosen;
}

/**
 * The name of the owner of an item, by its messages; null if that isn't sure. Between two people it is one or the
 * other; in a group, only who takes something on is known. `peer`: the other one's name in a private chat.
 */
export function findItemOwner(
  scored: DayScored,
  { binding, others }: ItemChosen,
  { sure, peer }: { sure: number; peer: string },
): string | null {
  const { messages, isGroup, user } = scored.day;
  const votes = new Map<string, number>();
  for (const at of [binding, ...others]) {
    const { from } = messages[at]!;
    const self = headScore(scored, at, 'self');
    const other = from === user ? peer : user;
    const [who, vote] = isGroup || self > 0 ? [from, self] : [other, -self];
    votes.set(who, (votes.get(who) ?? 0) + vote);
  }
  const [best, second] = [...votes].toSorted(([, one], [, other]) => other - one);
  return best && best[1] - Math.max(0, second?.[1] ?? 0) >= sure ? best[0] : null;
}

/** Whether `owner` has not answered a message: nothing that they wrote after it comes next or belongs to it. */
export function isUnanswered({ day, joined }: DayScored, at: number, owner: string | null, sure: number): boolean {
  const { messages } = day;
  const { from } = messages[at]!;
  if (owner === null || from === owner) return false;
  const next = messages.findIndex((other, n) => n > at && other.from !== from);
  return !messages.some((other, n) => n > at && other.from === owner && (n === next || joined(at, n) >= sure));
}

const toProbability = (score: number) => 1 / (1 + Math.exp(-score));

/** Parts of a message's news score, weighted by hand: relevance, closing, waiting for the user, commitment. */
export function scoreNewsParts(scored: DayScored, at: number): number[] {
  const score = (head: Head) => headScore(scored, at, head);
  const { messages, user } = scored.day;
  // Less for a matter that the user ended: it is no news to them.
  const ends = messages[at]!.from === user ? 0.35 : 0.7;
  return [
    toProbability((score('essential') + score('matters')) / 6 - 1),
    ends * toProbability(score('ends') - 1),
    toProbability(score('waits')) / 2,
    toProbability(score('binds') / 2 - 1) / 2,
  ];
}

/** Messages that the user owes an answer. */
export function chooseWaiting(scored: DayScored, { waits }: Pick<Thresholds, 'waits'>): number[] {
  const { messages, user } = scored.day;
  return messages.flatMap(({ from }, at) => (from !== user && headScore(scored, at, 'waits') >= waits ? [at] : []));
}
