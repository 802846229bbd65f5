import { oncePer } from './once.ts';

/**
 * The attributes `lang` and `dir` of an element whose text is in a language, as markup: a name in another script at its
 * beginning doesn't reverse the text. Where the language can't be told, the first letter decides.
 * @param language ISO 639-1
 */
export function writtenIn(language: string | undefined): string {
  if (!language || !/^[a-z]{2}$/.test(language)) return 'dir="auto"';
  return `lang="${language}" dir="${directionOf(language)}"`;
}

const directionOf = oncePer((language: string) => new Intl.Locale(language).getTextInfo?.().direction ?? 'ltr');

const RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const LEFT = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;
const JOINS = /[\p{L}\p{M}\p{Nd}]/u;

/** A name for use in our own sentences: one written from right to left doesn't reverse what follows it. */
export function isolated(name: string): string {
  return RIGHT.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * A text that mixes both directions of writing, with each mention of a name isolated, so that what follows it (a colon,
 * a number, a date) stays where it belongs. Uses marks, which plain text has, too (FSI and PDI: UAX 9, 2.4).
 * Other texts are returned unchanged.
 */
export function isolateName(text: string, name: string): string {
  if (!RIGHT.test(text) || !LEFT.test(text)) return text;
  const [first = ''] = name.split(' ', 1);
  return isolateEach(text, name, rest => (first === name ? rest : isolateEach(rest, first, same => same)));
}

/** @param between transforms the text around the mentions */
function isolateEach(text: string, name: string, between: (rest: string) => string): string {
  if (name.length < 2) return between(text);
  let done = '';
  let from = 0;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const isWhole = !JOINS.test(text.charAt(at - 1)) && !JOINS.test(text.charAt(at + name.length));
    if (!isWhole) continue;
    done += `${between(text.slice(from, at))}\u2068${name}\u2069`;
    from = at + name.length;
  }
  return done + between(text.slice(from));
}

/** Words as someone wrote them. `by`: their name; '' where a page already says who it is. */
export type QuotedLine = { by: string; words: string; isAnswer: boolean; day?: string };

/** The same as plain text: `↳ You: yes, you have it on Monday`. */
export function quoteText({ by, words, isAnswer }: QuotedLine): string {
  return `${isAnswer ? '↳ ' : ''}${by && `${isolated(by)}: `}${words}`;
}
