import { shorten } from '../../../lib/words.ts';
import { type Addresses, REMOVED, withoutForeignAddresses } from '../checker/addresses.ts';
import { cleanText, neutral, withoutHiddenCharacters, withoutMarkup } from '../cleaning.ts';
import { linksAsHosts } from '../links.ts';
import { maskKnown, type Secrets } from '../masking/knownSecrets.ts';

/** What the conversation allows in a model's text: which addresses it may contain, and which secrets it may not. */
export type TextConstraints = { addresses: Addresses; secrets: Secrets };

/** Characters; a digest's texts are much shorter, and what is cut off anyway need not be cleaned. */
const LONGEST_READ = 8000;

/**
 * Turns what a model wrote into one line of at most `limit` characters, without markup, hidden characters, secrets,
 * addresses that no one wrote, and the signs by which an excerpt says who answered and what is done.
 */
export function plainText(text: string, limit: number, known: TextConstraints): string {
  return withoutMarks(markedText(text, limit, known));
}

/** {@link plainText} with a mark ({@link REMOVED}) in the place of each address that no one wrote. */
export function markedText(text: string, limit: number, { addresses, secrets }: TextConstraints): string {
  const bare = withoutMarkdown(withoutMarkup(withoutHiddenCharacters(text.slice(0, LONGEST_READ))));
  const own = withoutForeignAddresses(
    linksAsHosts(bare, host => addresses.has(host), REMOVED),
    addresses,
  );
  const plain = maskKnown(cleanText(own), secrets).replaceAll('<', '‹').replaceAll('>', '›');
  return shorten(neutral(plain), limit);
}

export function withoutMarks(text: string): string {
  return text.includes(REMOVED) ? text.replaceAll(REMOVED, '').replaceAll(/ {2,}/g, ' ').trim() : text;
}

/** Keeps the words of images and links, and nothing of fences and headings. */
function withoutMarkdown(text: string): string {
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
