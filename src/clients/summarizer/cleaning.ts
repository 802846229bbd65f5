import { withoutInvisible } from '../../lib/visibleText.ts';
import type { Pack } from './languages/stopwords.ts';
import { shortenLinksToHosts } from './links.ts';
import { maskSecrets } from './masking/maskSecrets.ts';

const MARKUP =
  /<(script|style)\b[^<>]{0,300}>(?:(?!<(?:script|style)\b)[\s\S]){0,2000}?<\/\1>|<\/?[a-z!][^<>]{0,300}>|<!--(?:(?!<!--)[\s\S]){0,2000}?-->/gi;
const MARKUP_BEGINS = /<(?=[a-z!/?])/gi;
const TAG_LAYERS = 4;
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', amp: '&' };

/** Plain English text has only visible characters. */
const NOT_PLAIN = /[^\n -~]/;

/** A text without the characters that don't show. Line breaks stay. */
export function withoutHiddenCharacters(text: string): string {
  return NOT_PLAIN.test(text) ? withoutInvisible(text).normalize('NFC') : text;
}

/** Removes markup, also if encoded as entities or formed by removing other tags. */
export function withoutMarkup(text: string): string {
  let [before, bare] = ['', withoutEntities(text)];
  if (!bare.includes('<')) return bare;
  for (let layer = 0; layer < TAG_LAYERS && bare !== before; layer += 1) {
    [before, bare] = [bare, bare.replaceAll(MARKUP, ' ')];
  }
  return bare.replaceAll(MARKUP_BEGINS, '‹');
}

/** Keeps the words of images and links, and nothing of fences and headings. */
export function withoutMarkdown(text: string): string {
  return text
    .replaceAll(/!?\[([^\]\n]{0,300})\]\s?\([^)\n]{0,2000}\)/g, '$1')
    .replaceAll(/!?\[([^\]\n]{0,300})\]\s?\[[^\]\n]{0,100}\]/g, '$1')
    .replaceAll('![', '[')
    .replaceAll('](', '] (')
    .replaceAll(/`{3,}[a-z]*/gi, ' ')
    .replaceAll(/^\s{0,3}(?:#{1,6}|[-*+]|>+)\s+/gm, '')
    .replaceAll(/(\*\*|__|~~|`)(?=\S)([^\n]{0,500}?\S)\1/g, '$2')
    .replaceAll(/(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]{1,300})\*(?![\p{L}\p{N}*])/gu, '$1')
    .replaceAll('`', "'");
}

/** {@link withoutHiddenCharacters} without markup and secrets, links cut down to their host: what may be quoted. */
export function cleanText(text: string): string {
  const plain = withoutMarkup(withoutHiddenCharacters(text)).replaceAll(WIDE_SPACE, ' ');
  return maskSecrets(shortenLinksToHosts(rejoinContractions(plain)))
    .replaceAll(WIDE_SPACE, ' ')
    .replaceAll(/ ?\n\s*/g, '\n')
    .trim();
}

/** Space within a line that isn't a single plain one: lone spaces, which most are, need no replacing. */
export const WIDE_SPACE = / [^\S\n]+|[^\S\n ][^\S\n]*/g;

/** Digits of other scripts, each series starting at its zero. */
const OTHER_DIGITS = /[٠-٩۰-۹０-９]/g;

/** Anything but plain letters, digits and marks with single spaces between them. */
const TO_FOLD = /[^ !-_a-~]| {2}/;

/** Text to compare and match with: lower case, straight apostrophes, plain digits, single spaces. */
export function fold(text: string, language: string): string {
  const lower = language === 'tr' ? text.toLocaleLowerCase('tr') : text.toLowerCase();
  if (!TO_FOLD.test(lower)) return lower.trim();
  return lower
    .replaceAll(OTHER_DIGITS, digit => `${(digit.codePointAt(0) ?? 0) & 15}`)
    .replaceAll(/[’‘`´ʼ]/g, "'")
    .replaceAll(/ \s+|[^\S ]\s*/g, ' ')
    .trim();
}

/** A text in which letters have no accents, each at its place. */
export function withoutAccents(text: string): string {
  const plain = text.normalize('NFC').replaceAll(/[أإآ]/g, 'ا');
  return plain.replaceAll(/[à-öø-ÿā-žǎ-ǿșțά-ώ]/g, letter => letter.normalize('NFD').charAt(0));
}

/** Rejoins contractions with spaces around the apostrophe, as in "I ' m" and "don ' t". */
function rejoinContractions(text: string): string {
  if (!/ ['’]/.test(text)) return text;
  const tail = / ?['’] ?(s|t|m|d|re|ve|ll)\b/giu;
  return text.replaceAll(/\p{L} ['’] ?(?:s|t|m|d|re|ve|ll)\b/giu, found =>
    found.replace(tail, (_, end: string) => `'${end.toLowerCase()}`),
  );
}

function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  const decoded = text
    .replaceAll(/&#x([\da-f]{1,6});/gi, (_, code: string) => decodeCharacter(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d{1,7});/g, (_, code: string) => decodeCharacter(Number(code)))
    .replaceAll(/&(lt|gt|quot|apos|nbsp|amp);/gi, (_, name: string) => ENTITIES[name.toLowerCase()] ?? ' ');
  return withoutHiddenCharacters(decoded);
}

const decodeCharacter = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : ' ');

/**
 * Symbols with which excerpts mark answers, completed work and attachments, and lookalike arrows and ticks. Removed from
 * people's words, which could otherwise forge statements. Also the "!" that turns a link into an image in Markdown.
 */
const EXCERPT_SIGNS =
  /[\u21AA-\u21B3\u2713\u2714\u2610-\u2612\u2705\u25F7\u2937\u2BA1\u{1F4CE}\u{1F4F7}\u{1F3A4}\u{1F3AC}\u{1F4CD}\u{1F464}\u{1F4CA}]|!(?=\[)/gu;

/** A text on one line and without signs. Invisible characters and those that turn the direction are gone already. */
export const toPlainLine = (text: string): string => text.replaceAll(EXCERPT_SIGNS, ' ').replaceAll(/\s+/g, ' ').trim();

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'-]*/gu;
/** Scripts that write without spaces, or nearly so. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const STEM_LENGTH = 5;
const unspaced = new Intl.Segmenter('ja', { granularity: 'word' });

export function toWords(folded: string): string[] {
  if (!UNSPACED.test(folded)) return folded.match(WORD) ?? [];
  return [...unspaced.segment(folded)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** Japanese uses these where other languages have endings and small words. */
const ENDING = /^\p{Script=Hiragana}{1,4}$/u;

/** Words that mean something by themselves: no stop words, no lone letters of an alphabet. */
export function contentWords(words: string[], pack: Pack): string[] {
  return words.filter(
    word =>
      !pack.stopwords.has(word) && !ENDING.test(word) && (word.length > 1 ? /\p{L}|\d\d/u.test(word) : UNSPACED.test(word)),
  );
}

/** The stems of a text's words in an unknown language. @param shortest words with fewer letters are left out */
export function stemsIn(text: string, shortest = 1): Set<string> {
  const words = toWords(fold(text, 'und')).filter(word => word.length >= shortest);
  return new Set(words.map(stem));
}

/** A rough stem for any language: the beginning of the word. */
export function stem(word: string): string {
  const bare = word.includes("'") ? word.replace(/'\p{L}{1,2}$/u, '') : word;
  if (bare.length > STEM_LENGTH) return bare.slice(0, STEM_LENGTH);
  return bare.endsWith('s') ? bare.replace(/(?<=\p{L}{3})s$/u, '') : bare;
}
