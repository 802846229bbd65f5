import { createYielder } from '../../../lib/inSteps.ts';
import { isGivenName } from '../../../lib/names/givenNames.ts';
import { romanise, toLatinLetters } from '../../../lib/names/romanise.ts';
import { once, oncePer } from '../../../lib/once.ts';
import { fold, stem, toWords } from '../cleaning.ts';
import { findNamedDays } from '../days/calendar.ts';
import { isDayName } from '../days/names.ts';
import { packOf, WORDS, WORDS_OF_LETTERS } from '../languages/stopwords.ts';
import { isTitleWord } from '../names.ts';

/** Text between spaces, quotation marks and brackets; separates Chinese and Japanese from other letters. */
const TOKEN =
  /[^\s"“”„«»‹›「」『』()[\]{}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+/gu;
const EDGES = /^[^\p{L}\p{N}@#]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;
/** "Rosa's", "Gizem'e" and "PayPal-Ausfall" are of several words. */
const JOINT = /['’`´\-‐‑–—/&]/u;
const AT_BEGINNING = /(?:^|[.!?:…–—"“„«(-]\s*)$/u;
/** An abbreviation before a name with a number is no end of a sentence: "вул. Шевченка, 14". */
const STREET = /^.{0,4}?(?<!\p{L})\p{Ll}{2,4}\. ?\p{Lu}[\p{L}\p{M}’'-]{1,40},? \d/u;
const CAPITALIZED = /^\p{Lu}\p{M}*\p{Ll}/u;

/** Words joined as in no language: by the "_" of a handle, the ":" or "%" of a host, a picture in place of a dot. */
const ODDLY_JOINED = /[\p{L}\p{N}][^\p{L}\p{M}\p{N}\p{Cf}'’`´.\-‐‑–—/&·・־׳״+°²³\p{Sc}]+\p{L}|\/\/|[@#]\p{L}/u;
/** A word with a capital inside is a name: "DocuSign", but not the unit "kW". */
const INNER_CAPITAL = /\p{Ll}\p{Lu}./u;
/** "Q4", "20h", "14h30" and "3rd"; "bc1q…" and "hunter2" are no words. */
const PLAIN_WITH_FIGURES =
  /^(?:\p{L}{1,3}[-.\p{Sc}]?[\p{Nd}.,]+|[\p{Nd}.,:/-]+[-.]?\p{L}{1,3}|\p{Nd}{1,2}\p{L}{1,3}\p{Nd}{2})$/u;
/** Letters and figures that are signs, letters one by one, and Roman figures in a row; a single one may be part of a name. */
const SIGN = /\p{Nl}|[\u2460-\u24FF\u2776-\u2793\u{1F100}-\u{1F1E5}]/u;
const SPELLED_OUT = /(?<![\p{L}\p{M}\p{N}])\p{L}(?:[ .·•_-]{1,3}\p{L}(?![\p{L}\p{M}\p{N}])){3,40}/u;
const ROMAN_ROW = /(?<![\p{L}\p{N}])[IVXLCDM]+(?:[ -][IVXLCDM]+(?![\p{L}\p{N}])){1,20}/u;
/** "Data Processing Agreement" */
const CAPITALS = /(?<![\p{L}\p{M}])\p{Lu}[\p{L}\p{M}]+(?:[ -](?:\p{Ll}{1,5} ){0,2}\p{Lu}[\p{L}\p{M}]+){2,5}/gu;

const SCRIPTS = {
  latin: /\p{Script=Latin}/u,
  cyrillic: /\p{Script=Cyrillic}/u,
  greek: /\p{Script=Greek}/u,
  arabic: /\p{Script=Arabic}/u,
  hebrew: /\p{Script=Hebrew}/u,
  chinese: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
};
type Script = keyof typeof SCRIPTS;

const SCRIPT_SAMPLE_CHARACTERS = 10_000;
/** A name may have another ending: "Марине" is Марина. Letters. */
const MIN_STEM_LENGTH = 3;
/** "Сергеичу" is Сергеевич. */
const LONG_NAME = 7;
/** Scripts that leave out most vowels: "أحمد" is Ahmed. */
const WITHOUT_VOWELS = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const MIN_CONSONANTS = 3;

export type WordIndex = Awaited<ReturnType<typeof indexWords>>;

/** Reads the words of messages, in any script. @param languages of the messages and of the text; ISO 639-1 */
export async function indexWords(texts: readonly string[], languages: readonly [spoken: string, written: string]) {
  const nextStep = createYielder();
  const formsOf = (word: string) => [fold(word, languages[0]), ...romanise(word)];
  const [known, stems, beginnings] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const skeletons = new Set<string>();
  for (const text of texts) {
    const tokens = text.normalize('NFKC').match(TOKEN) ?? [];
    const words = tokens.flatMap(token => [token.replaceAll(EDGES, ''), ...(token.match(WORDS) ?? [])]);
    for (const word of new Set(words)) {
      await nextStep();
      if (WITHOUT_VOWELS.test(word)) skeletons.add(extractConsonants(word));
      for (const form of formsOf(word)) {
        known.add(form);
        beginnings.add(beginningOf(form));
        for (const stem of possibleStems(form)) stems.add(stem);
      }
    }
  }
  const isSkeleton = (word: string) => /^\p{L}+$/u.test(word) && skeletons.has(extractConsonants(word));
  return {
    languages,
    script: findMainScript(texts.join(' ').slice(0, SCRIPT_SAMPLE_CHARACTERS)),
    isSaid: (word: string) => formsOf(word).some(form => known.has(form)),
    isNameSaid: (name: string) =>
      formsOf(name).some(form => possibleStems(form).some(stem => stems.has(stem))) ||
      (extractConsonants(name).length >= MIN_CONSONANTS && isSkeleton(name)),
    /** "Meeting" is what "meet" says, and "Oktoberrechnung" what "Rechnung" does. */
    isSaidInPart: (word: string) =>
      formsOf(word).some(form => beginnings.has(beginningOf(form)) || possibleEndings(form).some(end => known.has(end))),
    isPlaceSaid: createPlaceCheck(texts, languages),
  };
}

type AllowedWords = { isHeading: boolean; people: ReadonlySet<string>; questionWords?: ReadonlySet<string> | undefined };

/** Capitals that are no names. */
const CAPITALIZED_PRONOUNS =
  /^(?:i|sie|ihnen|ihr(?:e[mnrs]?)?|du|dir|dich|dein(?:e[mnr]?)?|ok|ci|cie|ciebie|tobie|two(?:j\p{L}{0,3}|i\p{L}{1,2})|was(?:z\p{L}{0,3})?|вас|вам|вами|ваш\p{L}{0,3})$/u;

/**
 * Whether a text has a word that only a message could have introduced, although none did: 1. handles, codes and
 * spelled-out addresses, whose form no ordinary word has; 2. words in another script; 3. names, known by their
 * capitals, `people` always. Where a language has no capitals, or has them for all nouns, only common given names are
 * names. With `questionWords`, all capitalized words must be in the messages, except stop words and those of the question
 * that begin a sentence, and in scripts without capitals all but stop words. `isHeading`: any word may have a capital.
 */
export function hasForeignWord(text: string, said: WordIndex, { isHeading, people, questionWords }: AllowedWords): boolean {
  // The wide marks of Chinese and Japanese end a word without a space: "PCB:5000". Elsewhere they hide an address.
  const apart = /^(?:zh|ja)/.test(said.languages[1]) ? text.replaceAll(/[!,:;?](?!\p{Script=Latin})/gu, '$& ') : text;
  const plain = apart.normalize('NFKC');
  const pack = packOf(said.languages[1]);
  const days = new Set(findNamedDays(plain, said.languages[1]).map(({ word }) => word));
  const isStop = (word: string) => pack.stopwords.has(fold(word, pack.code));
  const isOrdinary = (word: string) => days.has(word) || isDayName(word, pack.code) || isTitleWord(word);
  const spelledOut = new Set((plain.match(CAPITALS) ?? []).flatMap(run => findAbbreviated(run, said)));
  const isGiven = (word: string) => romanise(word).some(isGivenName);
  const isStreet = (index: number) => STREET.test(plain.slice(Math.max(0, index - 6)));
  const isFirst = (index: number) => AT_BEGINNING.test(plain.slice(Math.max(0, index - 4), index)) && !isStreet(index);
  const isName = (word: string, index: number) => {
    if (!CAPITALIZED.test(word)) return false;
    if (people.has(fold(word, 'und'))) return true;
    if (
      isOrdinary(word) ||
      isStop(word) ||
      CAPITALIZED_PRONOUNS.test(fold(word, 'en')) ||
      spelledOut.has(word) ||
      said.isPlaceSaid(word)
    )
      return false;
    if (isHeading) return isGiven(word);
    if (isFirst(index)) return false;
    if (pack.nounsCapitalized) return isGiven(word);
    // "Microsoft Teams", where they said "teams".
    const next = /^ (\p{Lu}[\p{L}\p{M}]+)/u.exec(plain.slice(index + word.length))?.[1];
    return isGiven(word) || next === undefined || !said.isSaid(next) || people.has(fold(next, 'und'));
  };
  const isUnsupported = (word: string, index: number) => {
    const folded = fold(word, 'en');
    if (isOrdinary(word) || CAPITALIZED_PRONOUNS.test(folded) || /^\p{N}/u.test(word) || said.isSaid(word)) return false;
    if (!/\p{Lu}/u.test(word)) return /\p{Lo}/u.test(word) && !isStop(word);
    return !said.isNameSaid(word) && !(isFirst(index) && (isStop(word) || questionWords?.has(folded)));
  };
  const scripts = [said.script, findMainScript(plain)];
  const isOdd = (word: string) => {
    const isCode = /\p{Nd}/u.test(word) && /\p{L}/u.test(word) && !PLAIN_WITH_FIGURES.test(word);
    const isOfOtherScript = [...word].length > 1 && detectScripts(word).some(script => !scripts.includes(script));
    return (isCode || isOfOtherScript || INNER_CAPITAL.test(word)) && !said.isSaid(word);
  };
  const isForeign = ({ 0: token, index }: RegExpExecArray) => {
    const word = token.replaceAll(EDGES, '');
    if (word === '' || said.isSaid(word) || isTitleWord(word)) return false;
    const [head = '', ...others] = word.split(JOINT);
    const isNewName = isName(head, index) && !said.isNameSaid(head);
    return isNewName || ODDLY_JOINED.test(token) || [head, ...others].some(isOdd);
  };
  const isNew = ({ 0: part, index }: RegExpExecArray) => toWords(part).some(word => isUnsupported(word, index));
  const runs = [SPELLED_OUT.exec(plain), ROMAN_ROW.exec(plain), SIGN.exec(text)].flatMap(run => run?.[0] ?? []);
  return (
    plain.matchAll(TOKEN).some(isForeign) ||
    (questionWords !== undefined && plain.matchAll(WORDS).some(isNew)) ||
    runs.some(run => !said.isSaid(run))
  );
}

/** The words of "Data Processing Agreement", where they said "DPA" or "DPAs". */
function findAbbreviated(run: string, { isSaid }: WordIndex): string[] {
  const words = run.split(/[ -]/).filter(word => /^\p{Lu}/u.test(word));
  const parts = words.flatMap((_, first) => words.map((_, left) => words.slice(first, words.length - left)));
  const isShortened = (letters: string) => isSaid(letters) || isSaid(`${letters}s`);
  return parts.find(part => part.length >= 3 && isShortened(part.map(word => word.charAt(0)).join(''))) ?? [];
}

const beginningOf = (word: string) => stem(word).slice(0, 4);
/** The last parts of a compound. */
const possibleEndings = (word: string) =>
  Array.from({ length: Math.max(0, word.length - LONG_NAME) }, (_, at) => word.slice(at + 1));

/** A word without endings that it may have: up to a third of its letters, or half of a long or Slavic one. */
function possibleStems(word: string): string[] {
  const letters = [...word];
  const endings = letters.length > LONG_NAME || /\p{Script=Cyrillic}/u.test(word) ? 2 : 3;
  const most = Math.floor(letters.length / endings);
  const longest = Math.max(0, Math.min(most, letters.length - MIN_STEM_LENGTH));
  return Array.from({ length: longest + 1 }, (_, ending) => letters.slice(0, letters.length - ending).join(''));
}

function detectScripts(word: string): Script[] {
  return (Object.keys(SCRIPTS) as Script[]).filter(script => SCRIPTS[script].test(word));
}

function findMainScript(text: string): Script | undefined {
  const counts = Map.groupBy((text.match(WORDS) ?? []).flatMap(detectScripts), script => script);
  return [...counts].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0];
}

/** The words in the script that most of them are in: a name in another tells nothing of a text's language. */
export function keepMainScript(text: string): string {
  const main = findMainScript(text);
  const words = text.match(WORDS) ?? [];
  return words.filter(word => main && detectScripts(word).includes(main)).join(' ');
}

/** Letters by which the name of a country or language is known in every form: "deutsche", "Deutschland". */
const PLACE_STEM = 4;
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** All pairs of letters, any of which may be a country code with a name in Unicode CLDR. */
const REGION_CODES = LETTERS.flatMap(first => LETTERS.map(second => first + second));

/** Whether a word names a country or language that messages name by code or in theirs: "Ireland" for "IE", "Irland". */
function createPlaceCheck(texts: readonly string[], [spoken, written]: readonly [string, string]) {
  const named = once(() => {
    const words = new Set(texts.flatMap(text => text.match(WORDS_OF_LETTERS) ?? []));
    const stems = new Set([...words].map(beginningOfPlace));
    const isNamed = (name: string) => name.length >= PLACE_STEM && stems.has(beginningOfPlace(name));
    const byName = [...placesIn(spoken)].flatMap(([place, names]) => (names.some(isNamed) ? [place] : []));
    const byCode = REGION_CODES.filter(code => words.has(code));
    return new Set([...byName, ...byCode].flatMap(place => placesIn(written).get(place) ?? []));
  });
  return (word: string) => named().has(word.toLowerCase());
}

const beginningOfPlace = (word: string) => word.toLowerCase().slice(0, PLACE_STEM);

/** The words of their names by code, those of languages in small letters. */
const placesIn = oncePer((locale: string) => {
  const places = new Map<string, string[]>();
  for (const supported of Intl.DisplayNames.supportedLocalesOf(locale))
    for (const type of ['region', 'language'] as const) {
      const names = new Intl.DisplayNames(supported, { type, fallback: 'none' });
      for (const code of type === 'region' ? REGION_CODES : REGION_CODES.map(code => code.toLowerCase()))
        places.set(code, names.of(code)?.toLowerCase().match(WORDS_OF_LETTERS) ?? []);
    }
  return places;
});

/** The consonants of a word in Latin letters, each once in a row. */
function extractConsonants(word: string): string {
  const consonants = toLatinLetters(word).replace(/[aeiou]|(?<=.)[wy]/g, '');
  return consonants.replace(/(.)\1+/g, '$1');
}
