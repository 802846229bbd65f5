import { fold } from '../cleaning.ts';
import type { Conversation, Sentence, Utterance } from '../conversation.ts';
import { contentWords, stem, wordsOf } from '../words.ts';
import type { Line } from './transcript.ts';

/** What in the conversation supports something a model wrote. */
export type Anchor = {
  /** In the order of the conversation, never empty. */
  utterances: [Utterance, ...Utterance[]];
  /** The one that says it, as far as the words tell; undefined when the message has no words. */
  sentence: Sentence | undefined;
};

const MOST_SOURCES = 10;
/** How much a sentence must share with a text for the text to rest on it without citing it. */
const ENOUGH = { stems: 2, share: 0.5 };

/** The most messages of a sentence that sums up several. */
const MOST_SUMMED_UP = 3;

/** Finds the messages that texts rest on: the cited ones, else the one that says the same. */
export function createAnchoring(lines: Line[], { utterances }: Pick<Conversation, 'utterances'>) {
  const spoken = new Map(utterances.map(utterance => [utterance.messageId, utterance]));
  const cited = new Map(lines.filter(({ toMachine }) => !toMachine).map(({ n, messageId }) => [n, messageId]));

  const saidIn = (numbers: number[]) =>
    [...new Set(numbers)]
      .sort((a, b) => a - b)
      .flatMap(n => spoken.get(cited.get(n) ?? '') ?? [])
      .slice(0, MOST_SOURCES);

  /** null when no one said such a thing. */
  function anchor({ text, lines: numbers }: Cited): Anchor | null {
    const [first, ...others] = saidIn(numbers);
    if (first) {
      const found: Anchor['utterances'] = [first, ...others];
      return { utterances: found, sentence: closest(text, found)?.sentence ?? firstSentence(found) };
    }
    const best = closest(text, utterances);
    if (!best || best.shared < ENOUGH.stems || best.share < ENOUGH.share) return null;
    return { utterances: [best.sentence.utterance], sentence: best.sentence };
  }

  /** The messages of a sentence of the summary, which may say what no one said: that there is no answer yet. */
  function sourcesOf({ text, lines: numbers }: Cited): Utterance[] {
    const found = saidIn(numbers);
    return found.length > 0 ? found : alike(text, utterances);
  }

  return { anchor, sourcesOf };
}

type Cited = { text: string; lines: number[] };

export type Anchoring = ReturnType<typeof createAnchoring>;

function firstSentence(utterances: Utterance[]): Sentence | undefined {
  return utterances.find(({ sentences }) => sentences.length > 0)?.sentences[0];
}

/** The messages that share most with a text, in the order of the conversation. */
function alike(text: string, utterances: Utterance[]): Utterance[] {
  const shared = utterances.map(utterance => {
    const stems = stemsOf(text, utterance);
    const said = new Set(utterance.sentences.flatMap(sentence => sentence.stems));
    return { utterance, count: [...stems].filter(stem => said.has(stem)).length };
  });
  const best = shared
    .filter(({ count }) => count >= ENOUGH.stems)
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MOST_SUMMED_UP);
  return utterances.filter(utterance => best.some(found => found.utterance === utterance));
}

function stemsOf(text: string, { pack }: Utterance): Set<string> {
  return new Set(contentWords(wordsOf(fold(text, pack.code)), pack).map(stem));
}

/** The sentence that shares most with a text, the earliest of several; null when none shares anything. */
function closest(text: string, utterances: Utterance[]) {
  let best: { sentence: Sentence; shared: number; share: number } | null = null;
  for (const utterance of utterances) {
    const stems = stemsOf(text, utterance);
    for (const sentence of utterance.sentences) {
      const shared = sentence.stems.filter(candidate => stems.has(candidate)).length;
      if (shared > (best?.shared ?? 0)) best = { sentence, shared, share: shared / stems.size };
    }
  }
  return best;
}
