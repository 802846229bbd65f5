import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import type { Pattern } from './collected.ts';

/** Characters: the longest message the messenger delivers. */
const LONGEST = 4096;
const SEPARATORS = ['', ' ', '\n', '-', ': ', ' 1', ' 12345 ', '. ', ' x '];
/** Runs of one character, which words don't hold. */
export const RUNS = [
  ' ',
  '\n',
  '\t',
  '\n ',
  '-',
  '_',
  '.',
  ',',
  '"',
  "'",
  '*',
  '#',
  '<',
  '[',
  '(',
  '{',
  '/',
  '@',
  '&',
  ':',
  '=',
  '1',
  '1 ',
  '1.',
  'a',
  'a ',
  'a-',
  'a.',
  'á',
  'я',
  '好',
  'ﷺ',
  '<a',
  '<!--',
  '<script>',
  '![',
  'http://',
  '+',
  '\u200b',
  '👍',
].map(filled);

export function filled(piece: string): string {
  return piece === '' ? '' : piece.repeat(Math.ceil(LONGEST / piece.length)).slice(0, LONGEST);
}

/** The words a pattern looks for and the characters of its classes, each as itself. */
export function piecesOf({ source, flags }: Pattern): { words: string[]; characters: string[] } {
  const words = new Set<string>();
  const characters = new Set<string>();
  visitRegExpAST(new RegExpParser().parseLiteral(`/${source}/${flags}`), {
    onAlternativeEnter({ elements }) {
      let word = '';
      for (const element of [...elements, undefined]) {
        const piece = element && textOf(element);
        if (piece !== undefined) word += piece;
        else if (word !== '') {
          (word.length > 1 ? words : characters).add(word);
          word = '';
        }
      }
    },
    onCharacterClassEnter({ elements }) {
      for (const element of elements)
        if (element.type === 'Character')
          characters.add(element.raw.length === 1 ? element.raw : String.fromCodePoint(element.value));
    },
  });
  return { words: [...words], characters: [...characters] };
}

function textOf(element: AST.Element): string | undefined {
  if (element.type === 'Character') return String.fromCodePoint(element.value);
  if (element.type === 'Quantifier' && element.min > 0) return textOf(element.element);
  if (element.type === 'CharacterSet')
    return { space: ' ', digit: '1', word: 'a', any: 'a', property: '' }[element.kind];
  return undefined;
}

/** A word over and over, with each separator between, or with one of them by turns. */
export function repeated(word: string, turn?: number): string[] {
  const separators = turn === undefined ? ['', ' ', '\n', ' 1'] : [SEPARATORS[turn % SEPARATORS.length]];
  return separators.map(separator => filled(word + separator));
}
