import { maskAddresses } from './addresses.ts';
import { maskCodes } from './codes.ts';
import { maskKeys } from './keys.ts';
import { maskAccounts } from './numbers.ts';
import { maskPasswords } from './passwords.ts';
import { maskSeedPhrases } from './seedPhrases.ts';

/**
 * Turns one-time codes, card and account numbers, passwords, keys, the words of a wallet and the keys in links into
 * `••••`. Best effort: a secret that looks like any other word, with no word for it beside it, is not recognized.
 * Takes time linear in the length of the text.
 */
export function maskSecrets(text: string): string {
  return maskCodes(maskPasswords(maskAccounts(maskKeys(maskSeedPhrases(maskAddresses(text))))));
}
