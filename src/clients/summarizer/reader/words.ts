/** Characters of a message, and words of it, that are read: a thousandth of users write more, and nothing binds there. */
const MAX_TEXT_LENGTH = 1500;
const MAX_WORDS = 120;
const MAX_WORD_LENGTH = 24;
const MAX_VOCABULARY = 30_000;

/** A word as features see it: its hash, the slots of its letters, and the hash of its beginning, 0 for short ones. */
export type Word = { hash: number; grams: Int32Array; stem: number };

/** Slots that words are hashed into. */
export const SLOT_BITS = 18;

/** Spreads a number, together with what it is for, over all 32 bits. */
export function mixHash(hash: number, salt: number): number {
  let mixed = Math.imul(hash ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

export function hashSlot(hash: number, salt: number): number {
  return mixHash(hash, salt) >>> (32 - SLOT_BITS);
}

export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixHash(hash, 1);
}

/** A run of letters, one sign of a script without spaces, a run of digits, or a mark. */
const TOKEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: joiners and shades of skin are left out one by one
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}'])+|\d+|\p{Extended_Pictographic}|[^\s\p{L}\p{M}\p{N}\uFE0F\u200D\u{1F3FB}-\u{1F3FF}]/gu;

/** Imitates typing on a phone: no capitals, accents or triple letters. */
export function foldForModel(text: string): string {
  const lower = text.slice(0, MAX_TEXT_LENGTH).toLowerCase();
  if (!/[^\n -~]/.test(lower)) return lower.replaceAll(/([a-z])\1{2,}/g, '$1$1');
  return lower
    .replaceAll(/[’‘`´ʼ]/g, "'")
    .normalize('NFD')
    .replaceAll(/(?<=[a-zα-ωа-я])\p{M}+/gu, '')
    .normalize('NFC')
    .replaceAll(/(\p{L})\1{2,}/gu, '$1$1');
}

export function splitTokens(text: string): string[] {
  const tokens = foldForModel(text).match(TOKEN) ?? [];
  if (tokens.length > MAX_WORDS) tokens.length = MAX_WORDS;
  return tokens.map(token => (/^\d/.test(token) ? '0'.repeat(Math.min(4, token.length)) : token.slice(0, MAX_WORD_LENGTH)));
}

const wordCache = new Map<string, Word>();

export function toWord(token: string): Word {
  const seen = wordCache.get(token);
  if (seen) return seen;
  if (wordCache.size >= MAX_VOCABULARY) wordCache.clear();
  const word = { hash: hashText(token), grams: hashGrams(token), stem: hashStem(token) };
  wordCache.set(token, word);
  return word;
}

const MIN_STEM_LENGTH = 3;
const STEM = 5;
/** Scripts whose characters carry as much meaning as words. */
const DENSE = /[\p{Script=Han}\p{Script=Katakana}]/u;

function hashStem(token: string): number {
  return token.length >= MIN_STEM_LENGTH || DENSE.test(token) ? hashText(token.slice(0, STEM)) : 0;
}

const GRAMS = [3, 4, 5];
const GRAM_SALT = 2;

function hashGrams(token: string): Int32Array {
  const marked = `<${token}>`;
  const slots = new Set<number>();
  for (const size of GRAMS)
    for (let at = 0; at + size <= marked.length; at++) slots.add(hashSlot(hashText(marked.slice(at, at + size)), GRAM_SALT));
  return Int32Array.from(slots);
}
