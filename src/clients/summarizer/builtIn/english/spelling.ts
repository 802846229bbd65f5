import type { Token } from './tagger.ts';
import { tagWords } from './tagger.ts';

const CONTRACTIONS: [RegExp, string][] = [
  [/\bcan't\b/giu, 'can not'],
  [/\bwon't\b/giu, 'will not'],
  [/\bshan't\b/giu, 'shall not'],
  [/\blet's\b/giu, 'let us'],
  [/(?<=\b\p{L}{2,12})n't\b/giu, ' not'],
  [/\bI'm\b/giu, 'I am'],
  [/(?<=\b\p{L}{1,12})'ll\b/giu, ' will'],
  [/(?<=\b\p{L}{1,12})'re\b/giu, ' are'],
  [/(?<=\b\p{L}{1,12})'ve\b/giu, ' have'],
  [/(?<=\b(?:I|you|he|she|we|they|it))'d\b/giu, ' would'],
  [/(?<=\b(?:he|she|it|that|there|what|who|where|when|how|here))'s\b/giu, ' is'],
];
/** "Ill" and "id" are words of their own, and mean "I'll" and "I'd" only where no sickness or card is meant. */
const WITHOUT_APOSTROPHE = /(^|[,.;!?…-] ?|\b(?:and|but|so|ok|then|now|thanks|yes|sure) )(ill|id|well) (?=\p{L}{2})/giu;
const ILL_BEHIND_OBJECT =
  /\b(\p{L}{3,20}) ill (?=(?:do|send|bring|get|give|try|make|take|check|ask|sort|call|need|pay)\b)/giu;

/** The words of a sentence that went through `spellOut`, without contractions, with their parts of speech. */
export function readWords(spelled: string): Token[] {
  let expanded = spelled;
  if (expanded.includes("'")) for (const [short, full] of CONTRACTIONS) expanded = expanded.replaceAll(short, full);
  return tagWords(expanded.replaceAll(ASKED_IF, '$1 whether'));
}

/** "Let me know if it is free" asks something, whereas "let me know if you need me" doesn't. */
const ASKED_IF = /\b(let (?:me|us) know(?: by \p{L}{3,9})?) if(?= (?:the|your|my|our|he|she|they) )/giu;

const WORD = /(?<![\p{L}\p{N}'-])[\p{L}\d][\p{L}\d/]{0,11}(?![\p{L}\p{N}'@.-]\p{L})/gu;

/** "R is for restricted": a letter, where "r u in" is short. */
const INITIAL = /^\p{Lu}$/u;

function fullOf(word: string, spelling: Spelling): string {
  const short = word.toLowerCase();
  return Object.hasOwn(spelling, short) ? (spelling[short] ?? word) : word;
}

type Spelling = Readonly<Record<string, string>>;

const shortForms = new WeakMap<Spelling, RegExp>();

/**
 * Tells texts that may contain a short form from the many without one. It looks for whole words, because {@link WORD}
 * matches as much of a word as it can, unless a sign and a letter follow or the word is very long.
 */
function shortFormsOf(spelling: Spelling): RegExp {
  const known = shortForms.get(spelling) ?? compileForms(Object.keys(spelling));
  shortForms.set(spelling, known);
  return known;
}

function compileForms(forms: string[]): RegExp {
  const isWhole = "(?![\\p{L}\\d/])|[\\p{L}\\d/]{0,11}['@.\\p{N}-]\\p{L}";
  return new RegExp(`(?<![\\p{L}\\p{N}'-])(?:(?:${forms.join('|')})(?:${isWhole})|[\\p{L}\\d/]{13})`, 'iu');
}

export function spellOut(text: string, spelling: Spelling): string {
  const straight = text.replaceAll(/[’‘`´ʼ]/g, "'").replaceAll(/\p{Extended_Pictographic}+/gu, ' ; ');
  let spelled = shortFormsOf(spelling).test(straight)
    ? straight.replaceAll(WORD, (word, at: number) => (at > 0 && INITIAL.test(word) ? word : fullOf(word, spelling)))
    : straight;
  if (/(?:ill|id) /iu.test(spelled)) {
    spelled = spelled.replaceAll(WITHOUT_APOSTROPHE, (whole, lead: string, word: string) =>
      word.toLowerCase() === 'well' ? whole : `${lead}${word.toLowerCase() === 'id' ? "I'd" : "I'll"} `,
    );
    spelled = spelled.replaceAll(ILL_BEHIND_OBJECT, "$1 I'll ");
  }
  // "5, 000" is one number.
  return spelled
    .replaceAll(/(?<=\d), (?=\d{3}(?!\d))/g, ',')
    .replaceAll(/ \s+|[^\S ]\s*/g, ' ')
    .trim();
}
