import { isKnownGivenName } from './givenNames.ts';
import { isParticle } from './particles.ts';
import { type Token, tokenOf } from './tokens.ts';

/** Georgian has capitals, too, but no name begins with one. */
const WITH_CAPITALS = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;

/**
 * Capitalizes words as names are, if all of them are in small letters or all in capitals: anna petrova, ANNA PETROVA.
 * A single word only when it is a known given name: IBM stays.
 */
export function properCase(names: readonly Token[]): readonly Token[] {
  const text = names.map(({ written }) => written).join('');
  if (names.length === 2 && names.some(isShouted) && names.some(hasSmallLetters)) {
    return names.map(name => (isShouted(name) ? capitalised(name) : name));
  }
  const isOneCase = text === text.toLowerCase() || text === text.toUpperCase();
  if (!isOneCase || !WITH_CAPITALS.test(text)) return names;
  const [first] = names;
  if (names.length === 1 && !(first && isKnownGivenName(first.key))) return names;
  return names.map((name, at) => (at > 0 && isParticle(name.key) ? inSmall(name) : capitalised(name)));
}

/** PETROVA Anna; a short word in capitals may be an abbreviation. */
function isShouted({ written }: Token): boolean {
  return written.length > 4 && written === written.toUpperCase() && written !== written.toLowerCase();
}

function hasSmallLetters({ written }: Token): boolean {
  return /\p{Ll}/u.test(written);
}

function inSmall({ written }: Token): Token {
  return tokenOf(written.toLowerCase());
}

function capitalised({ written }: Token): Token {
  const letters = written.toLowerCase().replace(/(?:^|[-'.])\p{L}/gu, start => start.toUpperCase());
  return tokenOf(letters.replace(/^Mc\p{L}/u, start => `Mc${start.charAt(2).toUpperCase()}`));
}
