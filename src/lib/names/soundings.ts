import anyAscii from 'any-ascii';
import { HAN_COMPOUND } from './familyNames.ts';
import type { Word } from './nameWords.ts';
import { divideJapanese, usualForms } from './scriptNames.ts';

/**
 * How a name in a script that doesn't tell its sound may be written in Latin letters. Weak: it may suggest a contact,
 * and never decides. A word of a name in such a script:
 */
export type Sounding = {
  /** In plain Latin letters, the likeliest way first. Never empty. */
  forms: readonly string[];
  /** The consonants of a name that is written without its vowels; '' in other scripts. See {@link skeletonOf}. */
  skeleton: string;
};

const HAN = /^\p{Script=Han}+$/u;
const JAPANESE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々ー]+$/u;
const VOWELLESS = /^[\p{Script=Arabic}\p{Script=Hebrew}\p{M}]+$/u;
const ARTICLE = /^ال(?=\p{L}{2})/u;
const MOST_FORMS = 6;
/** A name of fewer consonants in all could be anyone’s. */
const ENOUGH_CONSONANTS = 5;

/** The words of such a name, a Chinese one divided into the family's name and the given one; none for other names. */
export function soundingsOf(texts: readonly string[]): Sounding[] {
  const [only, ...others] = texts;
  if (only === undefined) return [];
  const parts = others.length === 0 && HAN.test(only) ? divideHan(only) : texts;
  const soundings = parts.map(sounding);
  return soundings.every(one => one !== undefined) ? soundings : [];
}

/** The forms of one word, or of a name written in one. */
export function wordSoundings(text: string): string[] {
  return soundingsOf([text]).flatMap(({ forms }) => forms);
}

function divideHan(written: string): readonly string[] {
  const japanese = divideJapanese(written);
  if (japanese) return japanese;
  const letters = [...written];
  if (letters.length < 2 || letters.length > 4) return [written];
  const family = HAN_COMPOUND.test(written) && letters.length > 2 ? 2 : 1;
  return [letters.slice(0, family).join(''), letters.slice(family).join('')];
}

function sounding(text: string): Sounding | undefined {
  if (JAPANESE.test(text)) return { forms: firstForms([...usualForms(text), ...spokenOf(text)]), skeleton: '' };
  if (!VOWELLESS.test(text)) return undefined;
  const bare = text.replace(/\p{M}/gu, '');
  const stem = bare.replace(ARTICLE, '');
  const listed = [...usualForms(bare), ...usualForms(stem)];
  const stems = listed.length > 0 ? listed.slice(0, MOST_FORMS / 2) : withVowels(stem);
  const forms = firstForms([...stems, ...(stem === bare ? [] : stems.flatMap(form => [`al-${form}`, `el-${form}`]))]);
  // How a listed name sounds is known: Hassan isn't Hussein.
  return forms.length > 0 ? { forms, skeleton: listed.length > 0 ? '' : consonantsOf(stem) } : undefined;
}

/** 小明 as xiaoming and xiao ming. */
function spokenOf(text: string): string[] {
  const syllables = [...text].map(letter => plain(anyAscii(letter)));
  return [plain(anyAscii(text)), syllables.length === 2 ? syllables.join(' ') : ''];
}

function firstForms(forms: readonly string[]): string[] {
  return [...new Set(forms)].filter(form => form !== '').slice(0, MOST_FORMS);
}

/** Letters in the classes of {@link skeletonOf}: sounds that are romanised in several ways share one. */
const CONSONANTS: Record<string, string> = Object.fromEntries(
  [
    ['b', 'بב'],
    ['t', 'تثطתט'],
    ['g', 'جغג'],
    ['h', 'حهחה'],
    ['k', 'خقكקכך'],
    ['d', 'دذضד'],
    ['r', 'رר'],
    ['z', 'زظזצץ'],
    ['s', 'سشصסש'],
    ['f', 'فפף'],
    ['l', 'لל'],
    ['m', 'مמם'],
    ['n', 'نנן'],
  ].flatMap(([sound = '', letters = '']) => [...letters].map(letter => [letter, sound])),
);
/** Half vowels, which count as consonants at the start of a name only. */
const HALF_VOWELS: Record<string, string> = { و: 'w', ו: 'b', ي: 'y', י: 'y' };

