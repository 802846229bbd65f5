import { oncePer } from '../../lib/once.ts';

/** Marks a question; in Greek, a semicolon does. */
export const QUESTION_MARK = /[?？؟]|\p{Script=Greek}\P{L}{0,3};/u;

/** Abbreviations after which a sentence goes on, in the languages we know. */
const GOES_ON =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|nr|vs|e\.g|i\.e|z\.b|bzw|ca|ggf|usw|inkl|sr|sra|dra|núm|etc|p\.ex|м|г|ул|т\.е|т\.д|np|tzw|ul|sn|dk|approx|incl|excl|ext|max|min|mins|hrs|dept|inc|ltd|corp|avg|qty|attn|sept|tel|tél|réf|ref|rif|art|pag|pág|sig|dott|ing|avv|geom|spett|gent|sett|fatt|cod|ecc|obs|eng|exmo|janv|févr|fév|juil|déc|nov|dic|cad|sok|mah|blv)\.$/iu;

/** Months where the number of the day has a dot. */
const MONTH =
  /^(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|styc|lut|mar|kwie|maj|czer|lip|sierp|wrze|paź|list|grud)/iu;

/** Characters. Longer text without punctuation is split, so that rules with quadratic time stay fast. */
export const MAX_SENTENCE_LENGTH = 600;
/** Parts of at most {@link MAX_SENTENCE_LENGTH} characters, cut between words if possible. */
const PART = /[\s\S]{1,600}(?:\s|$)|[\s\S]{600}/gu;

/** The sentences of a text, line by line. Never cuts in the middle of an abbreviation, an address or a number. */
export function splitSentences(text: string, language: string): string[] {
  return text
    .split('\n')
    .flatMap(line => joinBroken(rawSentences(line, language)))
    .flatMap(sentence => (sentence.length > MAX_SENTENCE_LENGTH ? splitLongSentence(sentence) : sentence));
}

function splitLongSentence(sentence: string): string[] {
  return (sentence.match(PART) ?? []).map(part => part.trim()).filter(Boolean);
}

/** "See you tomorrow. 14 people?": the segmenter begins no sentence with a number. */
const NUMBER_BEGINS = /(?<=\p{L}{5}[.!?]) (?=\d)/u;

/** "he is off until thursday. i'll tell you friday": the segmenter begins no sentence with a small letter. */
const SMALL_BEGINS: Record<string, RegExp> = {
  en: /(?<=(?:\p{L}{3}|\d{2})\.) (?=\p{Ll})/u,
  ...Object.fromEntries(['fr', 'it', 'pt', 'tr'].map(code => [code, /(?<=\p{L}{3}\.) (?=\p{Ll})/u])),
};

function rawSentences(line: string, language: string): string[] {
  // Most chat lines have at most one mark and need no segmenter.
  if (!/[.!?…。！？؟।][^.!?…。！？؟।]/u.test(line)) return line.trim() ? [line.trim()] : [];
  const smallBegins = SMALL_BEGINS[language];
  return [...segmenterOf(language).segment(line)]
    .flatMap(({ segment }) => (NUMBER_BEGINS.test(segment) ? segment.split(NUMBER_BEGINS) : segment))
    .flatMap(segment => (smallBegins?.test(segment) ? segment.split(smallBegins) : segment))
    .map(part => part.trim())
    .filter(Boolean);
}

const segmenterOf = oncePer(
  (language: string) => new Intl.Segmenter(language === 'und' ? 'en' : language, { granularity: 'sentence' }),
);

/** Rejoins what the segmenter splits: it cuts "Dr. Smith" in two and makes lone dots ("Let me see. . .") sentences. */
function joinBroken(parts: string[]): string[] {
  const whole: string[] = [];
  for (const part of parts) {
    const previous = whole.at(-1);
    const continues = previous !== undefined && belongsToPrevious(previous, part);
    if (continues) whole.splice(-1, 1, `${previous} ${part}`);
    else whole.push(part);
  }
  return whole.map(tidyDots);
}

/** Characters. An end that {@link GOES_ON} knows is no longer. */
const MAX_END_LENGTH = 12;

function belongsToPrevious(whole: string, part: string): boolean {
  const previous = whole.slice(-MAX_END_LENGTH);
  // "27. November": an ordinal, unless a list begins.
  const ordinal = /(?:^|[^\d.,])\d{1,2}\.$/.test(previous) && /^\p{L}/u.test(part) && MONTH.test(part);
  const listed = /[,:;]\s+\d{1,2}\.$/.test(previous);
  return ordinal || listed || GOES_ON.test(previous) || !/[\p{L}\p{N}]/u.test(part);
}

function tidyDots(sentence: string): string {
  if (!/\.\s?\.|\s[,.!?;:…]/.test(sentence)) return sentence;
  return sentence.replaceAll(/(?:\s?\.){2,}/g, '…').replaceAll(/(?<!\s)\s+([,.!?;:…])/g, '$1');
}
