import { detectAll } from 'tinyld/light';
import { fold, toWords } from './cleaning.ts';
import { type Pack, packOf, stopwordsOf } from './languages/stopwords.ts';
import { LANGUAGES } from './languages/types.ts';

/** Number of characters that tell a language. */
const SAMPLE = 3000;
/** Scripts that belong to one language, or nearly so, and the share of the letters that tells it. */
const SCRIPTS: [script: RegExp, language: string, share: number][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja', 0.2],
  [/\p{Script=Hangul}/gu, 'ko', 0.3],
  [/\p{Script=Han}/gu, 'zh', 0.3],
  [/\p{Script=Hebrew}/gu, 'he', 0.3],
  [/\p{Script=Greek}/gu, 'el', 0.3],
  [/\p{Script=Thai}/gu, 'th', 0.3],
  [/\p{Script=Armenian}/gu, 'hy', 0.3],
  [/\p{Script=Georgian}/gu, 'ka', 0.3],
  [/\p{Script=Devanagari}/gu, 'hi', 0.3],
  [/[پچژگیک]/gu, 'fa', 0.08],
  [/\p{Script=Arabic}/gu, 'ar', 0.3],
];
const OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}\p{Script=Cyrillic}]/u;
/** Letters and endings that distinguish a language from similar ones. */
const LETTERS: [RegExp, string][] = [
  [/[ßäöü]/gu, 'de'],
  [/[ñ¿¡]/gu, 'es'],
  [/[çèêœùûëîï]|\b[cdjlmnst]'(?=\p{L})/gu, 'fr'],
  [/[ãõ]|ções?\b|ção\b/gu, 'pt'],
  [/[ыэъё]/gu, 'ru'],
  [/[іїєґ]/gu, 'uk'],
  [/[ąęłńśźż]/gu, 'pl'],
  [/[ğışöüç]/gu, 'tr'],
];
/** Languages here that share a script and are distinguished by words. */
const BY_WORDS = LANGUAGES.filter(code => !SCRIPTS.some(([, language]) => language === code));
/** Languages known here. In Cyrillic, Latin and Arabic, the library's answer counts for others only. */
const KNOWN_BY_WORDS = new Set<string>(BY_WORDS);

/** Enough stop words of one language, if the runner-up has at most half as many, to skip a second opinion. */
const CLEAR_VOTES = 12;

/** Languages that share their short words. */
const ROMANCE = new Set(['es', 'pt', 'fr', 'it']);

/** The votes by which another language must win for a message to be in another language than its day. */
const MIN_VOTE_MARGIN = 2;

/** ISO 639-1 of the language most of the texts are in, or 'und'. */
export function detectLanguage(texts: string[]): string {
  const sample = texts
    .join('\n')
    .slice(0, SAMPLE)
    .replaceAll(/https?:\S+|@\S+/g, ' ');
  const letters = countLetters(sample);
  if (letters < 2) return 'und';
  const byScript = detectByScript(sample, letters);
  if (byScript) return byScript;
  const votes = countVotes(fold(sample, 'und'));
  const [best, second] = [...votes].sort(([, a], [, b]) => b - a);
  if (best && best[1] >= CLEAR_VOTES && best[1] >= 2 * (second?.[1] ?? 0)) return best[0];
  const guess = detectAll(sample)[0];
  const library = guess?.lang ?? 'und';
  if (!best || best[1] < 2) return library === 'und' || library === '' ? (best?.[0] ?? 'und') : library;
  if (!KNOWN_BY_WORDS.has(library) && library !== 'und' && isStronger(library, best[1], sample)) return library;
  if (second && best[1] < second[1] * 1.2 && KNOWN_BY_WORDS.has(library) && (votes.get(library) ?? 0) >= best[1] * 0.8)
    return library;
  return best[0];
}

const countLetters = (text: string): number => [...text.replaceAll(/\P{L}+/gu, '')].length;

function detectByScript(text: string, letters = countLetters(text)): string | null {
  const found = SCRIPTS.find(([script, , share]) => (text.match(script)?.length ?? 0) > share * letters);
  return found?.[1] ?? null;
}

/** Whether a language outside {@link BY_WORDS} has at least as many stop words in the text as the best one in it. */
function isStronger(language: string, votes: number, sample: string): boolean {
  const stopwords = stopwordsOf(language);
  if (stopwords.size === 0) return votes < sample.length / 30;
  return toWords(fold(sample, language)).filter(word => stopwords.has(word)).length >= votes;
}

/** Languages by stop word, so that each word takes one look-up. */
const LANGUAGES_BY_STOPWORD = stopwordIndex();

function stopwordIndex(): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const code of BY_WORDS) {
    for (const word of stopwordsOf(code)) index.set(word, [...(index.get(word) ?? []), code]);
  }
  return index;
}

function countVotes(folded: string): Map<string, number> {
  const cyrillic = /\p{Script=Cyrillic}/u.test(folded);
  const codes = BY_WORDS.filter(code => cyrillic === ['ru', 'uk'].includes(code)) as string[];
  const votes = new Map(codes.map(code => [code, 0]));
  for (const word of toWords(folded)) {
    for (const code of LANGUAGES_BY_STOPWORD.get(word) ?? []) {
      const count = votes.get(code);
      if (count !== undefined) votes.set(code, count + 1);
    }
  }
  for (const [letters, code] of LETTERS) {
    const count = votes.get(code);
    if (count !== undefined) votes.set(code, count + (folded.match(letters)?.length ?? 0));
  }
  return votes;
}

/** The pack of the language a message is in: that of the day unless the message clearly speaks another of ours. */
export function detectPack(text: string, ofTheDay: Pack): Pack {
  const folded = fold(text, 'und');
  if (isMostlyStopwords(ofTheDay, folded)) return ofTheDay;
  // A line without kana in a Japanese conversation is not Chinese.
  const isByScript = SCRIPTS.some(([, language]) => language === ofTheDay.code);
  const byScript = !isByScript && OTHER_SCRIPT.test(folded) ? detectByScript(folded) : null;
  if (byScript) return packOf(byScript);
  // "Te lo mando" is Italian in an Italian conversation: so few words don't tell two Romance languages apart.
  if (
    ROMANCE.has(ofTheDay.code) &&
    toWords(folded).length < 5 &&
    !LETTERS.some(([letters, code]) => !(code === 'fr' && ofTheDay.code === 'it') && folded.search(letters) >= 0)
  )
    return ofTheDay;
  const votes = countVotes(folded);
  const own = votes.get(ofTheDay.code) ?? toWords(folded).filter(word => ofTheDay.stopwords.has(word)).length;
  let best = { code: ofTheDay.code, votes: own + MIN_VOTE_MARGIN - 1 };
  for (const [code, count] of votes) {
    const kinship = ROMANCE.has(code) && ROMANCE.has(ofTheDay.code) ? 1 : 0;
    if (count - kinship > best.votes) best = { code, votes: count };
  }
  return best.code === ofTheDay.code ? ofTheDay : packOf(best.code);
}

/** Whether at least half of the words are stop words of the language, so that it needs no comparison with others. */
function isMostlyStopwords(pack: Pack, folded: string): boolean {
  const words = toWords(folded);
  return words.length > 0 && 2 * words.filter(word => pack.stopwords.has(word)).length >= words.length;
}
