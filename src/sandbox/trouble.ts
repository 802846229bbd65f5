import { ExportError } from './messenger/export/reading.ts';

/** What keeps the bare machine from running, said in a sentence for the person at the terminal: shown without a stack. */
export class Trouble extends Error {
  override readonly name = 'Trouble';
}

/** What to show of an error: a sentence where there is one, everything where something unforeseen happened. */
export function sentenceFrom(error: unknown): string {
  if (error instanceof Trouble || error instanceof ExportError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
