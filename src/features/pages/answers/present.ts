import { countOf } from '../../../lib/words.ts';
import type { Written } from './schema.ts';

/** A sentence with the numbers of its sources on the page. */
export type ShownSentence = { text: string; sources: number[] };

const FAILED = {
  unanswered: 'The model did not answer. The passages below are complete.',
  tooMany: 'The model has answered as often as it may in a day. The passages below are complete.',
};

/**
 * What a page shows of a model's sentences; undefined where there is no model or nothing to word.
 * @param page.sourceOf the number on the page of a passage that the model was given; those without are left out
 */
export function presentWritten(
  { state, sentences, withheld, model, host, failure }: Written,
  { sourceOf = n => n, settings }: { sourceOf?: (n: number) => number | null; settings: string },
) {
  if (state === 'off') return undefined;
  const shown = sentences.flatMap(({ text, passages }): ShownSentence[] => {
    const sources = [...new Set(passages.flatMap(n => sourceOf(n) ?? []))];
    return sources.length > 0 ? [{ text, sources }] : [];
  });
  return {
    state,
    sentences: shown,
    writer: `Model ${model}, at ${host}`,
    failure: failure ? FAILED[failure] : '',
    withheld:
      state !== 'notAgreed' && withheld > 0
        ? `${countOf(withheld, 'passage stays', 'passages stay')} on this server: you haven’t agreed to send what ${withheld === 1 ? 'it quotes' : 'they quote'}.`
        : '',
    settings,
  };
}
