import { StartError } from '../src/lib/startError.ts';

/** What to show of an error: a sentence where there is one, everything where something unforeseen happened. */
export function sentenceFrom(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // The sandbox servers need more packages than the service itself.
  const isMissing = 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('package');
  if (!isMissing) return error.stack ?? error.message;
  const [what] = error.message.split(' imported from ');
  return `${what}: run npm ci with the development dependencies, or give the keys of the outside services (see --help).`;
}
