import { hourOf } from './builtIn/hours.ts';
import { whenOf } from './builtIn/when.ts';
import { fold } from './cleaning.ts';
import { detectLanguage } from './language.ts';
import { type Lexicon, lexiconOf } from './languages/lexicon.ts';
import type { ReadTyped } from './types.ts';

/** A few words may not tell their language, and many people write English at work. */
const OTHERWISE = 'en';

export const readTypedPromise: ReadTyped = (text, about) => {
  for (const code of new Set([detectLanguage([text]), OTHERWISE])) {
    const lexicon = lexiconOf(code);
    const when = whenOf({ utterance: { sentAt: about.saidAt } }, text, lexicon, about.timezone);
    if (!when) continue;
    const hour = hourOf(fold(text, code), lexicon)?.words;
    const rest = [when.words, ...(hour ? [hour] : [])].reduce((left, words) => without(left, words, lexicon), text);
    return { words: tidied(rest) || text, dueDate: when.date, dueTime: when.time };
  }
  return { words: text, dueDate: null, dueTime: null };
};

/** Leaves out the last place where these words are; some have to be read without accents and capitals. */
function without(text: string, words: string, { code }: Lexicon): string {
  const folded = fold(text, code);
  if (folded.length !== text.length) return text;
  const at = folded.lastIndexOf(fold(words, code));
  return at < 0 ? text : `${text.slice(0, at)} ${text.slice(at + words.length)}`;
}

/** Nothing but the words: a line ends without the comma or dash that led to its day. */
function tidied(text: string): string {
  const words = text
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s,;:–—-]+/u, '')
    .replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
