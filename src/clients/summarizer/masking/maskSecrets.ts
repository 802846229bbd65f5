import { maskAddresses } from './addresses.ts';
import { maskCodes } from './codes.ts';
import { maskKeys } from './keys.ts';
import { maskAccounts } from './numbers.ts';
import { maskPasswords } from './passwords.ts';
import { maskSeedPhrases } from './seedPhrases.ts';

/**
 * One-time codes, card and account numbers, passwords, keys and the words of a wallet become `••••`; of links, what in
 * them is a key. Best effort: a secret that looks like any other word, with no word for it beside it, is not known for one.
 * Takes a time linear in the text.
 */
export function maskSecrets(text: string): string {
  return maskCodes(maskPasswords(maskAccounts(maskKeys(maskSeedPhrases(maskAddresses(text))))));
}
