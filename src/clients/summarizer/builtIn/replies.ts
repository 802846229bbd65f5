import type { Commitment, Person } from './commitments.ts';
import { opensDone, type Turn } from './reading.ts';
import { isAbout } from './stems.ts';
import type { Move, Reading } from './types.ts';
import type { When } from './when.ts';

/** Whether the stem belongs to a word that names the day. */
export function isOfDay(stem: string, when: When | null): boolean {
  return when?.words.toLowerCase().includes(stem) ?? false;
}

/** "You'll have it by Monday": it doesn't say what. */
export function isOnlyDay({ sentence, when }: Reading): boolean {
  return sentence.stems.every(stem => isOfDay(stem, when));
}

/** On another day, only a yes or a word of what was asked makes a reply; anything else begins something new. */
export function mayAnswer(commitment: Commitment, reading: Reading): boolean {
  return isOnSameDay(commitment, reading) || reading.accepts || isAbout(commitment.stems, reading.sentence.stems);
}

/** Whether it was said on the day on which the commitment was last mentioned. */
export function isOnSameDay({ readings }: Commitment, { sentence }: Reading): boolean {
  return readings.at(-1)?.sentence.utterance.day === sentence.utterance.day;
}

/** "One way.", "Always.": hardly any content, but no mere courtesy. */
export function isBriefAnswer({ sentence, folded, lexicon }: Reading): boolean {
  return sentence.words.length > 1 && !lexicon.acts.smallTalk.test(folded);
}

/** An answer counts for all questions of one message, because there is no telling which one it is for. */
export function isAskedWith(commitment: Commitment, other: Commitment): boolean {
  const isSame = other.kind === 'question' && other.state === 'open' && commitment.kind === 'question';
  return other === commitment || (isSame && other.firstTurn === commitment.firstTurn);
}

/** A message in quotation marks is the text that someone had to write. */
export function isWording({ sentences: [first] }: Turn['utterance']): boolean {
  return first !== undefined && first.words.length > 5 && /^["“„«]/u.test(first.text);
}

/** "Could you perhaps send it?" is polite, not vague. */
export function isTooVague({ isVague, sentence }: Reading, { act, deed, when }: Move): boolean {
  const isPolite = act === 'request' && sentence.isQuestion && deed?.isVague === false;
  return isVague && !when && !isPolite;
}

/** How much less certain a commitment without its object is: "can you upload it?" at least means some thing. */
export function doubtOf({ deed }: Move): number {
  return deed?.isVague ? 0.25 : 0;
}

/** The stems of what is to be done, where they can be told from the rest of the sentence; else all but its day's. */
export function stemsOf({ deed, when }: Move, { sentence }: Reading): string[] {
  const words = deed?.words.toLowerCase() ?? '';
  // "I'll send it on Monday" is the same as "I'll send it on Thursday": the day names no thing.
  const stems = sentence.stems.filter(stem => !isOfDay(stem, when));
  const own = stems.filter(stem => words.includes(stem));
  return own.length > 0 ? own : stems;
}

/** "The 21st could work, but I have to check": only the check is left to do, and nothing is agreed. */
export function settleUnsure(commitments: Commitment[], { readings, index }: Turn): void {
  const checks = ({ moves, lexicon }: Reading) =>
    moves.some(
      ({ act, deed }) => act === 'promise' && lexicon.grammar?.looks.includes(deed?.words.split(' ')[0] ?? ''),
    );
  if (!readings.some(checks)) return;
  for (const commitment of commitments) {
    if (commitment.kind === 'proposal' && commitment.state === 'open' && commitment.lastTurn === index)
      Object.assign(commitment, { state: 'answered', outcome: commitment.readings.at(-1) ?? null });
  }
}

/** "Sent it": a longer sentence is only about what it names. */
export function isOnlyDone({ sentence, lexicon }: Reading): boolean {
  return sentence.words.length <= 6 || opensDone(sentence, lexicon);
}

/** "Not tomorrow" refuses, "no, on Friday" proposes. */
export function namesOtherDay({ when }: Commitment, reading: Reading): boolean {
  return reading.when !== null && reading.when.date !== when?.date;
}

/** "Spoken to the driver. Monday it is": the answer proper is still to come. */
export function answersNext({ kind }: Commitment, { index }: Reading, { readings }: Turn): boolean {
  return kind === 'proposal' && readings.some(({ accepts, when, index: at }) => at > index && accepts && when !== null);
}

/** For this many turns after a promise, "got it" means what was promised. */
const RECEIVED_NEAR = 3;

/** Settles what the other side had to hand over and this reply says has arrived. */
export function settleReceived(commitments: Commitment[], reading: Reading, turn: Turn, speaker: Person): void {
  const { received, negation } = reading.lexicon.acts;
  const { folded, sentence } = reading;
  if (sentence.isQuestion || !received.test(folded) || negation.test(folded)) return;
  // "What about the letter?" – "I received it": this answers the question, and isn't about something promised.
  const isAsked = commitments.some(
    ({ kind, state, asker, lastTurn }) =>
      kind === 'question' && state === 'open' && asker.name !== speaker.name && lastTurn === turn.index - 1,
  );
  if (isAsked) return;
  const commitment = commitments.findLast(
    ({ state, kind, doer, lastTurn }) =>
      state === 'open' &&
      (kind === 'promise' || kind === 'request') &&
      doer !== null &&
      doer.name !== speaker.name &&
      turn.index - lastTurn <= RECEIVED_NEAR,
  );
  if (commitment) Object.assign(commitment, { state: 'done', outcome: reading });
}
