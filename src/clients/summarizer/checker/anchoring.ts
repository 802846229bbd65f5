import { SHORTEST_NAME } from '../authority.ts';
import { contentWords, fold, stem, wordsOf } from '../cleaning.ts';
import type { Conversation, Sentence, Utterance } from '../conversation.ts';
import type { TranscriptLine } from '../openai/transcript.ts';
import type { ActionItem } from '../types.ts';

/** The messages that support something a model wrote. */
export type Anchor = {
  /** In the order of the conversation, never empty. */
  utterances: [Utterance, ...Utterance[]];
  /** The one that says it, as far as the words tell; undefined when the messages have no words. */
  sentence: Sentence | undefined;
};
export type Owned = Pick<ActionItem, 'owner' | 'ownerName'>;
type Cited = { text: string; lines: number[]; dueText?: string | null };

const MOST_SOURCES = 10;
/** How much a sentence must share with a text for the text to rest on it without citing it. */
const ENOUGH = { stems: 2, share: 0.5 };
/** The most messages of a sentence that sums up several. */
const MOST_SUMMED_UP = 3;

/** Finds the messages that texts rest on: the cited ones, else those that say the same. */
export function createAnchoring(lines: TranscriptLine[], { utterances }: Pick<Conversation, 'utterances'>) {
  const cited = new Map(
    lines.filter(({ isPromptInjection }) => !isPromptInjection).map(({ n, messageId }) => [messageId, n]),
  );
  const citedBy = ({ lines: numbers }: Cited) =>
    utterances.filter(({ messageId }) => numbers.includes(cited.get(messageId) ?? Number.NaN)).slice(0, MOST_SOURCES);

  /** null without support. If the cited messages share no word or due date with it, the most similar other is used. */
  function anchor(claim: Cited): Anchor | null {
    const own = citedBy(claim);
    const found = closest(claim.text, own);
    const sentences = own.flatMap(one => one.sentences);
    const dated = sentences.find(({ text }) => claim.dueText && text.includes(claim.dueText));
    const other = found || dated ? null : closest(claim.text, utterances);
    const isEnough = other && other.shared >= ENOUGH.stems && other.share >= ENOUGH.share;
    if (isEnough) return anchorIn([other.sentence.utterance], other.sentence);
    // "Hanna!" shares a name with "Call Hanna", and says nothing.
    return anchorIn(own, found && found.shared >= ENOUGH.stems ? found.sentence : (dated ?? found?.sentence));
  }

  return { anchor, citedBy };
}

/** null for no messages. The sentence is that given, where it is in one of them, else the first. */
function anchorIn([first, ...others]: Utterance[], sentence: Sentence | undefined): Anchor | null {
  if (!first) return null;
  const isAmong = sentence && [first, ...others].includes(sentence.utterance);
  const [beginning] = [first, ...others].flatMap(({ sentences }) => sentences);
  return { utterances: [first, ...others], sentence: isAmong ? sentence : beginning };
}

/** The messages that share most with a text, in the order of the conversation. */
export function mostSimilar(text: string, utterances: readonly Utterance[], fewest = ENOUGH.stems): Utterance[] {
  const shared = utterances.map(utterance => {
    const said = new Set(utterance.sentences.flatMap(({ stems }) => stems));
    return { utterance, count: stemsOf(text, utterance).intersection(said).size };
  });
  const enough = shared.filter(({ count }) => count >= fewest);
  const best = enough.toSorted((one, other) => other.count - one.count).slice(0, MOST_SUMMED_UP);
  return utterances.filter(utterance => best.some(found => found.utterance === utterance));
}

function stemsOf(text: string, { pack }: Pick<Conversation, 'pack'>): Set<string> {
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
 * In a group, keeps the cited messages of the owner and of whom they answer: the one named or replied to, else who
 * asks, else who shares most words. Anyone else whose message is cited could later close the promise, as its author.
 */
export function withoutBystanders(whole: Anchor, text: string, owned: Owned, { pack, names }: Conversation): Anchor {
  const { utterances, sentence } = whole;
  const own = utterances.filter(one => isOwners(one, owned));
  const others = utterances.filter(one => !own.includes(one));
  const wordsIn = (given: string) => wordsOf(fold(given, pack.code));
  const said = new Set([...wordsIn(text), ...own.flatMap(({ sentences }) => sentences.flatMap(({ words }) => words))]);
  const isMeant = ({ messageId, speaker }: Utterance) =>
    own.some(({ replyTo }) => replyTo === messageId) ||
    wordsIn(names.of(speaker)).some(word => word.length >= SHORTEST_NAME && said.has(word));
  const asks = ({ sentences }: Utterance) => sentences.some(({ isQuestion }) => isQuestion);
  const telling = (words: Iterable<string>) =>
    new Set([...words].flatMap(word => (/\d/.test(word) ? word : contentWords([word], pack).map(stem))));
  const stems = telling(said);
  const shared = new Map(
    others.map(one => [one, telling(one.sentences.flatMap(({ words }) => words)).intersection(stems).size]),
  );
  const most = Math.max(1, ...shared.values());
  const sharesMost = (one: Utterance) => shared.get(one) === most;
  const answered = [isMeant, asks, sharesMost].map(is => others.filter(is)).find(found => found.length > 0);
  const people = new Set(answered?.map(({ speaker }) => speaker));
  const kept = utterances.filter(one => own.includes(one) || people.has(one.speaker));
  return anchorIn(kept, sentence) ?? whole;
}

/** In a group, the due date is read only from messages of the owner and of the author of the first cited message. */
export function fromParticipants(whole: Anchor, owned: Owned): Anchor {
  const { speaker, senderId } = whole.utterances[0];
  const began = (one: Utterance) => one.speaker === speaker && one.senderId === senderId;
  return (
    anchorIn(
      whole.utterances.filter(one => isOwners(one, owned) || began(one)),
      whole.sentence,
    ) ?? whole
  );
}

function isOwners({ fromUser, speaker }: Utterance, { owner, ownerName }: Owned): boolean {
  return owner === 'user' ? fromUser : speaker === ownerName;
}
