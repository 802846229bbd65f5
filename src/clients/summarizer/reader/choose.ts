import { SHORT_REPLY_CHARACTERS } from '../types.ts';
import { FARTHEST } from './context.ts';
import { COUNT, HEAD, type Head } from './features.ts';
import type { DayScored, Thresholds } from './model.ts';

const scoreOf = ({ scores }: DayScored, at: number, head: Head) => scores[at * COUNT + HEAD[head]]!;

function best(scored: DayScored, head: Head): number[] {
  return [...scored.day.messages.keys()].toSorted(
    (one, other) => scoreOf(scored, other, head) - scoreOf(scored, one, head) || one - other,
  );
}

export type ItemChosen = { on: number; with: number[]; score: number };

/** Messages that bind, best first, each with others of the same exchange: what is likely the same is said once. */
export function chooseItems(scored: DayScored, { binds, joined }: { binds: number; joined: number }): ItemChosen[] {
  const chosen: ItemChosen[] = [];
  for (const at of best(scored, 'binds')) {
    const score = scoreOf(scored, at, 'binds');
    if (score < binds) break;
    const same = chosen.find(({ on }) => scored.joined(on, at) >= joined);
    if (same) same.with.push(at);
    else chosen.push({ on: at, with: [], score });
  }
  return chosen;
}

export type ExchangeChosen = { messages: number[]; score: number };

const FEWEST = 3;
/** Only a third of the messages with a lower score matter: one of them is shown only if there is nothing else. */
const LEAST = -0.5;

const QUESTION = /[?？؟;]/;

/** The other side's message that most likely answers a question, or that a short answer replies to; null for none. */
function partnerOf({ day, joined }: DayScored, at: number, sure: number): number | null {
  const { messages } = day;
  const { from, text } = messages[at]!;
  const step = QUESTION.test(text) ? 1 : text.length <= SHORT_REPLY_CHARACTERS ? -1 : 0;
  let [best, most]: [number | null, number] = [null, sure];
  for (let other = at + step; step !== 0 && Math.abs(other - at) <= FARTHEST && messages[other]; other += step) {
    const score = joined(other, at);
    if (messages[other]!.from !== from && score >= most) [best, most] = [other, score];
  }
  return best;
}

/** The score of a pair of messages that are too far apart to be compared. */
const APART = -3;

/** How likely a message belongs to an exchange, as the mean over its messages: one answer may stand between two questions. */
function closeness({ joined }: DayScored, messages: number[], at: number): number {
  return messages.reduce((sum, other) => sum + Math.max(APART, joined(other, at)), 0) / messages.length;
}

/** A score from which on a message likely settles something. */
const SETTLES = 0;

/** The message that settled an exchange after its last shown message: "yes", "no, sorry", "done". */
function lastWord(scored: DayScored, shown: number, sure: number): number | null {
  let [best, most]: [number | null, number] = [null, SETTLES];
  for (let at = shown + 1; at < scored.day.messages.length && at - shown <= FARTHEST; at++) {
    const score = scoreOf(scored, at, 'settles');
    if (score >= most && scored.joined(shown, at) >= sure) [best, most] = [at, score];
  }
  return best;
}

/**
 * The messages that matter most, best first, as exchanges: one that belongs to what was chosen before joins it. The best
 * exchanges come first, the messages of each are in their order. `most`: exchanges; `share`: of a hundred messages of the
 * day, shown at most; of a short day a few.
 */
export function chooseExchanges(
  scored: DayScored,
  { most, share, joined }: { most: number; share: number; joined: number },
): ExchangeChosen[] {
  const room = Math.max(FEWEST, Math.round((share / 100) * scored.day.messages.length));
  // Messages that end an earlier matter are seldom long ("Signed!"), so they get an extra score.
  const score = (at: number) =>
    (scoreOf(scored, at, 'essential') + scoreOf(scored, at, 'matters')) / 2 + Math.max(0, scoreOf(scored, at, 'ends'));
  const order = [...scored.day.messages.keys()].toSorted((one, other) => score(other) - score(one) || one - other);
  const chosen: ExchangeChosen[] = [];
  const isShown = new Set<number>();
  for (const at of order) {
    if (isShown.size >= room || (isShown.size > 0 && score(at) < LEAST)) break;
    if (isShown.has(at)) continue;
    const own = chosen.find(({ messages }) => closeness(scored, messages, at) >= joined);
    const partner = partnerOf(scored, at, joined);
    const messages = partner === null || isShown.has(partner) ? [at] : [at, partner];
    if (own) own.messages.push(...messages);
    else if (chosen.length < most) chosen.push({ messages, score: score(at) });
    else continue;
    for (const one of messages) isShown.add(one);
  }
  for (const { messages } of chosen) {
    messages.sort((one, other) => one - other);
    const last = lastWord(scored, messages.at(-1)!, joined);
    if (last !== null && !isShown.has(last)) messages.push(last);
  }
  return chosen;
}

/**
 * The name of the owner of an item, by its messages; null if that isn't sure. Between two people it is one or the
 * other; in a group, only who takes something on is known. `peer`: the other one's name in a private chat.
 */
export function ownerOf(
  scored: DayScored,
  { on, with: rest }: ItemChosen,
  { sure, peer }: { sure: number; peer: string },
): string | null {
  const { messages, isGroup, user } = scored.day;
  const votes = new Map<string, number>();
  for (const at of [on, ...rest]) {
    const { from } = messages[at]!;
    const self = scoreOf(scored, at, 'self');
    const other = from === user ? peer : user;
    const [who, vote] = isGroup ? [from, self] : self > 0 ? [from, self] : [other, -self];
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

const odds = (score: number) => 1 / (1 + Math.exp(-score));

/** The parts of a message's news score, weighted by hand: it matters, ends what was open, awaits the user, binds. */
export function newsPartsOf(scored: DayScored, at: number): number[] {
  const score = (head: Head) => scoreOf(scored, at, head);
  const { messages, user } = scored.day;
  // Less for a matter that the user ended: it is no news to them.
  const ends = messages[at]!.from === user ? 0.35 : 0.7;
  return [
    odds((score('essential') + score('matters')) / 6 - 1),
    ends * odds(score('ends') - 1),
    odds(score('waits')) / 2,
    odds(score('binds') / 2 - 1) / 2,
  ];
}

/** Messages that the user owes an answer. */
export function chooseWaiting(scored: DayScored, { waits }: Pick<Thresholds, 'waits'>): number[] {
  const { messages, user } = scored.day;
  return messages.flatMap(({ from }, at) => (from !== user && scoreOf(scored, at, 'waits') >= waits ? [at] : []));
}
