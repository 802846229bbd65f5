import { WIDE_SPACE } from '../cleaning.ts';
import { MASK } from './mask.ts';
import { maskSecrets } from './maskSecrets.ts';

/** Words that were masked before the conversation left. */
export type Secrets = ReadonlySet<string>;

/** Characters. Shorter ones, such as groups of a card number, could be a year. */
const MIN_SECRET_LENGTH = 6;

/** The model never saw these; if they come back all the same, the words around them can't reveal them as secrets. */
export function findSecrets(texts: string[]): Secrets {
  const masked = texts.flatMap(text => {
    const left = new Set(splitSecretWords(maskSecrets(text.replaceAll(WIDE_SPACE, ' '))));
    return left.size === 0 ? [] : splitSecretWords(text).filter(word => word.length >= MIN_SECRET_LENGTH && !left.has(word));
  });
  return new Set(masked);
}

export function maskKnownSecrets(text: string, secrets: Secrets): string {
  return [...secrets].reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
}

function splitSecretWords(text: string): string[] {
  return text.split(/\s+/).map(word => word.replace(/^["'“«(]+|(?<!["'”».,;:!?)])["'”».,;:!?)]+$/gu, ''));
}
