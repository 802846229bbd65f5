import { detectLanguage } from '../language.ts';
import type { ReadTyped } from '../types.ts';
import { findWhen } from './findWhen.ts';

/** Tried if the detected language yields no day: few words may not tell the language, and English is common at work. */
const FALLBACK_LANGUAGE = 'en';

export const readTypedPromise: ReadTyped = (text, { saidAt, timezone }) => {
  for (const language of new Set([detectLanguage([text]), FALLBACK_LANGUAGE])) {
    const when = findWhen(text, language, saidAt, timezone);
    if (!when) continue;
    const rest = [when.words, ...(when.hourWords ? [when.hourWords] : [])].reduce(removeLast, text.normalize('NFC'));
    return { words: tidyWords(rest) || text, dueDate: when.date, dueTime: when.time };
  }
  return { words: text, dueDate: null, dueTime: null };
};

function removeLast(text: string, words: string): string {
  const at = text.lastIndexOf(words);
  return at < 0 ? text : `${text.slice(0, at)} ${text.slice(at + words.length)}`;
}

/** Removes the comma or dash that led to the day. */
function tidyWords(text: string): string {
  const words = text
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s,;:–—-]+/u, '')
    .replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
