import { type Commitment, dated, newCommitment, type Person, pendingFor, timed, touch } from './commitments.ts';
import type { People } from './people.ts';
import type { Turn } from './reading.ts';
import { isOnSameDay } from './replies.ts';
import { isAbout } from './stems.ts';
import type { Move, Reading } from './types.ts';

const asksAgain = ({ lexicon, folded }: Reading) => lexicon.acts.asksAgain.test(folded);

/** Words of a sentence that names an hour and little else. */
const MOST_OF_HOUR = 7;

/** "Ruth?" */
const isMereName = ({ sentence: { isQuestion, words } }: Reading) => isQuestion && words.length === 1;

/** Questions and proposals, and how they change. */
export class Proposals {
  readonly #commitments: Commitment[];
  readonly #people: People;
  readonly #isGroup: boolean;

  constructor(commitments: Commitment[], people: People, isGroup: boolean) {
    this.#commitments = commitments;
    this.#people = people;
    this.#isGroup = isGroup;
  }

  /** Takes the sentence as a whole as a question or a proposal. */
  propose(reading: Reading, turn: Turn, speaker: Person): boolean {
    const { sentence, when, isMeeting, proposes, isSmallTalk, isMoment, isJoke } = reading;
    if (this.#isGroup && isMereName(reading) && this.#ping(reading, turn, speaker)) return true;
    if (isMoment || (isSmallTalk && (!when || (sentence.isQuestion && sentence.words.length > 4)))) return false;
    const isShort = sentence.words.length <= 7 || reading.accepts;
    const isCounter =
      proposes &&
      sentence.isQuestion &&
      when === null &&
      pendingFor(this.#commitments, turn, speaker, this.#isGroup).some(({ kind }) => kind === 'proposal');
    if (isCounter) return this.moveDay(reading, turn, speaker);
    const asksSomeone = reading.lexicon.acts.someone.test(reading.folded);
    const isProposal =
      !asksSomeone && when !== null && (sentence.isQuestion || proposes) && (isMeeting || proposes || isShort);
    // "Please hurry" is no question, but asks again all the same.
    if (!isProposal && !sentence.isQuestion && sentence.words.length <= 8 && asksAgain(reading))
      return this.#ping(reading, turn, speaker);
    if (!isProposal && (!sentence.isQuestion || reading.isTagged)) return false;
    if (isProposal && this.moveDay(reading, turn, speaker)) return true;
    const isAgain = asksAgain(reading);
    const isPing =
      sentence.isQuestion &&
      !isProposal &&
      sentence.words.length <= 6 &&
      (sentence.stems.length === 0 || isAgain || sentence.words.length === 1);
    if (isPing && this.#ping(reading, turn, speaker)) return true;
    const doer = this.#people.doerOf('listener', reading, speaker);
    const commitment = newCommitment(reading, turn, speaker);
    this.#commitments.push({
      ...commitment,
      kind: isProposal ? 'proposal' : 'question',
      doer,
      when: isProposal ? when : null,
      strength: isJoke ? 0.3 : 0.6,
    });
    return true;
  }

  /** "Better at 8": another hour of the day that the other side proposed. */
  namesOtherHour({ hour, sentence, isDone, refuses }: Reading, turn: Turn, speaker: Person): boolean {
    if (hour === null || isDone || (sentence.isQuestion && refuses) || sentence.words.length > MOST_OF_HOUR)
      return false;
    const pending = pendingFor(this.#commitments, turn, speaker, this.#isGroup);
    return pending.some(({ kind, when }) => kind === 'proposal' && when !== null && when.time !== hour);
  }

  /** Another day for what was proposed before. */
  moveDay(reading: Reading, turn: Turn, speaker: Person): boolean {
    const rival = this.#commitments.findLast(
      ({ kind, state, lastTurn }) => kind === 'proposal' && state !== 'done' && turn.index - lastTurn <= 8,
    );
    if (!rival || !(isOnSameDay(rival, reading) || isAbout(rival.stems, reading.sentence.stems))) return false;
    // "Yes, at three?" says yes and asks.
    const isShort = reading.sentence.words.length <= 8 || reading.accepts;
    if (!isShort && !(reading.isMeeting && !rival.isAccepted) && !isAbout(rival.stems, reading.sentence.stems))
      return false;
    touch(rival, reading, turn);
    const isDay = reading.when !== null && !(reading.when.isHour && reading.hour);
    rival.when = isDay && reading.when ? dated(rival, reading.when) : timed(rival.when, reading);
    rival.asker = speaker;
    rival.doer = this.#people.doerOf('listener', reading, speaker);
    rival.isAccepted = false;
    rival.state = 'open';
    return true;
  }

  /** "Any news?", "Ruth?": asks again for what is owed. */
  #ping(reading: Reading, turn: Turn, speaker: Person): boolean {
    const called = this.#isGroup ? this.#people.doerOf('listener', reading, speaker) : null;
    const isAgain = asksAgain(reading);
    const { day } = turn.utterance;
    const isOwed = ({ state, doer, asker, kind, readings }: Commitment) =>
      (isAgain || readings.at(-1)?.sentence.utterance.day === day) &&
      (called
        ? asker.name === speaker.name && kind !== 'promise'
        : state === 'open' && doer !== null && doer.name !== speaker.name);
    const owed = this.#commitments.findLast(isOwed);
    if (!owed || (called && reading.sentence.words.length > 2)) return false;
    touch(owed, reading, turn);
    owed.isAccepted = false;
    if (called) Object.assign(owed, { state: 'open', doer: called, isForAll: false });
    return true;
  }
}

/** "Can you come on Friday?" proposes a day. */
export function asksToMeet({ doer, deed, when }: Move, { sentence }: Reading): boolean {
  return sentence.isQuestion && when !== null && doer !== 'someone' && deed?.isVague === true;
}
