import { isDeepStrictEqual } from 'node:util';
import type { Turn } from './reading.ts';
import { alike, isAbout } from './stems.ts';
import type { Deed, Move, Reading } from './types.ts';
import type { When } from './when.ts';

export type Person = { name: string; isUser: boolean };
type CommitmentKind = 'promise' | 'request' | 'offer' | 'proposal' | 'question';

/** What a message binds someone to, or asks of them, and whether it is settled, dropped or left open. */
export type Commitment = {
  kind: CommitmentKind;
  /** Who spoke of it first. */
  asker: Person;
  /** Who is to do it; null where no one was named. */
  doer: Person | null;
  deed: Deed | null;
  /** What was said about it, oldest first. */
  readings: Reading[];
  stems: Set<string>;
  strength: number;
  when: When | null;
  /** Put as a question: an answer in other words settles it. */
  isQuestion: boolean;
  isAccepted: boolean;
  /** Asked of everyone in a group, each for their own part. */
  isForAll: boolean;
  state: 'open' | 'done' | 'dropped' | 'answered';
  /** What settled or dropped it. */
  outcome: Reading | null;
  /** The turns in which it was first and last spoken of. */
  firstTurn: number;
  lastTurn: number;
};

/** For this many turns, a yes or no still means what was asked. */
export const REPLY_NEAR = 6;
const MOST_READINGS = 10;
/** For this many turns, a promise still answers a request. */
const NEAR = 8;

export function touch(commitment: Commitment, reading: Reading, turn: Turn): void {
  if (!commitment.readings.includes(reading) && commitment.readings.length < MOST_READINGS)
    commitment.readings.push(reading);
  for (const stem of reading.sentence.stems) commitment.stems.add(stem);
  commitment.lastTurn = turn.index;
}

/** What is to be answered: the first words about it, or, once the other side has proposed another day, theirs. */
export function questionOf({ readings, asker }: Pick<Commitment, 'readings' | 'asker'>): Reading | undefined {
  const [first] = readings;
  const isTheirs = ({ sentence }: Reading) => sentence.utterance.speaker === asker.name;
  if (!first || isTheirs(first)) return first;
  return readings.findLast(reading => isTheirs(reading) && reading.when !== null) ?? first;
}

/** One person's part of what was asked of all. */
export function copyFor(commitment: Commitment, doer: Person, reading: Reading, turn: Turn): Commitment {
  return {
    ...commitment,
    doer,
    isForAll: false,
    isAccepted: true,
    strength: commitment.strength + 0.3,
    readings: [...commitment.readings.slice(0, 1), reading],
    stems: new Set(commitment.stems),
    firstTurn: turn.index,
    lastTurn: turn.index,
  };
}

/** "Ok, one of us has to": agreed, by no one in particular. */
export function leaveOpen(commitment: Commitment, reading: Reading, turn: Turn): true {
  Object.assign(commitment, { isForAll: false, doer: null, strength: commitment.strength + 0.3 });
  if (reading.when) commitment.when = merged(commitment.when, reading.when);
  touch(commitment, reading, turn);
  return true;
}

/** Whether a reply begins with its yes or with its no. */
export function firstOf({ accepts, refuses, sentence }: Reading): 'accepts' | 'refuses' | null {
  if (accepts && refuses) return 'accepts';
  if (refuses) return 'refuses';
  return accepts && !sentence.isQuestion ? 'accepts' : null;
}

export function merged(before: When | null, now: When | null): When | null {
  if (!now) return before;
  if (now.isHour && before) return { ...before, time: now.time };
  if (before && isSameWeekday(before, now) && now.date < before.date)
    return { ...before, time: now.time ?? before.time };
  return { ...now, time: now.time ?? (before?.date === now.date || before?.time ? (before?.time ?? null) : null) };
}

/** The same once a reply names nothing but an hour of that day. */
export function timed(when: When | null, { hour }: Pick<Reading, 'hour'>): When | null {
  return when && hour ? { ...when, time: hour } : when;
}

/** A commitment's day once a reply names one: if several days were offered, the one that the reply means. */
export function dated({ when, readings }: Commitment, now: When): When | null {
  const slots = readings.flatMap(({ slots: offered }) => offered);
  const slot = slots.find(one => one.date >= now.date && isSameWeekday(one, now));
  if (!slot || slot.date === now.date) return merged(when, now);
  return slot.time && !now.time ? slot : merged(when, { ...slot, time: now.time ?? slot.time });
}

/** "Friday it is" means the Friday just named. */
function isSameWeekday(before: When, now: When): boolean {
  return (Date.parse(before.date) - Date.parse(now.date)) % (7 * 86_400_000) === 0;
}

type Closing = { said: string[]; turn: number; near: number; today: string; isFile: boolean };

/** The commitment that "done" or a file closes: one about the same thing, or the most recent one. */
export function closing(
  commitments: Commitment[],
  speaker: Person,
  { said, turn, near, today, isFile }: Closing,
): Commitment | undefined {
  const mine = commitments.filter(
    ({ state, doer, kind, asker, isQuestion, stems }) =>
      state === 'open' &&
      kind !== 'question' &&
      (kind !== 'proposal' || (isFile && isAbout(stems, said))) &&
      (doer?.name === speaker.name ||
        ((doer === null || isQuestion) && asker.name !== speaker.name && kind === 'request')),
  );
  const stemmed = mine.findLast(({ stems }) => isAbout(stems, said));
  if (stemmed) return stemmed;
  const late = mine.filter(({ lastTurn }) => turn - lastTurn <= near);
  const due = late.filter(({ when }) => when === null || when.date <= today);
  return due.at(-1);
}

