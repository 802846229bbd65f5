import { COUNT, type Head, HEAD } from './features.ts';
import { type DayScored, type Model, pairRows } from './model.ts';
import { scoreTrees } from './trees.ts';

/** How likely two messages belong to one exchange, as a score. */
export type Joined = (one: number, other: number) => number;

export function joinedIn(model: Model['pair'], scored: Omit<DayScored, 'first'>): Joined {
  const count = scored.day.messages.length;
  const scores = new Map<number, number>();
  pairRows(scored, (first, second, row) => scores.set(first * count + second, scoreTrees(model, row)));
  return (one, other) => scores.get(Math.min(one, other) * count + Math.max(one, other)) ?? -Infinity;
}

type Scored = { scores: Float32Array; count: number; joined: Joined };

const scoreOf = ({ scores }: Scored, at: number, head: Head) => scores[at * COUNT + HEAD[head]]!;

function best(scored: Scored, head: Head): number[] {
  return Array.from({ length: scored.count }, (_, at) => at).toSorted(
    (one, other) => scoreOf(scored, other, head) - scoreOf(scored, one, head) || one - other,
  );
}

export type ItemChosen = { on: number; with: number[]; score: number };

/** Messages that bind, best first, each with others of the same exchange: what is likely the same is said once. */
export function chooseItems(scored: Scored, { binds, joined }: { binds: number; joined: number }): ItemChosen[] {
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

/** Exchanges of the day, best first: a message that matters, with those of the same exchange that matter too. */
export function chooseExchanges(scored: Scored, joined: number): ExchangeChosen[] {
  const taken = new Set<number>();
  const chosen: ExchangeChosen[] = [];
  for (const at of best(scored, 'essential')) {
    if (taken.has(at)) continue;
    const rest = Array.from({ length: scored.count }, (_, other) => other).filter(
      other => other !== at && !taken.has(other) && scored.joined(at, other) >= joined,
    );
    const messages = [at, ...rest].toSorted((one, other) => one - other);
    for (const message of messages) taken.add(message);
    chosen.push({ messages, score: scoreOf(scored, at, 'essential') });
  }
  return chosen;
}
