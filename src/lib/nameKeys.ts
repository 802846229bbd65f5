import anyAscii from 'any-ascii';
import { isLatin, isRomanisable, toLatinLetters } from './names/romanise.ts';

/** Maximum number of words per name that get keys; of longer ones only the beginning is found. */
const MAX_WORDS = 12;
/** Shorter consonant keys are dropped, as too many names share them. */
const MIN_CONSONANTS = 2;
/** Words of more letters are names rather than `van`, `Thi` or `de`. */
const MAX_PARTICLE_LENGTH = 3;
const VOWELLESS = /^[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** Latin spellings of a sound and their common form: Юлия, Yuliya and Julia are one name. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/x/g, 'ks'],
  [/ph/g, 'f'],
  [/kh/g, 'h'],
  [/ck|c(?!h)|q/g, 'k'],
  [/w/g, 'v'],
  [/ou|oy(?![aeiou])/g, 'u'],
  [/[yj]/g, 'i'],
  [/(.)\1+/g, '$1'],
];
/** Drops vowels, and merges consonants that Arabic and Hebrew write alike or that Latin spells in several ways. */
const CONSONANTS: readonly (readonly [RegExp, string])[] = [
  [/ch/g, 'h'],
  [/([stdg])h/g, '$1'],
  [/ts|tz/g, 'z'],
  [/p/g, 'f'],
  [/v/g, 'b'],
  [/[aeiou]/g, ''],
  [/(.)\1+/g, '$1'],
  [/(?<=.)h$/, ''],
];

export type Sound = { /** '' for Arabic and Hebrew, which write no vowels. */ spelled: string; consonants: string };

/** The keys by which a question in another alphabet finds the words of a name. */
export function nameKeys(name: string): string[] {
  const words = name.normalize('NFKC').match(/[\p{L}\p{M}]+/gu) ?? [];
  return [...new Set(words.slice(0, MAX_WORDS).flatMap(soundKeys))];
}

function soundKeys(word: string): string[] {
  const { spelled, consonants } = soundOf(word);
  return [spelled, consonants && `${consonants}:`].filter(key => key !== '');
}

export function soundOf(word: string): Sound {
  const isVowelless = VOWELLESS.test(word);
  // Half vowels count in neither alphabet: منصور is Mansour, יעקב Yaakov.
  const bare = isVowelless ? word.replace(/^ال(?=\p{L}{2})/u, '').replace(/(?<=.)[ויوي]/gu, '') : word;
  const spelled = applyRules(
    anyAscii(bare)
      .toLowerCase()
      .replace(/[^a-z]/g, ''),
    SPELLINGS,
  );
  const consonants = applyRules(spelled, CONSONANTS);
  return { spelled: isVowelless ? '' : spelled, consonants: consonants.length < MIN_CONSONANTS ? '' : consonants };
}

/** Whether two words of names in different alphabets, or spelled in two ways, sound the same. */
export function soundAlike(one: Sound, other: Sound): boolean {
  if (one.spelled !== '' && other.spelled !== '') return one.spelled === other.spelled;
  return one.consonants !== '' && one.consonants === other.consonants;
}

/** Amira rather than Amir: vowels at the end of a word are written in every script. */
const OPEN_END = /[aeiouyw]$|(?<![cdgkpstz])h$/;

/** Whether two words may be one name, written in Latin letters and in a script that leaves vowels to the reader. */
export function soundAcross(one: string, other: string): boolean {
  if (isRomanisable(one) === isRomanisable(other)) return false;
  const { consonants } = soundOf(one);
  const [end, otherEnd] = [one, other].map(word => OPEN_END.test(toLatinLetters(word)));
  return consonants !== '' && consonants === soundOf(other).consonants && end === otherEnd;
}

const LETTERS = 'bdfgjklmnprstvwz';
/** One-letter spellings per script; plain Latin first. */
const ALPHABETS = [
  'b*f**klmnpr*tvw*',
  'b*f*jk*m*p***vw*',
  'бдфг*клмнпрств*з',
  '*δφγ*κλμνπρ*τ**ζ',
  'ბდფგჯ*ლმნ*რს*ვ*ზ',
  'բդֆգ***մն**ս***զ',
  'בד*ג**ל***ר****ז',
  'ب*ف***لمن*ر*****',
  'ब**गजकलम*परस*वव*',
];

/** A name's main word as each script may spell it, with * for what differs: `*к*в*к*` and others for Żółkowski. */
export function listOutlines(name: string): string[] {
  const word = name.split(/[ -]/).find(({ length }) => length > MAX_PARTICLE_LENGTH) ?? name;
  const text = isLatin(word) ? word.normalize('NFD').replace(/\p{L}\p{M}+/gu, '*') : toLatinLetters(word);
  const letters = [
    ...text
      .toLowerCase()
      .replace(/[cdgkpstz]h|t[sz]/g, '*')
      .replace(/(.)\1/g, '$1'),
  ];
  return ALPHABETS.map(alphabet => {
    const known = letters.map(letter => alphabet[LETTERS.indexOf(letter)] ?? '*');
    return `${known.join('*')}*`.replace(/\*+/g, '*');
  });
}

function applyRules(word: string, rules: readonly (readonly [RegExp, string])[]): string {
  return rules.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), word);
}
