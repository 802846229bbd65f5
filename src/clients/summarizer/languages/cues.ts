import { z } from 'zod';

/**
 * One or more words to look for in folded text: `*` stands for the rest of a word (before a Hebrew or Arabic one,
 * for what is attached to its front), ` .. ` for up to three words between,
 * ` ... ` for up to twelve, `a/b` for either word, `^` for the beginning of the sentence, `$` for its end, `#` for a number
 * of one or two digits. Chinese and Japanese cues are found within longer runs of letters, ` .. ` is up to twelve letters there.
 */
const cue = z
  .string()
  .regex(/^[^()[\]{}|\\+?]+$/u, 'A cue holds words and the wildcards * .. ... / ^ $ only.')
  // Each gap multiplies the time that a hostile text can take.
  .refine(text => text.split(' ..').length <= 3, 'A cue has two gaps at most.');
export const cues = z.array(cue);
export const words = z.array(z.string().regex(/^[^\s]+$/u));
export const byWord = z.record(z.string(), z.string());