type Promised = { move: Move; doer: Person | null; stems: Set<string> };

/** The commitment that a promise or request mentions again. */
export function samePromise(
  commitments: Commitment[],
  { move, doer, stems }: Promised,
  turn: Turn,
  speaker: Person,
): Commitment | undefined {
  const open = commitments.filter(({ state, kind }) => state === 'open' && kind !== 'question' && kind !== 'proposal');
  const isVague = move.deed?.isVague ?? true;
  // "Shall I send it?" – "Send it": a yes in the words of the offer.
  const offered =
    move.act === 'request' && move.deed?.isVague
      ? open.findLast(
          commitment =>
            isOfferAsked(commitment) && commitment.asker.name === doer?.name && turn.index - commitment.lastTurn <= 2,
        )
      : undefined;
  if (offered) return offered;
  if (move.act === 'promise') {
    const asked = open.filter(
      ({ asker, kind, doer: of, lastTurn, isForAll }) =>
        asker.name !== speaker.name &&
        kind === 'request' &&
        !isForAll &&
        (of === null || of.name === doer?.name) &&
        turn.index - lastTurn <= NEAR,
    );
    // "Shall I draw up the order?" – "Please do" – "Will do"
    const wanted = isVague
      ? open.findLast(
          ({ kind, isAccepted, doer: of, lastTurn }) =>
            kind === 'offer' && isAccepted && of?.name === speaker.name && turn.index - lastTurn <= 2,
        )
      : undefined;
    if (wanted) return wanted;
    const about = asked.findLast(commitment => overlap(commitment.stems, stems) >= 0.5);
    const isNext = ({ isAccepted, lastTurn }: Commitment) =>
      turn.index - lastTurn <= 2 && (!isAccepted || lastTurn === turn.index);
    const isSaidOf = (commitment: Commitment) => isVague || overlap(commitment.stems, stems) > 0;
    const next = asked.findLast(commitment => isNext(commitment) && isSaidOf(commitment));
    if (about ?? next) return about ?? next;
  }
  return open.findLast(commitment => {
    if (!isDeepStrictEqual(commitment.doer, doer)) return false;
    if (move.deed && commitment.deed?.words === move.deed.words) return true;
    if (commitment.asker.name !== speaker.name) return overlap(commitment.stems, stems) >= 0.6;
    if (commitment.lastTurn === turn.index && commitment.readings.at(-1)?.moves.includes(move))
      return isVague && commitment.when === null;
    const isRepeated =
      commitment.kind !== 'offer' &&
      turn.index - commitment.lastTurn <= 2 &&
      isVague &&
      move.when !== null &&
      move.act === 'promise' &&
      overlap(commitment.stems, stems) > 0;
    return overlap(commitment.stems, stems) >= 0.6 || isRepeated;
  });
}

function overlap(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (some.size === 0 || others.size === 0) return 0;
  const shared = [...others].filter(stem => [...some].some(other => alike(stem, other))).length;
  return shared / Math.min(some.size, others.size);
}

export function isCalled(name: string, reading: Reading | undefined): boolean {
  if (!reading) return false;
  const { sentence } = reading;
  const first = name.toLowerCase().split(' ')[0] ?? '';
  return first !== '' && (sentence.words.includes(first) || sentence.folded.includes(`@${first}`));
}

/** With laughter in the same message, a promise is hardly meant. */
export function isJoking(reading: Reading, { readings }: Turn): boolean {
  return reading.isJoke || (readings.at(-1)?.isJoke ?? false);
}

/** The other side waits for an answer: to a question, to a proposed day, to "who pays for that?" between two people. */
export function awaitsAnswer(commitment: Commitment): boolean {
  const {
    kind,
    isAccepted,
    doer,
    readings: [first],
  } = commitment;
  if (isOfferAsked(commitment)) return true;
  if (kind === 'question' || isAccepted) return kind === 'question';
  return kind === 'proposal' || (kind === 'request' && doer !== null && first !== undefined && asksForSomeone(first));
}

/** "Shall I send it tomorrow?", before anyone has said yes. */
export function isOfferAsked({ kind, isAccepted, readings: [first] }: Commitment): boolean {
  return kind === 'offer' && !isAccepted && first?.sentence.isQuestion === true;
}

function asksForSomeone({ sentence, folded, moves, lexicon }: Reading): boolean {
  return sentence.isQuestion && lexicon.acts.asksWho.test(folded) && moves.some(({ doer }) => doer === 'someone');
}

/** A question, until more is known of it. */
export function newCommitment(reading: Reading, turn: Turn, asker: Person): Commitment {
  return {
    kind: 'question',
    asker,
    doer: null,
    deed: null,
    readings: [reading],
    stems: new Set(reading.sentence.stems),
    strength: 0.6,
    when: null,
    isQuestion: reading.sentence.isQuestion,
    isAccepted: false,
    isForAll: false,
    state: 'open',
    outcome: null,
    firstTurn: turn.index,
    lastTurn: turn.index,
  };
}

/** What the others recently asked or proposed and no one has answered yet, the latest last. */
export function pendingFor(commitments: Commitment[], turn: Turn, speaker: Person, isGroup: boolean): Commitment[] {
  return commitments.filter(
    ({ state, isAccepted, asker, doer, kind, lastTurn, isForAll, isQuestion, readings }) =>
      state === 'open' &&
      (!isAccepted || isForAll) &&
      asker.name !== speaker.name &&
      kind !== 'promise' &&
      turn.index - lastTurn <= REPLY_NEAR &&
      (doer === null ||
        doer.name === speaker.name ||
        doer.name === asker.name ||
        (isQuestion && isGroup && !isCalled(doer.name, readings[0]))),
  );
}
