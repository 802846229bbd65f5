import { foldForModel, hashSlot, mixHash, SLOT_BITS, splitTokens, toWord, type Word } from './words.ts';

export type DayRead = { isGroup: boolean; user: string; messages: MessageRead[] };

/** `text`: the words, with attachments in brackets: "[photo]". `namesDay`: they name a weekday, or a day like tomorrow. */
type MessageRead = { from: string; text: string; namesDay?: boolean };

/**
 * The judgments that are learned of each message: it obliges somebody (`binds`); it begins or ends a settled matter
 * (`asked`, `settles`); a colleague must, or may, see it (`essential`, `matters`); the user owes it an answer
 * (`waits`); its author is obliged (`self`); it ends a matter that was open before that day (`ends`).
 */
export const OUTPUT_HEADS = ['binds', 'asked', 'settles', 'essential', 'matters', 'waits', 'self', 'ends'] as const;
export const HEAD_COUNT = OUTPUT_HEADS.length;
export type Head = (typeof OUTPUT_HEADS)[number];
export const HEAD_INDEX = Object.fromEntries(OUTPUT_HEADS.map((head, at) => [head, at])) as Record<Head, number>;

const NEAR = [-2, -1, 1, 2];
const MAX_NEAR_WORDS = 25;
const [WORD, USERS, OTHERS, PAIR, TRIPLE, FIRST, LAST, SHAPE, NEIGHBOR] = [10, 11, 12, 13, 14, 15, 16, 17, 30];

/** Placeholders for people, so that the model learns nothing from names. */
const NAME_OF_USER = '«user»';
const NAME_OF_OTHER = '«other»';

export type DayWords = { words: Word[]; tokens: string[] }[];

export function readDayWords(day: DayRead): DayWords {
  const names = new Map<string, string>();
  for (const { from } of day.messages)
    for (const part of foldForModel(from).match(/[\p{L}\p{M}]{3,}/gu) ?? [])
      names.set(part, from === day.user ? NAME_OF_USER : NAME_OF_OTHER);
  return day.messages.map(({ text }) => {
    const tokens = splitTokens(text).map(token => names.get(token) ?? token);
    return { tokens, words: tokens.map(toWord) };
  });
}

const seen = new Uint32Array(1 << SLOT_BITS);
let stamp = 0;
/** Has room for more features than any message has. It is used again for each message, as allocating one each time is slow. */
const SLOT_BUFFER = new Int32Array(1 << 16);

/** The slots of a message's features, each once. */
export function listSlots(day: DayRead, words: DayWords, at: number): Int32Array {
  stamp++;
  let count = 0;
  const add = (slot: number) => {
    if (seen[slot] === stamp) return;
    seen[slot] = stamp;
    SLOT_BUFFER[count++] = slot;
  };
  const { messages } = day;
  const { from } = messages[at]!;
  const own = words[at]!.words;
  const side = from === day.user ? USERS : OTHERS;
  const shape = (kind: number, value: number) => add(hashSlot(kind * 64 + value, SHAPE));
  shape(0, 0);
  shape(1, side);
  shape(2, Number(day.isGroup));
  shape(3, Math.min(8, Math.floor(own.length / 3)));
  shape(4, Math.floor((4 * at) / messages.length));
  shape(5, Number(messages[at - 1]?.from === from) + 2 * Number(messages[at + 1]?.from === from));
  for (let k = 0; k < own.length; k++) {
    const { hash, grams } = own[k]!;
    add(hashSlot(hash, WORD));
    add(hashSlot(hash, side));
    for (const gram of grams) add(gram);
    if (k + 1 < own.length) {
      const pair = mixHash(hash, PAIR) + own[k + 1]!.hash;
      add(hashSlot(pair, PAIR));
      if (k + 2 < own.length) add(hashSlot(mixHash(pair, TRIPLE) + own[k + 2]!.hash, TRIPLE));
    }
  }
  if (own.length > 0) {
    add(hashSlot(own[0]!.hash, FIRST));
    add(hashSlot(own.at(-1)!.hash, LAST));
  }
  for (const step of NEAR) {
    const near = words[at + step];
    if (!near) {
      shape(6, step + 2);
      continue;
    }
    const salt = NEIGHBOR + 2 * (step + 2) + Number(messages[at + step]!.from === from);
    for (let k = 0; k < near.words.length && k < MAX_NEAR_WORDS; k++) add(hashSlot(near.words[k]!.hash, salt));
  }
  return SLOT_BUFFER.slice(0, count);
}
