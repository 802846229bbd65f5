import { setImmediate } from 'node:timers/promises';
import type { WinkMethods } from 'wink-nlp';

/** A word or mark with its part of speech (universal tags: VERB, AUX, NOUN, PROPN, PRON, DET, ADJ, ADV, ADP …). */
export type Token = { text: string; low: string; lemma: string; pos: string; spaceBefore: boolean };

let tagger: WinkMethods | undefined;

/**
 * Loads the model once, in steps of at most a tenth of a second. It takes a quarter of a second in all and some 50 MB,
 * which a server without English conversations never spends.
 */
export async function loadTagger(): Promise<void> {
  if (tagger) return;
  const { default: wink } = await import('wink-nlp');
  await setImmediate();
  const { default: model } = await import('wink-eng-lite-web-model');
  await setImmediate();
  // It is given one sentence at a time.
  tagger ??= wink(model, ['pos']);
  await setImmediate();
}

/** {@link loadTagger} must have run. */
export function tagWords(text: string): Token[] {
  if (!tagger) throw new Error('The English tagger is not loaded.');
  const { its } = tagger;
  const tokens = tagger.readDoc(text).tokens();
  const texts = tokens.out(its.value);
  const tags = tokens.out(its.pos);
  const spaces = tokens.out(its.precedingSpaces);
  // The types of the library call the lemma a property of a span; it is one of each token.
  const lemmas = tokens.out(its.lemma as unknown as typeof its.pos);
  const isStraight = !/[’‘`´ʼ]/.test(text);
  return texts.map((word, index) => ({
    text: word,
    low: isStraight ? word.toLowerCase() : word.toLowerCase().replaceAll(/[’‘`´ʼ]/g, "'"),
    lemma: lemmas[index] ?? word,
    pos: tags[index] ?? 'X',
    spaceBefore: (spaces[index] ?? '') !== '' || index === 0,
  }));
}
