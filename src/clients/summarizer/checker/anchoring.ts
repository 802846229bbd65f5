import { contentWords, fold, stem, toWords } from '../cleaning.ts';
import { MIN_NAME_LENGTH } from '../closingAuthority.ts';
import type { Conversation, Sentence, Utterance } from '../conversation.ts';
import type { TranscriptLine } from '../openai/transcript.ts';
import type { ActionItem } from '../types.ts';

/** The messages that support something a model wrote. */
export type Anchor = {
  /** In conversation order, never empty. */
  utterances: [Utterance, ...Utterance[]];
  /** The one that says it, as far as the words tell; undefined when the messages have no words. */
  sentence: Sentence | undefined;
};
export type ItemOwner = Pick<ActionItem, 'owner' | 'ownerName'>;
type CitingText = { text: string; lines: number[]; dueText?: string | null };

const MAX_SOURCES = 10;
/** How much a sentence must share with a text for the text to rest on it without citing it. */
const MIN_OVERLAP = { stems: 2, share: 0.5 };
/** The most messages of a sentence that sums up several. */
const MAX_SUMMED_MESSAGES = 3;

/** Finds the messages that texts rest on: the cited ones, else those that say the same. */
export function createAnchoring(lines: TranscriptLine[], { utterances }: Pick<Conversation, 'utterances'>) {
  const lineNumbers = new Map(
    lines.filter(({ isPromptInjection }) => !isPromptInjection).map(({ n, messageId }) => [messageId, n]),
  );
  const citedBy = ({ lines: numbers }: CitingText) =>
    utterances.filter(({ messageId }) => numbers.includes(lineNumbers.get(messageId) ?? Number.NaN)).slice(0, MAX_SOURCES);

  /** null without support. If the cited messages share no word or due date with it, uses the most similar sentence. */
  function anchor(claim: CitingText): Anchor | null {
    const citedUtterances = citedBy(claim);
    const found = findClosestSentence(claim.text, citedUtterances);
    const sentences = citedUtterances.flatMap(citedUtterance => citedUtterance.sentences);
    const dated = sentences.find(({ text }) => claim.dueText && text.includes(claim.dueText));
    const other = found || dated ? null : findClosestSentence(claim.text, utterances);
    const isEnough = other && other.shared >= MIN_OVERLAP.stems && other.share >= MIN_OVERLAP.share;
    if (isEnough) return toAnchor([other.sentence.utterance], other.sentence);
    // One shared word, as in "Hanna!" and "Call Hanna", is too little: a sentence with the due date is preferred.
    return toAnchor(
      citedUtterances,
      found && found.shared >= MIN_OVERLAP.stems ? found.sentence : (dated ?? found?.sentence),
    );
  }

  return { anchor, citedBy };
}

/** null without messages. Falls back to their first sentence if the given one belongs to none of them. */
function toAnchor([first, ...others]: Utterance[], sentence: Sentence | undefined): Anchor | null {
  if (!first) return null;
  const isAmong = sentence && [first, ...others].includes(sentence.utterance);
  const [beginning] = [first, ...others].flatMap(({ sentences }) => sentences);
  return { utterances: [first, ...others], sentence: isAmong ? sentence : beginning };
}

/** The messages that share most with a text, in the order of the conversation. */
export function findMostSimilar(text: string, utterances: readonly Utterance[], fewest = MIN_OVERLAP.stems): Utterance[] {
  const shared = utterances.map(utterance => {
    const said = new Set(utterance.sentences.flatMap(({ stems }) => stems));
    return { utterance, count: contentStems(text, utterance).intersection(said).size };
  });
  const enough = shared.filter(({ count }) => count >= fewest);
  const best = enough.toSorted((a, b) => b.count - a.count).slice(0, MAX_SUMMED_MESSAGES);
  return utterances.filter(utterance => best.some(found => found.utterance === utterance));
}

