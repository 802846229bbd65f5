import type { Utterance } from '../conversation.ts';
import { isSecret } from '../masking/mask.ts';
import { hasFiniteVerb, withoutOpening } from './english/sentenceParts.ts';
import type { Token } from './english/tagger.ts';
import { isOfSeveralDays, isOfTwoTalks, type Turn } from './reading.ts';
import type { Reading } from './types.ts';

/** A sentence and its worth to someone who was not there. */
export type Worthy = { reading: Reading; worth: number };

const SHARED = 1.5;
const SHORT = 6;
const LENGTH_POWER = 0.8;
const LONGEST = 45;
/** The least worth of a threat by the other side, even if the talk never comes back to its words. */
const THREAT = 2.2;
/** The text that comes with such media is only its label. */
const NO_WORDS: ReadonlySet<string> = new Set(['location', 'contact', 'poll', 'sticker']);

/**
 * Every sentence that a summary may quote, in the order in which they were said. Its worth: how many recurring words it
 * has, whether it decides something, states facts or reports a problem, and how late it comes.
 */
export function weigh(turns: Turn[], names: ReadonlySet<string>, { fragments, refused }: Answered): Worthy[] {
  const readings = turns.flatMap(({ readings: of, utterance }) =>
    utterance.forwarded || NO_WORDS.has(utterance.media ?? '') ? [] : of,
  );
  const weights = weighStems(readings);
  const places = isOfSeveralDays(turns) ? placesOfSeveral(turns) : null;
  const isOfTwo = isOfTwoTalks(turns);
  return readings.flatMap((reading, at) => {
    const { sentence, isSmallTalk, isMoment } = reading;
    if (
      isSmallTalk ||
      isMoment ||
      fragments.has(reading) ||
      // An open question is told as a task. Any other would look open, too, if it stood alone.
      sentence.isQuestion ||
      isGreeting(sentence.words, names) ||
      isSecret(sentence.text) ||
      sentence.words.length > 2 * LONGEST
    )
      return [];
    const isOver = !isOfTwo && sentence.utterance.day !== turns.at(-1)?.utterance.day;
    const acts = actFactor(reading, isOver) * (refused.has(sentence.utterance) ? 0.3 : 1);
    const where = places ? (places.get(sentence.utterance) ?? 1) * courtesy(reading) : place(at, readings.length);
    const worth = centrality(reading, weights) * acts * openingFactor(reading, names) * where;
    const isThreat = !sentence.utterance.fromUser && reading.lexicon.acts.threat.test(reading.folded);
    return [{ reading, worth: isThreat ? Math.max(worth, THREAT) : worth }];
  });
}

const TOO_LITTLE =
  /(?<!\p{L})(?:too (?:late|early|expensive|dear|much|long|slow|small|big|far)|(?:do not|don't) like|(?:would|'d) rather not)(?!\p{L})/u;

/** Sentences whose worth depends on what was said right before or after them. */
export type Answered = {
  /** "Tim or Anders, by name": the answer to a question, meaningless without it. */
  fragments: ReadonlySet<Reading>;
  /** "By October." – "That is too late.": what the other side rejected at once is not the outcome. */
  refused: ReadonlySet<Utterance>;
};

export function answeredIn(turns: Turn[]): Answered {
  const refused = turns.filter((turn, at) => isRefused(turn, turns[at + 1])).map(({ utterance }) => utterance);
  return { fragments: fragmentsInReply(turns), refused: new Set(refused) };
}

function isRefused({ utterance }: Turn, next: Turn | undefined): boolean {
  if (!next || next.utterance.speaker === utterance.speaker || next.utterance.day !== utterance.day) return false;
  return next.readings.slice(0, 2).some(({ folded, lexicon }) => lexicon.code === 'en' && TOO_LITTLE.test(folded));
}

function fragmentsInReply(turns: Turn[]): Set<Reading> {
  const found = turns.flatMap(({ readings, utterance }, at) => {
    const before = turns[at - 1];
    const isReply = before?.utterance.day === utterance.day && before.utterance.speaker !== utterance.speaker;
    const isAsked = isReply && before.readings.findLast(isSaid)?.sentence.isQuestion;
    const first = readings.find(isSaid);
    const tokens = first?.tokens && withoutOpening(first.tokens, first.voices);
    const opening = tokens?.slice(0, commaOf(tokens));
    return isAsked && first && opening && !first.sentence.isQuestion && !hasFiniteVerb(opening) ? first : [];
  });
  return new Set(found);
}

