import { inSteps } from '../../../lib/inSteps.ts';
import { isGivenName } from '../../../lib/names/givenNames.ts';
import { romanise } from '../../../lib/names/romanise.ts';
import { fold } from '../cleaning.ts';
import type { Conversation } from '../conversation.ts';
import { isDayName } from '../days/names.ts';
import { packOf } from '../languages/pack.ts';

/** What is between spaces, quotation marks and brackets; signs of Chinese and Japanese apart from other letters. */
const TOKEN =
  /[^\s"“”„«»‹›「」『』()[\]{}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+/gu;
const EDGES = /^[^\p{L}\p{N}@#]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;
/** "Rosa's", "Gizem'e" and "PayPal-Ausfall" are of several words. */
const JOINT = /['’`´\-‐‑–—/&]/u;
const PARTS = /[\p{L}\p{M}\p{N}]+/gu;
const AT_BEGINNING = /(?:^|[.!?:…–—"“„«(-]\s*)$/u;

/**
 * What no language joins words with, unlike "-", "'", "." and "/": a handle's "_", a host's ":" and "%", a picture in place
 * of a dot.
 */
const ODDLY_JOINED = /[\p{L}\p{N}][^\p{L}\p{M}\p{N}\p{Cf}'’`´.\-‐‑–—/&·・־׳״+°²³]+\p{L}|\/\/|[@#]\p{L}/u;
/** "DocuSign", but not the unit "kW". */
const INNER_CAPITAL = /\p{Ll}\p{Lu}./u;
/** "Q4", "20h", "14h30" and "3rd"; "bc1q…" and "hunter2" are no words. */
const PLAIN_WITH_FIGURES = /^(?:\p{L}{1,3}[-.]?\p{Nd}+|[\p{Nd}.,:/-]+[-.]?\p{L}{1,3}|\p{Nd}{1,2}\p{L}{1,3}\p{Nd}{2})$/u;
/** Letters that are signs: 🅐, ⓐ. */
const ENCLOSED = /[\u2460-\u24FF\u{1F100}-\u{1F1E5}]/u;
/** Letters one by one are a word that was not to be seen. */
const SPELLED_OUT = /(?<![\p{L}\p{M}\p{N}])\p{L}(?:[ .·•_-]{1,3}\p{L}(?![\p{L}\p{M}\p{N}])){3,40}/u;
/** Figures in a row; a single one may be part of a name. */
const ROMAN_ROW = /(?<![\p{L}\p{N}])[IVXLCDM]+(?:[ -][IVXLCDM]+(?![\p{L}\p{N}])){1,20}/u;

const SCRIPTS = {
  latin: /\p{Script=Latin}/u,
  cyrillic: /\p{Script=Cyrillic}/u,
  greek: /\p{Script=Greek}/u,
  arabic: /\p{Script=Arabic}/u,
  hebrew: /\p{Script=Hebrew}/u,
  chinese: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
};
type Script = keyof typeof SCRIPTS;

/** Characters of a day by which its script is told. */
const ENOUGH = 10_000;
/** A name may have another ending: "Марине" is Марина. Letters. */
const SHORTEST_STEM = 3;
const LONGEST_ENDING = 3;
/** "Сергеичу" is Сергеевич. */
const LONG_NAME = 7;

type Said = {
  texts: readonly string[];
  conversation: Conversation;
  /** ISO 639-1 of the model's text, where that is not the conversation's language. */
  writtenIn?: string;
};

/**
 * Finds the words of a model's text that can only come from someone's message and that no one wrote: of a form that no
 * ordinary word has (handles, codes, addresses spelled out), in another script, and names. Names are known by their
 * capitals; in languages that have none, or have them for all nouns, only common given names are.
 * @param isTitle whether any word of the text may have a capital
 */
export async function createWordCheck(said: Said): Promise<(text: string, isTitle?: boolean) => string[]> {
  const { pack: spoken, language } = said.conversation;
  const { writtenIn = language } = said;
  const pack = writtenIn === language ? spoken : packOf(writtenIn);
  const { isSaid, isSaidName } = await readWordsSaid(said);
  const usual = mostUsed(said.texts.join(' ').slice(0, ENOUGH));
  const days = new Set([writtenIn, language, 'en'].flatMap(calendarNames));
  const isDay = (word: string) => days.has(word.toLowerCase()) || isDayName(word, pack.code);
  const isOrdinary = (word: string) => isDay(word) || pack.stopwords.has(fold(word, pack.code));

  return (text, isTitle = false) => {
    const plain = text.normalize('NFKC');
    const scripts = [usual, mostUsed(plain)];
    const isName = (word: string, index: number) => {
      if (!/^\p{Lu}\p{M}*\p{Ll}/u.test(word) || isOrdinary(word)) return false;
      if (isTitle) return romanise(word).some(isGivenName);
      if (AT_BEGINNING.test(plain.slice(Math.max(0, index - 4), index))) return false;
      return !pack.nounsCapitalized || romanise(word).some(isGivenName);
    };
    const isOdd = (word: string) => {
      const isCode = /\p{Nd}/u.test(word) && /\p{L}/u.test(word) && !PLAIN_WITH_FIGURES.test(word);
      const isOfOtherScript = [...word].length > 1 && scriptsOf(word).some(script => !scripts.includes(script));
      return (isCode || isOfOtherScript || INNER_CAPITAL.test(word)) && !isSaid(word);
    };
    const found = [...plain.matchAll(TOKEN)].filter(({ 0: token, index }) => {
      const word = token.replaceAll(EDGES, '');
      if (word === '' || isSaid(word)) return false;
      const [head = '', ...others] = word.split(JOINT);
      const isNewName = isName(head, index) && !isSaidName(head);
      return isNewName || ODDLY_JOINED.test(token) || [head, ...others].some(isOdd);
    });
    const runs = [SPELLED_OUT.exec(plain), ROMAN_ROW.exec(plain), ENCLOSED.exec(text)].flatMap(run => run?.[0] ?? []);
    return [...found.map(([token]) => token), ...runs.filter(run => !isSaid(run))];
  };
}

/** Compares words with those of messages and with people's names, in any script. */
async function readWordsSaid({ texts, conversation: { names, speakers, pack } }: Said) {
  const nextStep = inSteps();
  const formsOf = (word: string) => [fold(word, pack.code), ...romanise(word)];
  const known = new Set(names.words);
  const stems = new Set([...known].flatMap(stemsOf));
  for (const text of [...texts, ...speakers, names.user, names.peer]) {
    const tokens = text.normalize('NFKC').match(TOKEN) ?? [];
    const words = tokens.flatMap(token => [token.replaceAll(EDGES, ''), ...(token.match(PARTS) ?? [])]);
    for (const form of new Set(words).values().flatMap(formsOf)) {
      await nextStep();
      known.add(form);
      for (const stem of stemsOf(form)) stems.add(stem);
    }
  }
  const isSaidName = (word: string) => formsOf(word).some(form => stemsOf(form).some(stem => stems.has(stem)));
  return { isSaid: (word: string) => formsOf(word).some(form => known.has(form)), isSaidName };
}

/** A word without endings that it may have: none shorter than {@link SHORTEST_STEM}, or than half of a long one. */
function stemsOf(word: string): string[] {
  const letters = [...word];
  const most = letters.length > LONG_NAME ? Math.floor(letters.length / 2) : LONGEST_ENDING;
  const longest = Math.max(0, Math.min(most, letters.length - SHORTEST_STEM));
  return Array.from({ length: longest + 1 }, (_, ending) => letters.slice(0, letters.length - ending).join(''));
}

function scriptsOf(word: string): Script[] {
  return (Object.keys(SCRIPTS) as Script[]).filter(script => SCRIPTS[script].test(word));
}

function mostUsed(text: string): Script | undefined {
  const counts = Map.groupBy((text.match(PARTS) ?? []).flatMap(scriptsOf), script => script);
  return [...counts].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0];
}

/** The words in the script that most of them are in: a name in another tells nothing of a text's language. */
export function inMainScript(text: string): string {
  const main = mostUsed(text);
  const words = text.match(PARTS) ?? [];
  return words.filter(word => main && scriptsOf(word).includes(main)).join(' ');
}

/** Of months and days of the week, in lower case; none of a language that the Unicode CLDR does not know. */
function calendarNames(language: string): string[] {
  const [locale] = Intl.DateTimeFormat.supportedLocalesOf(language);
  if (locale === undefined) return [];
  const format = (field: 'month' | 'weekday') =>
    new Intl.DateTimeFormat(locale, { [field]: 'long', timeZone: 'UTC', calendar: 'gregory' });
  const [month, weekday] = [format('month'), format('weekday')];
  return Array.from({ length: 12 }, (_, at) => [
    month.format(Date.UTC(2026, at, 1)),
    weekday.format(Date.UTC(2026, 0, at + 1)),
  ])
    .flat()
    .map(name => name.toLowerCase());
}
