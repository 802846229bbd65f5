import { shorten } from '../cleaning.ts';
import type { Sentence } from '../conversation.ts';
import { lexiconOf } from '../languages/lexicon.ts';
import { isSecret } from '../masking/mask.ts';
import { openingCut } from './text.ts';

/** A phrase of the language with its placeholders filled. The values are not searched: a name may contain braces. */
export function phrase(code: string, name: 'says', values: { who: string; quote: string }): string {
  return lexiconOf(code)
    .phrases[name].replaceAll(/\{(who|quote)\}/g, (_, place: 'who' | 'quote') => values[place])
    .trim();
}

/** What was said, word for word but for its fillers, between the quotation marks of its language. */
export function quoted(sentence: Sentence, limit: number): string {
  const lexicon = lexiconOf(sentence.utterance.pack.code);
  const [open, close] = lexicon.quotes;
  const words = shorten(openingCut(sentence.text, lexicon), limit).replaceAll(/[“”„‟«»"]/g, "'");
  return `${open}${words.replace(/^'([^']+)'$/u, '$1')}${close}`;
}

const ENDS_UNSPACED = /[。！？」]$/u;

/** Sentences of one message in one pair of quotation marks, as far as there is room. */
export function quotedAll(first: Sentence, others: Sentence[], limit: number): string {
  let { text } = first;
  for (const next of others) {
    if (text.length + next.text.length >= limit || isSecret(next.text)) break;
    text += `${ENDS_UNSPACED.test(text) ? '' : ' '}${next.text}`;
  }
  return quoted({ ...first, text }, limit);
}
