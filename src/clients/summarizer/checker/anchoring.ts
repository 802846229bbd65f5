import { SHORTEST_NAME } from '../authority.ts';
import { fold } from '../cleaning.ts';
import type { Conversation, Sentence, Utterance } from '../conversation.ts';
import type { Line } from '../openai/transcript.ts';
import type { ActionItem } from '../types.ts';
import { contentWords, stem, wordsOf } from '../words.ts';

/** What in the conversation supports something a model wrote. */
export type Anchor = {
  /** In the order of the conversation, never empty. */
  utterances: [Utterance, ...Utterance[]];
  /** The one that says it, as far as the words tell; undefined when the message has no words. */
  sentence: Sentence | undefined;
};
type Owned = Pick<ActionItem, 'owner' | 'ownerName'>;
type Cited = { text: string; lines: number[] };

const MOST_SOURCES = 10;
/** How much a sentence must share with a text for the text to rest on it without citing it. */
const ENOUGH = { stems: 2, share: 0.5 };
/** The most messages of a sentence that sums up several. */
const MOST_SUMMED_UP = 3;

/** Finds the messages that texts rest on: the cited ones, else those that say the same. */
export function createAnchoring(lines: Line[], { utterances }: Pick<Conversation, 'utterances'>) {
  const spoken = new Map(utterances.map(utterance => [utterance.messageId, utterance]));
  const cited = new Map(lines.filter(({ toMachine }) => !toMachine).map(({ n, messageId }) => [n, messageId]));

  const citedBy = ({ lines: numbers }: Cited) =>
    [...new Set(numbers)]
      .sort((a, b) => a - b)
      .flatMap(n => spoken.get(cited.get(n) ?? '') ?? [])
      .slice(0, MOST_SOURCES);

  /** null when no one said such a thing. What says it elsewhere counts more than a message that has no word of it. */
  function anchor(claim: Cited): Anchor | null {
    const [first, ...others] = citedBy(claim);
    const found = first ? closest(claim.text, [first, ...others]) : null;
    if (first && found) return { utterances: [first, ...others], sentence: found.sentence };
    const best = closest(claim.text, utterances);
    if (best && best.shared >= ENOUGH.stems && best.share >= ENOUGH.share)
      return { utterances: [best.sentence.utterance], sentence: best.sentence };
    return first ? { utterances: [first, ...others], sentence: firstSentence([first, ...others]) } : null;
  }

  return { anchor, citedBy };
}

function firstSentence(utterances: Utterance[]): Sentence | undefined {
  return utterances.find(({ sentences }) => sentences.length > 0)?.sentences[0];
}

/** The messages that share most with a text, in the order of the conversation. */
export function alike(text: string, utterances: readonly Utterance[], fewest = ENOUGH.stems): Utterance[] {
  const shared = utterances.map(utterance => {
    const stems = stemsOf(text, utterance);
    const said = new Set(utterance.sentences.flatMap(sentence => sentence.stems));
    return { utterance, count: [...stems].filter(stem => said.has(stem)).length };
  });
  const best = shared
    .filter(({ count }) => count >= fewest)
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MOST_SUMMED_UP);
  return utterances.filter(utterance => best.some(found => found.utterance === utterance));
}

export function stemsOf(text: string, { pack }: Pick<Conversation, 'pack'>): Set<string> {
  return new Set(contentWords(wordsOf(fold(text, pack.code)), pack).map(stem));
}

/** The sentence that shares most with a text, the earliest of several; null when none shares anything. */
function closest(text: string, utterances: readonly Utterance[]) {
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

/**
 * Of a group's messages, those of whoever owes something and of the people whom it answers: who they name, or reply to,
 * else who asks, else who shares most of its words. Whoever wrote a promise's messages may decide about it later, and a
 * model cites what it is told to.
 */
export function withoutBystanders(
  { utterances, sentence }: Anchor,
  text: string,
  owned: Owned,
  { pack, names }: Conversation,
): Anchor {
  const [own, others] = [true, false].map(is => utterances.filter(one => isOwners(one, owned) === is)) as [
    Utterance[],
    Utterance[],
  ];
  const wordsIn = (given: string) => wordsOf(fold(given, pack.code));
  const said = new Set([...wordsIn(text), ...own.flatMap(({ sentences }) => sentences.flatMap(({ words }) => words))]);
  const isMeant = ({ messageId, speaker }: Utterance) =>
    own.some(({ replyTo }) => replyTo === messageId) ||
    wordsIn(names.of(speaker)).some(word => word.length >= SHORTEST_NAME && said.has(word));
  const stems = new Set([...said].flatMap(word => (/\d/.test(word) ? word : contentWords([word], pack).map(stem))));
  const sharing = Map.groupBy(others, ({ sentences }) => {
    const words = new Set(sentences.flatMap(one => [...one.stems, ...one.words.filter(word => /\d/.test(word))]));
    return [...words].filter(word => stems.has(word)).length;
  });
  sharing.delete(0);
  const most = sharing.get(Math.max(...sharing.keys())) ?? [];
  const answered = [others.filter(isMeant), others.filter(asks), most].find(found => found.length > 0);
  const people = new Set(answered?.map(({ speaker }) => speaker));
  return among(
    utterances.filter(one => own.includes(one) || people.has(one.speaker)),
    { utterances, sentence },
  );
}

function asks({ sentences }: Utterance): boolean {
  return sentences.some(({ isQuestion }) => isQuestion);
}

/** In a group, whoever owes something and whoever began it say for when, not everyone whose words are cited. */
export function ofItsPeople({ utterances, sentence }: Anchor, owned: Owned): Anchor {
  const [first] = utterances;
  const began = (one: Utterance) => one.speaker === first.speaker && one.senderId === first.senderId;
  return among(
    utterances.filter(one => isOwners(one, owned) || began(one)),
    { utterances, sentence },
  );
}

function isOwners({ fromUser, speaker }: Utterance, { owner, ownerName }: Owned): boolean {
  return owner === 'user' ? fromUser : speaker === ownerName;
}

function among([first, ...rest]: Utterance[], whole: Anchor): Anchor {
  if (!first) return whole;
  const isKept = [first, ...rest].some(one => one === whole.sentence?.utterance);
  return { utterances: [first, ...rest], sentence: isKept ? whole.sentence : first.sentences[0] };
}
