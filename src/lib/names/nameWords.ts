import { isParticle } from './particles.ts';
import { isLatin, romanise, romanKey } from './romanise.ts';
import type { Token } from './tokens.ts';

/** A word of a name, in the forms that two names are compared by. */
export type Word = {
  /** Small letters, accents kept. */
  text: string;
  /** In plain Latin letters where the alphabet allows it, the commonest way first. Never empty. */
  forms: readonly string[];
  /** See {@link romanKey}. */
  keys: readonly string[];
  isLatin: boolean;
  isInitial: boolean;
  isParticle: boolean;
  /** Was joined to its neighbour with a hyphen. */
  isJoined: boolean;
};

const MOST_WORDS = 8;
/** All ways to write the first word of Saint Clair. */
const SAINTS = new Set(['saint', 'st', 'sankt']);

/** A name's words as they are looked up: small letters, hyphens and apostrophes kept. */
export function smallWords(names: readonly Token[]): string[] {
  return names
    .flatMap(({ written }) => written.toLowerCase().split('.'))
    .map(part => part.replace(/[^\p{L}\p{M}'-]/gu, ''))
    .filter(part => /\p{L}/u.test(part))
    .slice(0, MOST_WORDS);
}

export function wordsOf(smalls: readonly string[]): Word[] {
  return smalls
    .flatMap(small => {
      const parts = small.split('-').filter(part => /\p{L}/u.test(part));
      return parts.map(part => wordOf(part, parts.length > 1));
    })
    .slice(0, MOST_WORDS);
}

function wordOf(part: string, isJoined: boolean): Word {
  const text = part.replaceAll("'", '');
  const forms = SAINTS.has(text) ? ['saint', 'st'] : romanise(text);
  const main = forms[0] ?? text;
  return {
    text,
    forms: forms.length > 0 ? forms : [text],
    keys: [...new Set(forms.map(romanKey))],
    isLatin: isLatin(text),
    isInitial: /^[a-z]+$/.test(main) && [...text].length === 1,
    isParticle: isParticle(main),
    isJoined,
  };
}
