import { romanise } from './romanise.ts';

/** A word of a name: as written, with the dot behind it, and in small plain Latin letters where the alphabet allows it. */
export type Token = { written: string; key: string };

const MAX_TOKENS = 24;
const EDGES = /^[^\p{L}\p{M}\p{N}&]+|(?<![^\p{L}\p{M}\p{N}&])[^\p{L}\p{M}\p{N}&.]+\.*$/gu;
/** Suffixes that tell two generations of one name apart. */
const GENERATIONS = new Map(Object.entries({ junior: 'jr', senior: 'sr', '2nd': 'ii', '3rd': 'iii', '4th': 'iv' }));
/** Small words of family names. */
const PARTICLES = tokenKeys(`
  van von vom zu zur zum den der de del della dello degli di da do dos das du la le las los lo el al bin ibn ben bint abu ter
  ten te st ste san santa saint sint af av ni nic mac mc ait بن ابن أبو آل בן בר фон ван`);

/** The words of a text that was tidied, with `&` as a word of its own. */
export function splitNameTokens(text: string): Token[] {
  const apart = text.replace(/&/g, ' & ').replace(/(?<=\p{L}{2})\.(?=\p{L}{2})/gu, ' ');
  const words = apart.split(/[\s_,;!?*+=#"«»„“”]/).map(word => word.replace(EDGES, ''));
  const named = words.filter(word => word === '&' || /\p{L}/u.test(word));
  return named.slice(0, MAX_TOKENS).map(toToken);
}

export function toToken(written: string): Token {
  return { written, key: tokenKey(written) };
}

function tokenKey(written: string): string {
  const small = written.toLowerCase().replace(/[.']/g, '');
  return GENERATIONS.get(small) || romanise(small.replace(/[^\p{L}\p{M}]/gu, ''))[0] || small;
}

/** The keys of words that are compared with those of names. */
export function tokenKeys(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/).map(tokenKey));
}

export function isParticle({ key }: Pick<Token, 'key'>): boolean {
  return PARTICLES.has(key);
}

export function joinTokens(tokens: readonly Token[]): string {
  return tokens.map(({ written }) => written).join(' ');
}
