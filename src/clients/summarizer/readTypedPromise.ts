import { findWhen } from './days/findWhen.ts';
import { detectLanguage } from './language.ts';
import type { ReadTyped } from './types.ts';

/** A few words may not tell their language, and many people write English at work. */
const OTHERWISE = 'en';

export const readTypedPromise: ReadTyped = (text, { saidAt, timezone }) => {
  for (const language of new Set([detectLanguage([text]), OTHERWISE])) {
    const when = findWhen(text, language, saidAt, timezone);
    if (!when) continue;
    const rest = [when.words, ...(when.hourWords ? [when.hourWords] : [])].reduce(without, text.normalize('NFC'));
    return { words: tidied(rest) || text, dueDate: when.date, dueTime: when.time };
  }
  return { words: text, dueDate: null, dueTime: null };
};

/** Leaves out the last place where these words are. */
function without(text: string, words: string): string {
  const at = text.lastIndexOf(words);
  return at < 0 ? text : `${text.slice(0, at)} ${text.slice(at + words.length)}`;
}

/** Removes the comma or dash that led to the day. */
function tidied(text: string): string {
  const words = text
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s,;:–—-]+/u, '')
    .replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