const isSaid = ({ isSmallTalk, sentence }: Reading) => !isSmallTalk || sentence.isQuestion;

function commaOf(tokens: Token[]): number | undefined {
  const at = tokens.findIndex(({ low }) => low === ',');
  return at < 0 ? undefined : at;
}

/** Groups the sentences by message. */
export function byMessage(worthy: Worthy[]): Worthy[][] {
  return [...Map.groupBy(worthy, ({ reading }) => reading.sentence.utterance).values()];
}

/** A name and hardly more: "Hi Callum!" */
function isGreeting(words: string[], names: ReadonlySet<string>): boolean {
  return words.length <= 4 && words.some(word => names.has(word)) && words.filter(word => !names.has(word)).length <= 2;
}

function weighStems(readings: Reading[]): Map<string, number> {
  const counts = new Map<string, { times: number; speakers: Set<string> }>();
  for (const { sentence } of readings) {
    for (const stem of sentence.stems) {
      const count = counts.get(stem) ?? { times: 0, speakers: new Set() };
      count.times += 1;
      count.speakers.add(sentence.utterance.speaker);
      counts.set(stem, count);
    }
  }
  return new Map(
    [...counts].map(([stem, { times, speakers }]) => [stem, Math.log2(1 + times) * (speakers.size > 1 ? SHARED : 1)]),
  );
}

/** The weight of its words relative to its length; a short sentence must not win by a single word. */
function centrality({ sentence: { stems, words } }: Reading, weights: Map<string, number>): number {
  const sum = stems.reduce((total, stem) => total + (weights.get(stem) ?? 0), 0);
  return sum / Math.max(words.length, SHORT) ** LENGTH_POWER / (words.length > LONGEST ? 2 : 1);
}

/** A figure, but no phone number. */
export const FIGURE = /(?<![\p{N}+]|\p{N}[ -])\p{N}{1,6}(?!\p{N}|[ -]\p{N}{2})/u;

const WANTS = /(?<!\p{L})(?:wants?|needs?|asks? for|would like)(?!\p{L})/u;

/** "I bought it online": nothing before the pronoun in its sentence says what. */
function isDangling(tokens: Token[]): boolean {
  // "That is the second time this year"
  if (/^(?:that|this)$/.test(tokens[0]?.low ?? '') && tokens[1]?.pos === 'AUX') return true;
  const at = tokens.findIndex(({ low }, index) => index > 0 && POINTING.test(low) && !isIntroductory(tokens, index));
  return at > 0 && !tokens.slice(0, at).some(({ pos }) => pos === 'NOUN' || pos === 'PROPN');
}

const POINTING = /^(?:it|them|that|this|these|those|there|one|ones|him|her)$/;

/** "There is", "it is late", "that man", "I think that". */
function isIntroductory(tokens: Token[], at: number): boolean {
  const next = tokens[at + 1];
  return next !== undefined && /^(?:AUX|NOUN|ADJ|DET|PROPN|PRON|NUM)$/.test(next.pos);
}

/** "Please do not write to me again": short, but still the outcome of the talk. */
function forbids(tokens: Token[]): boolean {
  const at = tokens[0]?.low === 'please' ? 1 : 0;
  const [first, second, verb] = tokens.slice(at);
  return first?.low === 'do' && second?.low === 'not' && verb?.pos === 'VERB' && !SOOTHING.test(verb.low);
}

/** "Don't worry" forbids nothing. */
const SOOTHING = /^(?:worry|forget|mention|mind|think|hesitate|bother|panic|cry|say|tell|get)$/;

