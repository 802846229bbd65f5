import { type Commitment, copyFor, dated, type Person, touch } from './commitments.ts';
import type { Turn } from './reading.ts';
import { isOfDay, isOnSameDay } from './replies.ts';
import { isAbout } from './stems.ts';
import type { Reading } from './types.ts';
import type { When } from './when.ts';

/** "Can you send it by Friday?" – "Not before Monday": a reply of little more than a day. */
export function isDayGiven({ kind, isQuestion }: Commitment, { sentence, when, moves }: Reading): boolean {
  if (kind !== 'request' || !isQuestion || !when || when.isHour) return false;
  const others = sentence.stems.filter(stem => !isOfDay(stem, when) && !/\d/.test(stem));
  return !sentence.isQuestion && moves.length === 0 && others.length <= 1 && sentence.words.length <= 6;
}

/** "By Wednesday, then": a day for what was just mentioned. */
export function addDay(commitments: Commitment[], reading: Reading, turn: Turn, speaker: Person): void {
  const isWish = reading.isSmallTalk && reading.sentence.words.length > 2;
  if (reading.when?.time && !reading.isConditional && addHour(commitments, reading, reading.when, turn)) return;
  if (!reading.when || isWish || reading.isConditional) return;
  if (reading.sentence.words.length > 12) return;
  const commitment = commitments.findLast(
    commitment =>
      commitment.state === 'open' &&
      commitment.kind !== 'question' &&
      turn.index - commitment.lastTurn <= 3 &&
      isOnSameDay(commitment, reading),
  );
  if (!commitment) return;
  if (commitment.isForAll && commitment.asker.name !== speaker.name) {
    commitments.push({ ...copyFor(commitment, speaker, reading, turn), when: reading.when });
    return;
  }
  const isDoer = commitment.doer?.name === speaker.name || commitment.doer === null;
  const others = reading.sentence.stems.filter(
    stem => !isOfDay(stem, reading.when) && !isAbout(commitment.stems, [stem]),
  );
  if (others.length > (commitment.when && commitment.kind !== 'proposal' ? 0 : 2)) return;
  if (commitment.when && !isDoer && commitment.kind !== 'proposal' && commitment.lastTurn !== turn.index) return;
  commitment.when = dated(commitment, reading.when);
  if (isDoer && commitment.asker.name !== speaker.name && !commitment.isAccepted) {
    commitment.isAccepted = true;
    commitment.strength += 0.3;
  }
  touch(commitment, reading, turn);
}

/** "About the draft: the meeting is on Monday at 9": adds the hour to a commitment that is due on that day. */
function addHour(commitments: Commitment[], reading: Reading, { date, time }: When, turn: Turn): boolean {
  const commitment = commitments.findLast(
    ({ state, kind, when, stems }) =>
      state === 'open' &&
      (kind === 'request' || kind === 'promise') &&
      when?.date === date &&
      when.time === null &&
      isAbout(stems, reading.sentence.stems),
  );
  if (!commitment?.when) return false;
  commitment.when = { ...commitment.when, time };
  touch(commitment, reading, turn);
  return true;
}

/** Messages after it in which whoever named a day may take it back, if no one else has spoken. */
const CORRECTED_NEAR = 2;

/** "No wait, I'm not here then. Friday is enough": another day for what its speaker just asked for or promised. */
export function correctDay(commitments: Commitment[], reading: Reading, turn: Turn, speaker: Person): boolean {
  const { index, readings, spokeBefore } = turn;
  const { when, moves, sentence } = reading;
  if (!when || when.isHour || moves.length > 0) return false;
  const isTakenBack = readings.some(
    ({ sentence: said, lexicon, index: at }) => at <= reading.index && lexicon.acts.refuses.test(said.folded),
  );
  if (!isTakenBack) return false;
  const isOwn = ({ state, asker, readings: said, lastTurn, when: before }: Commitment) =>
    state === 'open' &&
    asker.name === speaker.name &&
    before !== null &&
    before.date !== when.date &&
    lastTurn > spokeBefore &&
    index - lastTurn <= CORRECTED_NEAR &&
    said.at(-1)?.sentence.utterance.speaker === speaker.name;
  const commitment = commitments.findLast(isOwn);
  if (!commitment) return false;
  // "Friday?" asks anew.
  if (sentence.isQuestion) {
    commitment.state = 'dropped';
    return false;
  }
  commitment.when = when;
  touch(commitment, reading, turn);
  return true;
}
