import { StartError } from '../src/lib/startError.ts';
import { ExportError } from './messenger/export/reading.ts';

/** What to show of an error: a sentence where there is one, everything where something unforeseen happened. */
export function sentenceFrom(error: unknown): string {
  if (error instanceof StartError || error instanceof ExportError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
