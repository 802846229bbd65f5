import type { WinkMethods } from 'wink-nlp';

/** A word or mark with its part of speech (universal tags: VERB, AUX, NOUN, PROPN, PRON, DET, ADJ, ADV, ADP …). */
export type Token = { text: string; low: string; lemma: string; pos: string; spaceBefore: boolean };

let tagger: WinkMethods | undefined;

/** Reads the model, once: a quarter of a second and some 50 MB that a server without English conversations never spends. */
export async function loadTagger(): Promise<void> {
  if (tagger) return;
  const [{ default: wink }, { default: model }] = await Promise.all([
    import('wink-nlp'),
    import('wink-eng-lite-web-model'),
  ]);
  tagger = wink(model, ['sbd', 'pos']);
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
  return texts.map((word, index) => ({
    text: word,
    low: word.toLowerCase().replaceAll(/[’‘`´ʼ]/g, "'"),
    lemma: lemmas[index] ?? word,
    pos: tags[index] ?? 'X',
    spaceBefore: (spaces[index] ?? '') !== '' || index === 0,
  }));
}
