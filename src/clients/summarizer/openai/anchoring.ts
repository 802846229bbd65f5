import { fold } from '../cleaning.ts';
import type { Conversation, Sentence, Utterance } from '../conversation.ts';
import { contentWords, stem, wordsOf } from '../words.ts';
import type { Line } from './transcript.ts';

/** Where in the conversation something a model wrote has its ground. */
export type Anchor = {
  /** In the order of the conversation, never empty. */
  utterances: [Utterance, ...Utterance[]];
  /** The one that says it, as far as the words tell; undefined when the message has no words. */
  sentence: Sentence | undefined;
};

const MOST_SOURCES = 10;
/** How much of a text a sentence must share for the text to rest on it without being cited. */
const ENOUGH = { stems: 2, share: 0.5 };

/** Finds the messages that texts rest on: the cited ones, else the one that says the same. */
export function createAnchoring(lines: Line[], { utterances }: Pick<Conversation, 'utterances'>) {
  const spoken = new Map(utterances.map(utterance => [utterance.messageId, utterance]));
  const cited = new Map(lines.filter(({ toMachine }) => !toMachine).map(({ n, messageId }) => [n, messageId]));

  /** null when nobody said such a thing. */
  return function anchor({ text, lines: numbers }: { text: string; lines: number[] }): Anchor | null {
    const wanted = [...new Set(numbers)].sort((a, b) => a - b);
    const [first, ...others] = wanted.flatMap(n => spoken.get(cited.get(n) ?? '') ?? []).slice(0, MOST_SOURCES);
    if (first) {
      const found: Anchor['utterances'] = [first, ...others];
      return { utterances: found, sentence: closest(text, found)?.sentence ?? firstSentence(found) };
    }
    const best = closest(text, utterances);
    if (!best || best.shared < ENOUGH.stems || best.share < ENOUGH.share) return null;
    return { utterances: [best.sentence.utterance], sentence: best.sentence };
  };
}

export type Anchoring = ReturnType<typeof createAnchoring>;

function firstSentence(utterances: Utterance[]): Sentence | undefined {
  return utterances.find(({ sentences }) => sentences.length > 0)?.sentences[0];
}

/** The sentence that shares most with a text, the earliest of several; null when none shares anything. */
function closest(text: string, utterances: Utterance[]) {
  let best: { sentence: Sentence; shared: number; share: number } | null = null;
  for (const { sentences, pack } of utterances) {
    const stems = new Set(contentWords(wordsOf(fold(text, pack.code)), pack).map(stem));
    for (const sentence of sentences) {
      const shared = sentence.stems.filter(candidate => stems.has(candidate)).length;
      if (shared > (best?.shared ?? 0)) best = { sentence, shared, share: shared / stems.size };
    }
  }
  return best;
}