function consonantsOf(stem: string): string {
  const sounds = [...stem].map((letter, at) => {
    if (letter in HALF_VOWELS) return at === 0 ? (HALF_VOWELS[letter] ?? '') : '';
    return CONSONANTS[letter] ?? '';
  });
  return tidy(sounds.join(''));
}

/** The consonants of a word in plain Latin letters, in the classes of the scripts that write no vowels. */
export function skeletonOf(plainWord: string): string {
  const [first = '', rest = ''] = [plainWord.charAt(0), plainWord.slice(1)];
  const spelled = `${first}${rest.replace(/[yw]/g, '')}`
    .replace(/ch/g, 'h')
    .replace(/kh|ck|q|c/g, 'k')
    .replace(/sh/g, 's')
    .replace(/th/g, 't')
    .replace(/dh/g, 'd')
    .replace(/gh|j/g, 'g')
    .replace(/tz|ts/g, 'z')
    .replace(/ph|p/g, 'f')
    .replace(/v/g, 'b')
    .replace(/[aeiou]/g, '');
  return tidy(spelled);
}

function tidy(consonants: string): string {
  return consonants.replace(/(.)\1+/g, '$1').replace(/(?<=.)h$/, '');
}

const VOWELS: Record<string, string> = {
  ا: 'a',
  أ: 'a',
  إ: 'i',
  آ: 'a',
  ى: 'a',
  ة: 'a',
  و: 'ou',
  ي: 'i',
  ו: 'o',
  י: 'i',
};
const SPELLED: Record<string, string> = {
  خ: 'kh',
  ش: 'sh',
  ש: 'sh',
  غ: 'gh',
  ق: 'q',
  ج: 'j',
  ث: 'th',
  צ: 'tz',
  ץ: 'tz',
};

/** A name that isn't listed, with the commonest vowel between its consonants: ברק as barak. */
function withVowels(stem: string): string[] {
  const letters = [...stem].map(letter => VOWELS[letter] ?? SPELLED[letter] ?? CONSONANTS[letter] ?? '');
  const filled = letters.reduce((word, letter) => {
    const isBetween = word !== '' && letter !== '' && !/[aeiou]$/.test(word) && !/^[aeiou]/.test(letter);
    return `${word}${isBetween ? 'a' : ''}${letter}`;
  }, '');
  return filled.length > 1 ? [filled] : [];
}

/** Whether such a name can be that of a contact in Latin letters: all words of both, in either order. */
export function soundsLike(soundings: readonly Sounding[], contact: readonly Word[]): boolean {
  const theirs = contact.filter(word => !word.isParticle);
  if (soundings.length < 2 || theirs.length < 2 || !theirs.every(({ isLatin }) => isLatin)) return false;
  return areOneWhenJoined(soundings, theirs) || areOneByWord(soundings, theirs);
}

/** Xiaoming Chen and Xiao Ming Chen. */
function areOneWhenJoined(soundings: readonly Sounding[], theirs: readonly Word[]): boolean {
  const whole = theirs.map(({ forms: [first = ''] }) => first).join('');
  const turns = soundings.map((_, at) => [...soundings.slice(at), ...soundings.slice(0, at)]);
  return turns.some(turn => beginnings(turn, whole).includes(''));
}

/** What is left of the word behind the forms of all soundings, one after the other. */
function beginnings(soundings: readonly Sounding[], whole: string): string[] {
  return soundings.reduce(
    (left, { forms }) =>
      left.flatMap(rest => forms.filter(form => rest.startsWith(form)).map(form => rest.slice(form.length))),
    [whole],
  );
}

function areOneByWord(soundings: readonly Sounding[], theirs: readonly Word[]): boolean {
  if (soundings.length !== theirs.length) return false;
  const left = [...theirs];
  let consonants = 0;
  for (const { forms, skeleton } of soundings) {
    const listed = left.findIndex(word => word.forms.some(form => forms.includes(withoutArticle(form))));
    const at = listed >= 0 ? listed : left.findIndex(word => isSkeleton(word, skeleton));
    if (at < 0) return false;
    consonants += listed >= 0 ? ENOUGH_CONSONANTS : skeleton.length;
    left.splice(at, 1);
  }
  return consonants >= ENOUGH_CONSONANTS;
}

function isSkeleton({ forms }: Word, skeleton: string): boolean {
  return skeleton.length > 1 && forms.some(form => skeletonOf(withoutArticle(form)) === skeleton);
}

function withoutArticle(form: string): string {
  return form.replace(/^[ae]l(?=[a-z]{4})/, '');
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}
