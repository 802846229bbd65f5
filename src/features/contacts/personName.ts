/** How a messenger name becomes words to search for, and the two names of a new contact. */

export type TwoNames = { firstname: string; lastname: string };

const BRACKETS = /\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/gu;
/** What no name is written with: emoji, quotes, stars. */
const NO_LETTERS = /[^\p{L}\p{M}\p{N}\s'’.-]/gu;

/** `Ana Popescu 🚀 | Acme` is Ana Popescu; the longest sign-less part when nothing else is left. */
export function twoNames(messengerName: string): TwoNames {
  const person = (
    messengerName
      .split(/[|/]|\s[-–—]\s/u)
      .map(cleaned)
      .find(Boolean) ?? ''
  ).slice(0, 100);
  const [firstname = '', ...rest] = person.split(' ');
  return { firstname, lastname: rest.join(' ') };
}

export type SearchWords = { first: string; others: string[] };

/**
 * The words a suggestion is looked up by: split on `|`, `-` and `/`, where the first two end the person's name when
 * they stand apart. `first` is '' when there is nothing to search for.
 */
export function searchWords(name: string): SearchWords {
  const { firstname, lastname } = twoNames(name);
  const [first = '', ...others] = `${firstname} ${lastname}`.split(/[\s-]+/u).filter(word => /\p{L}/u.test(word));
  return { first, others };
}

/** Lower case without accents: how words are compared here. */
export function folded(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function cleaned(part: string): string {
  return part.replace(BRACKETS, ' ').replace(NO_LETTERS, ' ').replace(/\s+/gu, ' ').trim();
}
