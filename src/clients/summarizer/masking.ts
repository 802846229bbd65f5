import { maskAddresses } from './masking/addresses.ts';
import { maskCodes } from './masking/codes.ts';
import { maskKeys } from './masking/keys.ts';
import { maskAccounts } from './masking/numbers.ts';
import { maskPasswords } from './masking/passwords.ts';
import { maskSeedPhrases } from './masking/seedPhrases.ts';

/**
 * One-time codes, card and account numbers, passwords, keys and the words of a wallet become `••••`; of links, what in
 * them is a key. Best effort: a secret that looks like any other word, with no word for it beside it, is not known for one.
 * Takes a time linear in the text.
 */
export function maskSecrets(text: string): string {
  return maskCodes(maskPasswords(maskAccounts(maskKeys(maskSeedPhrases(maskAddresses(text))))));
}