function contentStems(text: string, { pack }: Pick<Conversation, 'pack'>): Set<string> {
  return new Set(contentWords(toWords(fold(text, pack.code)), pack).map(stem));
}

/** The sentence that shares most with a text, the earliest of several; null when none shares anything. */
function findClosestSentence(text: string, utterances: readonly Utterance[]) {
  let best: { sentence: Sentence; shared: number; share: number } | null = null;
  for (const utterance of utterances) {
    const stems = contentStems(text, utterance);
    for (const sentence of utterance.sentences) {
      const shared = sentence.stems.filter(candidate => stems.has(candidate)).length;
      if (shared > (best?.shared ?? 0)) best = { sentence, shared, share: shared / stems.size };
    }
  }
  return best;
}

/**
 * In a group, keeps cited messages of the owner and of the person they answer: named or replied to, else asking, else
 * sharing most words. Authors of other cited messages could later close the promise.
 */
export function withoutBystanders(whole: Anchor, text: string, owned: ItemOwner, { pack, names }: Conversation): Anchor {
  const { utterances, sentence } = whole;
  const own = utterances.filter(utterance => isOwners(utterance, owned));
  const others = utterances.filter(utterance => !own.includes(utterance));
  const wordsIn = (text: string) => toWords(fold(text, pack.code));
  const said = new Set([...wordsIn(text), ...own.flatMap(({ sentences }) => sentences.flatMap(({ words }) => words))]);
  const isMeant = ({ messageId, speaker }: Utterance) =>
    own.some(({ replyTo }) => replyTo === messageId) ||
    wordsIn(names.displayName(speaker)).some(word => word.length >= MIN_NAME_LENGTH && said.has(word));
  const asks = ({ sentences }: Utterance) => sentences.some(({ isQuestion }) => isQuestion);
  const telling = (words: Iterable<string>) =>
    new Set([...words].flatMap(word => (/\d/.test(word) ? word : contentWords([word], pack).map(stem))));
  const stems = telling(said);
  const countShared = ({ sentences }: Utterance) =>
    telling(sentences.flatMap(({ words }) => words)).intersection(stems).size;
  const shared = new Map(others.map(utterance => [utterance, countShared(utterance)]));
  const most = Math.max(1, ...shared.values());
  const sharesMost = (one: Utterance) => shared.get(one) === most;
  const answered = [isMeant, asks, sharesMost].map(is => others.filter(is)).find(found => found.length > 0);
  const people = new Set(answered?.map(({ speaker }) => speaker));
  const kept = utterances.filter(utterance => own.includes(utterance) || people.has(utterance.speaker));
  return toAnchor(kept, sentence) ?? whole;
}

/** In a group, reads the due date only from the owner and the first cited author. */
export function keepParticipants(whole: Anchor, owned: ItemOwner): Anchor {
  const isParticipants = (one: Utterance) => isOwners(one, owned) || isBySame(one, whole.utterances[0]);
  return toAnchor(whole.utterances.filter(isParticipants), whole.sentence) ?? whole;
}

/**
 * The cited messages and those next to them, as a model may cite the line beside the right one; in a group only those of
 * the owner, of the first cited author and of whoever answers that one.
 */
export function listAroundCited({ utterances: cited }: Anchor, owned: ItemOwner, { utterances, isGroup }: Conversation) {
  const answer = utterances[utterances.indexOf(cited[0]) + 1];
  const isParticipants = (one: Utterance) => one === answer || isOwners(one, owned) || isBySame(one, cited[0]);
  const isNear = (at: number) => utterances.slice(Math.max(0, at - 1), at + 2).some(one => cited.includes(one));
  return utterances.filter((one, at) => isNear(at) && (!isGroup || isParticipants(one)));
}

const isBySame = (one: Utterance, other: Utterance) => one.speaker === other.speaker && one.senderId === other.senderId;

function isOwners({ fromUser, speaker }: Utterance, { owner, ownerName }: ItemOwner): boolean {
  return owner === 'user' ? fromUser : speaker === ownerName;
}
