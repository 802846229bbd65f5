import { type Conversation, DAY, type Sentence, type Utterance } from './conversation.ts';
import { everywhere } from './languages/cues.ts';
import { isSecret } from './masking.ts';

/** A sentence with what it is worth to someone who was not there. */
export type Ranked = { sentence: Sentence; worth: number };

/** Factors on a sentence's worth, chosen with all of the bench's days in view: no part of them was kept apart for a check. */
const SHARED = 1.6;
const BINDING = 1.4;
const INTENT = 1.5;
const UNCLEAR = 0.7;
const OPENING = 1.6;
const CLOSING = 1.1;
/** For each day before the last: what is older is mostly settled. */
const OLDER = 0.6;
const SHORT = 6;
const LENGTH_POWER = 0.8;
const LONGEST = 45;

/**
 * Every sentence that may stand in a summary, in the order it was said. Worth: how much of what the day was about is
 * in it (words both sides came back to count most), whether something is settled or asked in it, and where it stands:
 * conversations open with their matter and close with what comes of it.
 */
export function rank(conversation: Conversation): Ranked[] {
  const said = conversation.utterances.flatMap(({ sentences }) => sentences);
  const weights = weighStems(said);
  const standing = standingOf(conversation);
  return said.flatMap(sentence => {
    if (isSmallTalk(sentence) || isSecret(sentence.text) || sentence.words.length > 2 * LONGEST) return [];
    return [{ sentence, worth: centrality(sentence, weights) * kindFactor(sentence) * standing(sentence.utterance) }];
  });
}

/** What an utterance gains by where it stands in the last day, or loses by standing before it. */
function standingOf({ utterances, recent }: Conversation): (utterance: Utterance) => number {
  const last = utterances.at(-1)?.sentAt.getTime() ?? 0;
  const places = new Map(recent.map((utterance, index) => [utterance, index / Math.max(recent.length - 1, 1)]));
  return utterance => {
    const place = places.get(utterance);
    return place === undefined ? OLDER ** Math.ceil((last - utterance.sentAt.getTime()) / DAY) : placeFactor(place);
  };
}

/** Whether nothing is left of a sentence without its greetings, thanks and yeses. */
export function isSmallTalk({ folded, stems, words, isQuestion, utterance: { pack } }: Sentence): boolean {
  if (stems.length === 0) return true;
  if (words.length > 8) return false;
  const rest = folded.replaceAll(everywhere(pack.smallTalk), ' ');
  return rest !== folded && stems.length <= 1 && rest.trim().split(/\s+/).length <= (isQuestion ? 1 : 2);
}

function weighStems(sentences: Sentence[]): Map<string, number> {
  const counts = new Map<string, { times: number; speakers: Set<string> }>();
  for (const { stems, utterance } of sentences) {
    for (const stem of stems) {
      const count = counts.get(stem) ?? { times: 0, speakers: new Set() };
      count.times += 1;
      count.speakers.add(utterance.speaker);
      counts.set(stem, count);
    }
  }
  return new Map(
    [...counts].map(([stem, { times, speakers }]) => [stem, Math.log2(1 + times) * (speakers.size > 1 ? SHARED : 1)]),
  );
}

/** Weight of the words per length, with short sentences kept from winning by one word. */
function centrality({ stems, words }: Sentence, weights: Map<string, number>): number {
  const sum = stems.reduce((total, stem) => total + (weights.get(stem) ?? 0), 0);
  return sum / Math.max(words.length, SHORT) ** LENGTH_POWER / (words.length > LONGEST ? 2 : 1);
}

function kindFactor(sentence: Sentence): number {
  const { pack } = sentence.utterance;
  const { folded, isQuestion } = sentence;
  const clear = pack.dangling.test(folded) ? UNCLEAR : 1;
  if (isQuestion) return clear;
  if (pack.promise.test(folded) || pack.request.test(folded)) return clear * BINDING;
  return pack.intent.test(folded) ? clear * INTENT : clear;
}

function placeFactor(place: number): number {
  if (place <= 0.15) return OPENING;
  return place >= 0.8 ? CLOSING : 1;
}
