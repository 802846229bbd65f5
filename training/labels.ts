import { HEAD_COUNT, HEAD_INDEX } from '../src/clients/summarizer/reader/features.ts';
import type { LabelledDay, LabelledStory } from './data.ts';

const UNKNOWN = NaN;

function inAny(groups: number[][] | null, at: number): number {
  return groups ? Number(groups.some(group => group.includes(at))) : UNKNOWN;
}

/** COUNT a message. */
export function labelsOf(day: LabelledDay): Float32Array[] {
  const { items, settled, essential, useful, waits, waiting } = day;
  return day.messages.map(([, from], at) => {
    const labels = new Float32Array(HEAD_COUNT).fill(UNKNOWN);
    labels[HEAD_INDEX.binds] = inAny(
      items.map(({ on }) => on),
      at,
    );
    labels[HEAD_INDEX.asked] = inAny(settled?.map(({ asked }) => asked) ?? null, at);
    labels[HEAD_INDEX.settles] = inAny(settled?.map(({ by }) => by) ?? null, at);
    labels[HEAD_INDEX.essential] = inAny(essential, at);
    labels[HEAD_INDEX.matters] = inAny(essential && useful && [...essential, ...useful], at);
    labels[HEAD_INDEX.waits] = waits ? Number(waits.includes(at)) : waiting === false ? 0 : UNKNOWN;
    const item = items.find(({ on }) => on.includes(at));
    if (item?.who) labels[HEAD_INDEX.self] = Number(item.who === from);
    return labels;
  });
}

/** Whether two messages stand in one exchange of any kind: unknown where not all kinds are labelled. */
export function isJoined({ items, settled, essential, useful }: LabelledDay, one: number, other: number): number {
  const groups = [
    ...items.map(({ on }) => on),
    ...(settled ?? []).map(({ asked, by }) => [...asked, ...by]),
    ...(essential ?? []),
    ...(useful ?? []),
  ];
  if (groups.some(group => group.includes(one) && group.includes(other))) return 1;
  return settled && essential ? 0 : UNKNOWN;
}

/** Of these stories only the first day says what binds: what was newly promised on the second is not labelled. */
const FIRST_DAY_ONLY = new Set(['p', 'q']);

/** Of a story's day: what ends earlier promises, and what binds. */
export function labelsOfStoryDay({ hand, days, promises }: LabelledStory, n: number): Float32Array[] {
  const ends = promises.flatMap(promise => promise.ends.filter(({ day, how }) => day === n && how !== 'moved'));
  const items = promises.filter(({ day }) => day === n);
  return days[n]!.messages.map(([, from], at) => {
    const labels = new Float32Array(HEAD_COUNT).fill(UNKNOWN);
    if (n > 0)
      labels[HEAD_INDEX.ends] = inAny(
        ends.map(({ by }) => by),
        at,
      );
    if (n === 0 || !FIRST_DAY_ONLY.has(hand))
      labels[HEAD_INDEX.binds] = inAny(
        items.map(({ on }) => on),
        at,
      );
    const who = items.find(({ on }) => on.includes(at))?.who;
    if (who) labels[HEAD_INDEX.self] = Number(who === from);
    return labels;
  });
}
