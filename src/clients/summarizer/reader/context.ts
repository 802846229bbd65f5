import { type DayRead, HEAD_COUNT, HEAD_INDEX } from './features.ts';

const BEFORE = 4;
const AFTER = 6;
/** Messages to either side among which the highest score is looked for. */
const WIDE = 40;
const NONE = -8;
const SHAPE = 11;
const WIDTH = (BEFORE + AFTER + 1) * (HEAD_COUNT + 1) + 4 * HEAD_COUNT + 2 * (HEAD_COUNT + 1) + SHAPE;

/** A message's features for the second pass: the first pass's scores at, around, before and after it, and its shape. */
export function contextFeatures(day: DayRead, scores: Float32Array, at: number): Float32Array {
  const { messages } = day;
  const count = messages.length;
  const { from, text, namesDay = false } = messages[at]!;
  const row = new Float32Array(WIDTH);
  let end = 0;
  const push = (other: number) => {
    const isThere = other >= 0 && other < count;
    for (let head = 0; head < HEAD_COUNT; head++) row[end++] = isThere ? scores[other * HEAD_COUNT + head]! : NONE;
  };
  for (let other = at - BEFORE; other <= at + AFTER; other++) {
    const near = messages[other];
    row[end++] = near ? Number(near.from === from) : -1;
    push(other);
  }
  const most = end;
  end += 4 * HEAD_COUNT;
  row.fill(NONE, most, end);
  const last = Math.min(count - 1, at + WIDE);
  for (let other = Math.max(0, at - WIDE); other <= last; other++) {
    if (other === at) continue;
    const kind = most + (2 * Number(other > at) + Number(messages[other]!.from === from)) * HEAD_COUNT;
    for (let head = 0; head < HEAD_COUNT; head++) {
      const score = scores[other * HEAD_COUNT + head]!;
      if (score > row[kind + head]!) row[kind + head] = score;
    }
  }
  for (const step of [-1, 1]) {
    let other = at + step;
    while (messages[other]?.from === from) other += step;
    row[end++] = messages[other] ? Math.abs(other - at) : 9;
    push(other);
  }
  let ofUserLater = 0;
  for (let other = at + 1; other <= last; other++) ofUserLater += Number(messages[other]!.from === day.user);
  const shape = [ofUserLater, count - at, at, count, Number(day.isGroup), Number(from === day.user), text.length];
  row.set(
    [...shape, Number(/[?？؟;]/.test(text)), Number(/\d/.test(text)), Number(text.includes('[')), Number(namesDay)],
    end,
  );
  return row;
}

/** Messages between a message and a later one of the same exchange, at most. */
export const MAX_DISTANCE = 12;

/** Features that tell whether two messages, in order, belong to one exchange. `overlap`: see `scoreSharedWords`. */
export function pairRow(day: DayRead, scores: Float32Array, first: number, second: number, overlap: number): Float32Array {
  const { messages } = day;
  const [opener, answer] = [messages[first]!, messages[second]!];
  let [byOpener, byAnswerer, mostAsked, mostMatters] = [0, 0, NONE, NONE];
  for (let between = first + 1; between < second; between++) {
    byOpener += Number(messages[between]!.from === opener.from);
    byAnswerer += Number(messages[between]!.from === answer.from);
    mostAsked = Math.max(mostAsked, scores[between * HEAD_COUNT + HEAD_INDEX.asked]!);
    mostMatters = Math.max(mostMatters, scores[between * HEAD_COUNT + HEAD_INDEX.matters]!);
  }
  const row = [second - first, Number(opener.from === answer.from), byOpener, byAnswerer, mostAsked, mostMatters, overlap];
  for (const at of [first, second]) for (let head = 0; head < HEAD_COUNT; head++) row.push(scores[at * HEAD_COUNT + head]!);
  row.push(Number(/[?？؟;]/.test(opener.text)), Number(/[?？؟;]/.test(answer.text)), opener.text.length, answer.text.length);
  row.push(Number(day.isGroup), Number(opener.from === day.user), Number(answer.from === day.user));
  row.push(Number(messages[first + 1]?.from === opener.from), Number(messages[second - 1]?.from === answer.from));
  return Float32Array.from(row);
}
