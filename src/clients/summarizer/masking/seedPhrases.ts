import { wordlist as czech } from '@scure/bip39/wordlists/czech.js';
import { wordlist as english } from '@scure/bip39/wordlists/english.js';
import { wordlist as french } from '@scure/bip39/wordlists/french.js';
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js';
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js';
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js';
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js';
import { wordlist as chinese } from '@scure/bip39/wordlists/simplified-chinese.js';
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js';
import { WORDS_OF_LETTERS } from '../languages/stopwords.ts';
import { MASK } from './mask.ts';

/** Words in a row that are masked: from the shortest phrase of BIP 39, or fewer if the text announces a phrase. */
const MIN_PHRASE_WORDS = 12;
const MIN_ANNOUNCED_WORDS = 6;
const ANNOUNCED =
  /seed|mnemonic|(?:recovery|backup|secret|wallet) (?:phrase|words)|wallet|сид|мнемони|фраз|frase|phrase|semilla|semente|mnemot|tohum|anahtar kelime|助记词|シード|니모닉/iu;
/** Separators in a phrase: a space, a comma, a word's number. */
const BETWEEN = /^[\s\d.,;:)-]{1,8}$/;

const LISTS = [english, spanish, french, portuguese, italian, czech, japanese, korean, chinese];
const LISTED = indexWordLists();

/** Bit mask of the lists that contain a word. */
function indexWordLists(): Map<string, number> {
  const bits = new Map<string, number>();
  for (const [at, list] of LISTS.entries()) {
    for (const word of list) bits.set(foldWord(word), (bits.get(foldWord(word)) ?? 0) | (1 << at));
  }
  return bits;
}

function foldWord(word: string): string {
  return word.toLowerCase().normalize('NFC');
}

/** A quick check: of n listed words in a row, one is at a position divisible by n, so only these are looked up. */
function mayHold(text: string, shortest: number): boolean {
  const words = text.match(WORDS_OF_LETTERS) ?? [];
  for (let at = shortest - 1; at < words.length; at += shortest) if (LISTED.has(foldWord(words[at] ?? ''))) return true;
  return false;
}

/** Masks the words that open a wallet: as many words in a row from one published list as no sentence has. */
export function maskSeedPhrases(text: string): string {
  const shortest = ANNOUNCED.test(text) ? MIN_ANNOUNCED_WORDS : MIN_PHRASE_WORDS;
  if (!mayHold(text, shortest)) return text;
  const masked: { from: number; to: number }[] = [];
  let [from, to, count, lists] = [0, 0, 0, 0];
  const close = () => void (count >= shortest && masked.push({ from, to }));
  for (const match of text.matchAll(WORDS_OF_LETTERS)) {
    const bits = LISTED.get(foldWord(match[0])) ?? 0;
    const goesOn = count > 0 && (bits & lists) !== 0 && BETWEEN.test(text.slice(to, Math.min(match.index, to + 9)));
    if (!goesOn) {
      close();
      [from, count, lists] = [match.index, 0, -1];
    }
    if (bits !== 0) [to, count, lists] = [match.index + match[0].length, count + 1, lists & bits];
  }
  close();
  return masked.reduceRight((left, { from, to }) => left.slice(0, from) + MASK + left.slice(to), text);
}
