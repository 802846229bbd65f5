import { COUNT, type DayRead, HEAD } from './features.ts';

/** Heads of the first pass whose scores the second one sees around a message. */
const SEEN = COUNT - 2;
const BEFORE = 4;
const AFTER = 6;
/** Messages to either side among which the highest score is looked for. */
const WIDE = 40;
const NONE = -8;

/** What the second pass sees of a message: the first pass's scores at, around, before and after it, and its shape. */
export function contextOf(day: DayRead, scores: Float32Array, at: number): Float32Array {
  const { messages } = day;
  const count = messages.length;
  const { from, text } = messages[at]!;
  const row: number[] = [];
  const push = (other: number) => {
    for (let head = 0; head < SEEN; head++)
      row.push(other >= 0 && other < count ? scores[other * COUNT + head]! : NONE);
  };
  for (let other = at - BEFORE; other <= at + AFTER; other++) {
    const near = messages[other];
    row.push(near ? Number(near.from === from) : -1);
    push(other);
  }
  const most = new Float32Array(4 * SEEN).fill(NONE);
  for (let other = Math.max(0, at - WIDE); other < count && other <= at + WIDE; other++) {
    if (other === at) continue;
    const kind = 2 * Number(other > at) + Number(messages[other]!.from === from);
    for (let head = 0; head < SEEN; head++)
      most[kind * SEEN + head] = Math.max(most[kind * SEEN + head]!, scores[other * COUNT + head]!);
  }
  row.push(...most);
  for (const step of [-1, 1]) {
    let other = at + step;
    while (messages[other]?.from === from) other += step;
    row.push(messages[other] ? Math.abs(other - at) : 9);
    push(other);
  }
  let ofUserLater = 0;
  for (let other = at + 1; other < count; other++) ofUserLater += Number(messages[other]!.from === day.user);
  row.push(ofUserLater, count - at, at, count, Number(day.isGroup), Number(from === day.user), text.length);
  row.push(Number(/[?？؟;]/.test(text)), Number(/\d/.test(text)), Number(text.includes('[')));
  return Float32Array.from(row);
}

/** Messages between a message and a later one of the same exchange, at most. */
export const FARTHEST = 12;

/** What tells whether two messages, the first before the second, belong to one exchange. `overlap`: see wordsShared. */
export function pairRow(day: DayRead, scores: Float32Array, first: number, second: number, overlap: number): Float32Array {
  const { messages } = day;
  const [opener, answer] = [messages[first]!, messages[second]!];
  let [byOpener, byAnswerer, mostAsked, mostMatters] = [0, 0, NONE, NONE];
  for (let between = first + 1; between < second; between++) {
    byOpener += Number(messages[between]!.from === opener.from);
    byAnswerer += Number(messages[between]!.from === answer.from);
    mostAsked = Math.max(mostAsked, scores[between * COUNT + HEAD.asked]!);
    mostMatters = Math.max(mostMatters, scores[between * COUNT + HEAD.matters]!);
  }
  const row = [second - first, Number(opener.from === answer.from), byOpener, byAnswerer, mostAsked, mostMatters, overlap];
  for (const at of [first, second]) for (let head = 0; head < SEEN; head++) row.push(scores[at * COUNT + head]!);
  row.push(Number(/[?？؟;]/.test(opener.text)), Number(/[?？؟;]/.test(answer.text)), opener.text.length, answer.text.length);
  row.push(Number(day.isGroup), Number(opener.from === day.user), Number(answer.from === day.user));
  row.push(Number(messages[first + 1]?.from === opener.from), Number(messages[second - 1]?.from === answer.from));
  return Float32Array.from(row);
}

/** What tells of a whole day: the highest scores, and the means. */
export function dayRow(day: DayRead, scores: Float32Array): Float32Array {
  const count = day.messages.length;
  const [most, sum] = [new Float32Array(COUNT).fill(NONE), new Float32Array(COUNT)];
  const last = new Float32Array(COUNT).fill(NONE);
  for (let at = 0; at < count; at++)
    for (let head = 0; head < COUNT; head++) {
      const score = scores[at * COUNT + head]!;
      most[head] = Math.max(most[head]!, score);
      sum[head] = sum[head]! + score / count;
      if (at >= count - 4) last[head] = Math.max(last[head]!, score);
    }
  return Float32Array.from([...most, ...sum, ...last, count, Number(day.isGroup)]);
}
