import { shorten } from '../cleaning.ts';
import type { Sentence } from '../conversation.ts';
import { lexiconOf } from '../languages/lexicon.ts';
import type { LanguageData } from '../languages/schema.ts';
import { isSecret } from '../masking/mask.ts';
import { capitalized, openingCut, withoutGreeting } from './text.ts';
import type { Reading } from './types.ts';

type PhraseName = Exclude<keyof LanguageData['phrases'], 'media' | 'requestsTask'>;

/** A phrase of the language with its placeholders filled. The values are not searched: a name may contain braces. */
export function phrase(
  code: string,
  name: PhraseName,
  values: { who?: string; to?: string | null; quote?: string; task?: string },
): string {
  const places = /\{(who|to|quote|task)\}/g;
  const { [name]: wording, says } = lexiconOf(code).phrases;
  return (wording ?? says)
    .replaceAll(places, (_, place: 'who' | 'to' | 'quote' | 'task') => values[place] ?? '')
    .trim();
}

/** What was said, word for word but for its fillers, between the quotation marks of its language. */
export function quoted(sentence: Sentence, limit: number, isUncut = false): string {
  const lexicon = lexiconOf(sentence.utterance.pack.code);
  const [open, close] = lexicon.quotes;
  const words = shorten(isUncut ? capitalized(sentence.text) : openingCut(sentence.text, lexicon), limit).replaceAll(
    /[“”„‟«»"]/g,
    "'",
  );
  return `${open}${words.replace(/^'([^']+)'$/u, '$1')}${close}`;
}

/** {@link quoted}, with a question behind it that says nothing itself: "180 with material. Yes or no?" */
export function quotedBeside({ sentence }: Reading, limit: number): string {
  const { sentences } = sentence.utterance;
  const next = sentences[sentences.indexOf(sentence) + 1];
  return quotedAll(sentence, next?.isQuestion && next.stems.length === 0 ? [next] : [], limit);
}

/** {@link quoted}, from this sentence to the end of its message as far as there is room. */
export function quotedFrom({ sentence }: Reading, limit: number): string {
  const { sentences } = sentence.utterance;
  return quotedAll(sentence, sentences.slice(sentences.indexOf(sentence) + 1), limit);
}

/** "About the webinar. Is the 5th OK?": a sentence that says little but a day, with the one before it in its message. */
export function withMatter({ sentence, when }: Reading, limit: number): string {
  const { sentences } = sentence.utterance;
  const before = sentences[sentences.indexOf(sentence) - 1];
  const tells = before && before.stems.length >= 2 && !isSecret(before.text) && saysLittle({ sentence, when });
  return tells ? quotedAll(before, [sentence], limit) : quoted(sentence, limit);
}

/** Hardly more than a day. */
export function saysLittle({ sentence, when }: Pick<Reading, 'sentence' | 'when'>): boolean {
  const day = when?.words.toLowerCase() ?? '';
  return sentence.stems.filter(stem => !day.includes(stem) && !/\p{N}/u.test(stem)).length < 2;
}

/** {@link quotedFrom} for an answer, which keeps the yes or no that its message begins with. */
export function quotedAnswer({ sentence }: Reading, limit: number): string {
  const { sentences } = sentence.utterance;
  const [first = sentence] = sentences;
  const isBrief = isYesOrNo(first);
  const from = isBrief ? first : sentence;
  return quotedAll(from, sentences.slice(sentences.indexOf(from) + 1), limit, isBrief);
}

export function isYesOrNo({ folded }: Pick<Reading, 'folded'>): boolean {
  return YES_OR_NO.test(withoutGreeting(folded));
}

const YES_OR_NO =
  /^\P{L}*(?:yes|yeah|yep|sure|of course|no|nope|not|i am|i do|i did|i can|we are|we do|it is|ja|nein|sí|si|oui|non|sim|não|да|нет|так|ні|tak|nie|evet|hayır)(?!\p{L})/u;

const ENDS_UNSPACED = /[。！？」]$/u;

/** Sentences of one message in one pair of quotation marks, as far as there is room. */
export function quotedAll(first: Sentence, others: Sentence[], limit: number, isUncut = false): string {
  let { text } = first;
  for (const next of others) {
    if (text.length + next.text.length >= limit || isSecret(next.text)) break;
    text += `${ENDS_UNSPACED.test(text) ? '' : ' '}${next.text}`;
  }
  return quoted({ ...first, text }, limit, isUncut);
}