function actFactor(
  { folded, sentence, tokens, lexicon: { acts }, isConditional, isVague, refuses }: Reading,
  isOver: boolean,
): number {
  let factor = sentence.isQuestion ? 0.9 : 1;
  // "15 is not possible" is a decision, too.
  if (acts.decides.test(folded) || (refuses && sentence.words.length <= 7 && FIGURE.test(sentence.text))) factor *= 1.4;
  if (acts.threat.test(folded)) factor *= 2;
  else if (acts.outage.test(folded) || acts.negative.test(folded)) factor *= 1.25;
  if (FIGURE.test(sentence.text)) factor *= 1.2;
  // What was wanted days ago is either done or told as an open task.
  if (acts.needs.test(folded)) factor *= isOver ? 0.5 : 1.15;
  else if (isOver && WANTS.test(folded)) factor *= 0.5;
  if (tokens && isDangling(tokens)) factor *= 0.5;
  if (tokens && forbids(tokens)) factor *= 3.5;
  if (isVague || (isConditional && !FIGURE.test(sentence.text))) factor *= 0.8;
  return factor;
}

/** "Harrow Foods, Gate B, Leeds LS10": a figure among names, and no verb. */
function isAddress(text: string): boolean {
  const words = text.split(/\s+/u).filter(word => /\p{L}/u.test(word));
  const names = words.filter(word => /^\P{L}*\p{Lu}/u.test(word));
  return words.length >= 3 && /,/u.test(text) && /\d/u.test(text) && names.length >= 0.8 * words.length;
}

/** Introductions, "see attached" and fragments of a word or two count for less. */
function openingFactor({ folded, sentence, tokens, lexicon: { acts } }: Reading, names: ReadonlySet<string>): number {
  const [first = ''] = sentence.utterance.speaker.toLowerCase().split(' ');
  const isOwnName = names.has(first) && sentence.words.includes(first);
  const isAttached = /\b(?:attached|enclosed|find attached)\b/.test(folded);
  const isFragment = (sentence.words.length < 4 || (tokens && !hasFiniteVerb(tokens))) && !FIGURE.test(sentence.text);
  const isCourtesy = /^(?:(?:ok|okay|fine|well|nah|hey|hi|hello|oh),? ){0,3}(?:sorry|excuse me|forget)(?!\p{L})/u.test(
    folded,
  );
  return isAddress(sentence.text) ||
    acts.introduction.test(folded) ||
    isOwnName ||
    isAttached ||
    isFragment ||
    isCourtesy
    ? 0.4
    : 1;
}

/** A day opens with its topic and ends with the outcome. In a language that we can't read, only the end counts. */
function placeOnLastDay({ pack }: Utterance, share: number): number {
  const isUnknown = pack.grammar === null && pack.code !== 'en';
  return isUnknown ? 1 + 2 * share : Math.max(share === 0 ? 1.5 : 1, 1 + 0.8 * share);
}

/** "Thanks for the call, that was fun" */
function courtesy({ folded, sentence, lexicon: { acts } }: Reading): number {
  return acts.smallTalk.test(folded.slice(0, 12)) && !FIGURE.test(sentence.text) ? 0.4 : 1;
}

/** Users know what they said themselves days ago. */
const OWN = 0.7;

/**
 * Over several days, what counts most is how the last one ended, above all what the other side said last. Of an earlier
 * day, its opening and its end count.
 */
function placesOfSeveral(turns: Turn[]): Map<Utterance, number> {
  const last = turns.at(-1)?.utterance.day;
  const days = Map.groupBy(turns, ({ utterance }) => utterance.day);
  const places = [...days.values()].flatMap(day => {
    const lastOfUser = day.findLastIndex(({ utterance }) => utterance.fromUser);
    return day.map(({ utterance }, at): [Utterance, number] => [
      utterance,
      utterance.day === last
        ? placeOnLastDay(utterance, at / day.length) * (at > lastOfUser ? 1.5 : 1)
        : place(at, day.length, OPENING_OF_SEVERAL) * (utterance.fromUser ? OWN : 1),
    ]);
  });
  return new Map(places);
}

/** The factor for the opening of a talk: of a single day, and of one that is followed by others. */
const OPENING = 2.2;
const OPENING_OF_SEVERAL = 1.7;

/** Talks open with their topic and close with the outcome. */
function place(at: number, of: number, opening = OPENING): number {
  const share = at / Math.max(of - 1, 1);
  if (share <= 0.2) return opening;
  return share >= 0.75 ? 1.4 : 1;
}
