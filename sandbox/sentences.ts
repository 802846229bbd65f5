import { ConfigError } from '../src/config.ts';
import { StartError } from '../src/lib/errors.ts';

/** Returns the text to show for an error: a sentence if it has one, the whole stack if it was unforeseen. */
export function sentenceFrom(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // The sandbox servers need more packages than the service itself.
  const isMissing = 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('package');
  if (!isMissing) return error.stack ?? error.message;
  const [what] = error.message.split(' imported from ');
  return `${what}: run npm ci with the development dependencies, or give the keys of the outside services (see --help).`;
}
