import { shorten } from '../../../lib/words.ts';
import { type Addresses, REMOVED, withoutForeignAddresses } from '../checker/addresses.ts';
import { cleanText, toPlainLine, withoutHiddenCharacters, withoutMarkdown, withoutMarkup } from '../cleaning.ts';
import { shortenLinksToHosts } from '../links.ts';
import { maskKnownSecrets, type Secrets } from '../masking/knownSecrets.ts';

/** Addresses that a model's text may contain, and secrets that it may not. */
export type TextConstraints = { addresses: Addresses; secrets: Secrets };

/** Characters; digest texts are much shorter, and text to be cut needs no cleaning. */
const MAX_READ_LENGTH = 8000;

/**
 * Converts a model's text to a line of at most `limit` characters, without markup, hidden characters, secrets, addresses
 * that are in no message, and the symbols with which excerpts mark answers and completed work.
 */
export function plainText(text: string, limit: number, known: TextConstraints): string {
  return removeMarks(toMarkedText(text, limit, known));
}

/** {@link plainText} with {@link REMOVED} in place of addresses that are in no message. */
export function toMarkedText(text: string, limit: number, { addresses, secrets }: TextConstraints): string {
  const bare = withoutMarkdown(withoutMarkup(withoutHiddenCharacters(text.slice(0, MAX_READ_LENGTH))));
  const own = withoutForeignAddresses(
    shortenLinksToHosts(bare, host => addresses.has(host), REMOVED),
    addresses,
  );
  const plain = maskKnownSecrets(cleanText(own), secrets).replaceAll('<', '‹').replaceAll('>', '›');
  return shorten(toPlainLine(plain), limit);
}

export function removeMarks(text: string): string {
  return text.includes(REMOVED) ? text.replaceAll(REMOVED, '').replaceAll(/ {2,}/g, ' ').trim() : text;
}
