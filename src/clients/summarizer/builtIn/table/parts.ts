import { fold } from '../../cleaning.ts';
import type { Sentence } from '../../conversation.ts';
import { type Lexicon, plain } from '../../languages/lexicon.ts';

export type Word = { text: string; low: string };
export type Grammar = NonNullable<Lexicon['grammar']>;
/** What stands between two marks, or on one side of an "and" with a verb on either side. */
export type Part = {
  text: string;
  words: Word[];
  folded: string;
  isQuestion: boolean;
  /** Continues after an "and": what leads the part before it applies to this one, too. */
  goesOn: boolean;
};

const WORD =
  /(?<![\p{L}\p{N}.,])\d{1,9}(?:[.,]\d{1,3}){0,3} ?[%€](?![\p{L}\p{N}])|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’.:-]|,(?=\d))*/gu;
const MARKS =
  /[;!?…()–—"“”„«»\n。！？、，；：؟،؛（）「」]|:(?!\d)|(?<!(?<!\d)\d{1,2})\.(?!\d)|,(?!\d)| - |\p{Extended_Pictographic}/u;
/** "1.", "2)", "•" before an entry of a list. */
const BULLET = /^\s*(?:[-–—•*]\s+|\d{1,2}[.)]\s+)/u;

export function partsOf(text: string, { isQuestion }: Sentence, lexicon: Lexicon, grammar: Grammar): Part[] {
  const { code } = lexicon;
  const whole = withoutCommasOfClauses(withElisionsApart(text, grammar), grammar);
  const marked = withoutAsides(whole.replace(BULLET, ''), lexicon, grammar)
    .split(MARKS)
    .map(part => part.trim())
    .filter(Boolean);
  // "I'll book for the 13th, how many are we?": only its end asks.
  const asksAtEnd = marked.length > 1 && lexicon.acts.question.test(fold(marked.at(-1) ?? '', code));
  return marked.flatMap((part, index) => {
    const words = wordsIn(index === 0 ? uncapitalized(part, lexicon, grammar) : part, code).flatMap((word, at, all) =>
      isBehindVerb(all.slice(0, at), lexicon, grammar) ? word : detached(word, lexicon, grammar),
    );
    return splitAtAnd(words, lexicon, grammar).map((of, at) => ({
      text: of.map(word => word.text).join(' '),
      words: of,
      folded: fold(of.map(word => word.text).join(' '), code),
      isQuestion: isQuestion && !(asksAtEnd && index < marked.length - 1),
      goesOn: at > 0,
    }));
  });
}

/** "L'envoie" is two words. */
function withElisionsApart(text: string, { elided }: Grammar): string {
  if (elided.length === 0) return text;
  return text.replaceAll(/(?<![\p{L}\p{M}'])(\p{L}{1,4})['’](?=\p{L})/gu, (both, word: string) =>
    elided.includes(word.toLowerCase()) ? `${word}' ` : both,
  );
}

/** "Ich prüfe, ob das geht" is one part. */
function withoutCommasOfClauses(text: string, { embeds }: Grammar): string {
  if (embeds.length === 0) return text;
  return text.replaceAll(/, (?=(\p{L}{1,12}) )/gu, (comma, word: string) =>
    embeds.includes(word.toLowerCase()) ? ' ' : comma,
  );
}

/** "Send, please, the file": an empty phrase between two commas doesn't split the sentence. */
function withoutAsides(text: string, { acts, code }: Lexicon, { particles }: Grammar): string {
  return text.replaceAll(/, ?([\p{L} ]{3,16}),/gu, (whole, words: string, at: number) =>
    !acts.smallTalk.test(fold(text.slice(0, at), code)) &&
    words
      .toLowerCase()
      .split(' ')
      .every(word => particles.includes(word))
      ? ' '
      : whole,
  );
}

/** A capital alone doesn't make the first word of a sentence a name. */
function uncapitalized(part: string, { code, stopwords, verbs, nounLead }: Lexicon, { lowersFirst }: Grammar): string {
  const [first = '', next = ''] = part.split(' ');
  const low = fold(first, code);
  const isPlain = /^\p{Lu}[\p{Ll}'’]*$/u.test(first) && !/^\p{Lu}/u.test(next);
  const isKnown = stopwords.has(low) || verbs.has(low) || nounLead.includes(low);
  return isPlain && (isKnown || lowersFirst) ? `${first.charAt(0).toLowerCase()}${part.slice(1)}` : part;
}

function wordsIn(text: string, code: string): Word[] {
  return [...text.matchAll(WORD)].map(([word], at, all) => {
    // "Am 4. November" keeps its dot.
    const isOrdinal = /^\d{1,2}\.$/.test(word) && at < all.length - 1;
    const bare = isOrdinal ? word : word.replace(/(?<![.:'’-])[.:'’-]+$/u, end => (/^['’]$/.test(end) ? end : ''));
    return { text: bare, low: fold(bare, code) };
  });
}

const BINDING = ['mine', 'asked', 'infinitive', 'does'] as const;

/** At each "and" with a verb on either side of it. */
function splitAtAnd(words: Word[], { verbs }: Lexicon, { and }: Grammar): Word[][] {
  const isVerb = ({ low }: Word) => verbs.get(low)?.some(({ roles }) => BINDING.some(role => roles.has(role))) ?? false;
  const parts: Word[][] = [[]];
  for (const [at, word] of words.entries()) {
    const last = parts.at(-1) ?? [];
    if (and.includes(word.low) && last.some(isVerb) && words.slice(at + 1).some(isVerb)) parts.push([]);
    else last.push(word);
  }
  return parts;
}

/** "Passo a ritirarlo": what follows another verb and its preposition stays as it is. */
function isBehindVerb(before: Word[], { verbs }: Lexicon, { elided, prepositions, ask, will, can, offers }: Grammar) {
  if (elided.length === 0 || !prepositions.includes(before.at(-1)?.low ?? '')) return false;
  const said = before.map(({ low }) => low).join(' ');
  return before.some(({ low }) => verbs.has(low)) && ![ask, will, can, offers].some(cue => cue.test(said));
}

/** "Aviso-os": without its hyphen it is the ending of any noun. */
const NEEDS_HYPHEN = /^[oa]s?$/u;

/** Splits "mándamelo" into "me lo manda". */
function detached(word: Word, { verbs }: Lexicon, { enclitics }: Grammar): Word[] {
  const { low } = word;
  if (enclitics.length === 0 || verbs.has(low)) return [word];
  const cut = (from: string) =>
    enclitics
      .filter(end => from.endsWith(NEEDS_HYPHEN.test(end) ? `-${end}` : end))
      .map(end => [from.slice(0, -end.length).replace(/-$/, ''), end] as const);
  const verbOf = (base: string) =>
    [base, plain(base), `${base}e`, `${plain(base)}r`].find(form => base.length > 1 && verbs.has(form));
  for (const [base, last] of cut(low)) {
    const verb = verbOf(base);
    if (verb) return [last, verb].map(text => ({ text, low: text }));
    for (const [inner, first] of cut(base)) {
      const innerVerb = verbOf(inner);
      if (innerVerb) return [first, last, innerVerb].map(text => ({ text, low: text }));
    }
  }
  return [word];
}
