import { once } from '../../../../lib/once.ts';
import type { Media } from '../../../messenger/types.ts';
import type { Turn } from '../reading.ts';
import type { Clause } from './clauses.ts';
import { type Known, mentionsKind } from './known.ts';
import { beside, isSameVerb, matchOfFile } from './match.ts';
import type { Track } from './track.ts';
import type { Tracks } from './tracks.ts';
import { isSameWord } from './words.ts';

/** For this many messages after what may be the end, whoever it was promised to may thank for it, or say what is wrong. */
const ANSWER_NEAR = 2;

/** Words that only say that it has come: "got it, thanks". */
const MOST_BARE = 3;

/** A clause that is about no other promise. Most are not asked for more than that. */
type Part = {
  clause: Clause;
  isNamed: boolean;
  /** 2 where it names this promise, 1 where it names what was said around it. */
  near: () => number;
  /** It names only what was not promised: "ordered the lunch". */
  isElse: () => boolean;
};
type Heard = {
  tracks: Tracks;
  track: Track;
  turn: Turn;
  parts: Part[];
  files: Media[];
  isHanded: boolean;
  isNamed: boolean;
};

/**
 * A promise may have ended without a word that names it: by a file, a number or a "done" of whoever owed it, on its day,
 * and thanked for. Each of these says little, so they are counted: with enough of them, its person is asked.
 */
export function weigh(tracks: Tracks, track: Track, attachments: Media[], turn: Turn): void {
  if (turn.utterance.forwarded) return;
  const { index: at, utterance } = turn;
  const { known } = track;
  const files = attachments.filter(({ kind }) => kind !== 'voice' || mentionsKind(known, kind));
  const isNamed = files.some(
    ({ name, kind }) => matchOfFile(known, name)?.contradicts === false || mentionsKind(known, kind),
  );
  const isHanded = files.length > 0 || tracks.hasLink;
  const parts = tracks.clauses.flatMap(clause => partOf(tracks, track, clause) ?? []);
  const heard = { tracks, track, turn, parts, files, isHanded, isNamed };
  const isTouched = track.isRepliedTo(turn) || isNamed || parts.some(part => part.isNamed);
  if (isTouched && (files.length > 0 || tracks.clauses.some(({ isQuestion }) => !isQuestion)))
    track.news = { messageId: utterance.messageId, at };
  if (parts.some(isAgain) || tracks.clauses.some(clause => isAskedIn(tracks, track, clause))) track.isMissed = true;
  if (tracks.clauses.length > 0) goOn(track, turn);
  if (track.isOwedTo(turn)) answer(track, tracks.clauses, turn);
  // What answers another request ends that one.
  if (!isTouched && tracks.repliedTo(turn).length > 0) return;
  // "The quote is nearly ready"
  if (!isHanded && parts.some(isAgain) && track.isDoer(turn)) track.ending = null;
  const found = track.isDoer(turn) ? deliveryIn(heard) : track.isOwedTo(turn) ? receiptIn(heard) : 0;
  // "Did you fix the heating?" – "Yes, but it went off again"
  const isBare = () =>
    track.isNear(turn) &&
    !tracks.isOfSomethingElse(track, turn) &&
    tracks.clauses.every(clause => beside(known, clause).length === 0);
  const isDoubt = track.state === 'doubtful' && track.decidedAt === at;
  // "The restaurant?" – "Booked"
  const points = isDoubt ? Math.max(1, found) + (isTouched || track.isAskedNow || isBare() ? 2 : 0) : found;
  if (points > 0 && points >= (track.ending?.points ?? 0))
    track.ending = { points, by: utterance.speaker, at, messageId: utterance.messageId, isThanked: false };
}

/**
 * Where the two talk on after its day and neither asks for it, a promise was mostly kept without a word: its person is
 * asked. What no one owes is never overdue.
 */
function goOn(track: Track, turn: Turn): void {
  const { dueDate, direction } = track.known.promise;
  const isAfter = dueDate !== null && turn.utterance.day > dueDate && direction !== 'unassigned';
  if (isAfter && (track.isDoer(turn) || track.isOwedTo(turn))) track.goneOn = turn.utterance.messageId;
}

/** "And where is the plan?" */
function isAskedIn(tracks: Tracks, track: Track, clause: Clause): boolean {
  return clause.isQuestion && tracks.about(clause).some(one => one.track === track);
}

function isAgain({ isNamed, clause }: Part): boolean {
  return isNamed && isToCome(clause);
}

/** "Perfect, thanks"; "That's the old one" */
function answer(track: Track, clauses: Clause[], turn: Turn): void {
  const { ending, known } = track;
  const { utterance, index } = turn;
  if (!ending || ending.isThanked || ending.by === utterance.speaker || index - ending.at > ANSWER_NEAR) return;
  const isWrong = clauses.some((clause, at) => isLess(clause) && !clause.isQuestion && !isBeside(known, clauses, at));
  if (isWrong) ending.points = 0;
  else if (isKind(clauses, turn) && !clauses.some(({ isQuestion }) => isQuestion)) {
    Object.assign(ending, { points: ending.points + 1, isThanked: true });
    // "They arrived at 15:40" tells more than a file, "received" less.
    const tells = clauses.some(({ hasArrived, words }) => hasArrived && words.length > MOST_BARE);
    if (tells) track.news = { messageId: utterance.messageId, at: index };
  }
}

/** "Thanks, looks good. He even replaced the old cable": once thanks are said, what names none of it is another matter. */
function isBeside(known: Known, clauses: Clause[], at: number): boolean {
  const isThankedBefore = clauses.slice(0, at).some(({ isThanks, hasArrived }) => isThanks || hasArrived);
  const things = clauses[at]?.things ?? [];
  const isOfIt = things.some(thing => known.things.some(other => isSameWord(other, thing, known.code)));
  return isThankedBefore && things.length > 0 && !isOfIt;
}

/** A file without words that is answered with anything but thanks or a yes may be the wrong one: "That's September". */
export function doubtFiles({ all, clauses }: Tracks, turn: Turn): void {
  if (clauses.length === 0 || isKind(clauses, turn)) return;
  for (const track of all) {
    const isAnswered = track.state === 'done' && turn.index - track.decidedAt <= ANSWER_NEAR && track.isOwedTo(turn);
    if (!track.isByFile || !isAnswered) continue;
    const { ending } = track;
    track.reopen();
    track.ending = ending;
  }
}

/** Thanks, a yes, praise, or that it has come. */
function isKind(clauses: Clause[], { readings }: Turn): boolean {
  return (
    clauses.some(({ isThanks, hasArrived }) => isThanks || hasArrived) ||
    readings.some(({ accepts, folded, lexicon }) => accepts || lexicon.acts.positive.test(folded))
  );
}

/** How much a message of whoever owes it sounds like the end. */
function deliveryIn({ tracks, track, turn, parts, files, isHanded, isNamed }: Heard): number {
  const { deeds, isThin } = track.known;
  if (files.length === 0 && parts.some(({ clause }) => isLess(clause))) return 0;
  if (files.some(({ name }) => matchOfFile(track.known, name)?.contradicts)) return 0;
  // "I got the invoice" of whoever is to pay it is no end.
  const told = parts.filter(({ clause, isElse }) => isTold(clause) && !clause.hasArrived && !isElse());
  const isDue = isDueBy(track, turn);
  // "3301448207", on its day
  const isValue = !isHanded && told.length === 0;
  const hasValue =
    parts.some(({ clause }) => /\d/.test(clause.folded)) && !parts.some(({ clause }) => isToCome(clause));
  if (isValue && !(isDue && hasValue)) return 0;
  const isExpected = isHanded && (isNamed || deeds.has('sends') || (deeds.size === 0 && isThin));
  const signs = [isHanded, isExpected, told.length > 0, isValue, isDue].filter(Boolean).length;
  const relation = relationIn(track, isHanded || isValue ? parts : told);
  // "Big Steve got no text" – "sent again, try now"
  if (relation === 0 && !isHanded && !isValue && tracks.isOfSomethingElse(track, turn)) return 0;
  return signs + Math.max(relation, isNamed ? 2 : 0) + (track.isRepliedTo(turn) ? 2 : 0);
}

/** "Thanks for the heater" */
function receiptIn({ track, turn, parts }: Heard): number {
  const says = parts.some(({ clause }) => clause.isThanks || clause.hasArrived || clause.isDone);
  if (!says) return 0;
  const named = parts.filter(({ near }) => near() > 0);
  const isLeft =
    turn.readings.some(({ sentence }) => sentence.isQuestion) || parts.some(({ clause }) => isToCome(clause));
  if (isLeft || named.length === 0 || parts.some(({ clause }) => isLess(clause))) return 0;
  return 1 + relationIn(track, named) + (isDueBy(track, turn) ? 1 : 0);
}

function isLess({ isFlawed, denies, isPartial, isElsewhere }: Clause): boolean {
  return isFlawed || denies || isPartial || isElsewhere;
}

function isTold({ isDone, isPastTense }: Clause): boolean {
  return isDone || isPastTense;
}

function isToCome(clause: Clause): boolean {
  const { isToDo, isPostponed, days, reading } = clause;
  const isLater = days.some(date => date > reading.sentence.utterance.day);
  return !isTold(clause) && (isToDo || isPostponed || isLess(clause) || isLater);
}

function isDueBy({ known }: Track, { utterance }: Turn): boolean {
  const { dueDate } = known.promise;
  return dueDate !== null && dueDate <= utterance.day;
}

function relationIn({ known }: Track, parts: Part[]): number {
  const isDeed = (clause: Clause) =>
    (isSameVerb(known, clause) && !clause.isGeneric) || [...clause.deeds].some(kind => known.deeds.has(kind));
  return Math.max(0, ...parts.map(({ clause, near, isElse }) => near() + (isDeed(clause) && !isElse() ? 1 : 0)));
}

function partOf(tracks: Tracks, { known }: Track, clause: Clause): Part | null {
  const about = tracks.about(clause);
  const isNamed = about.some(({ track, match }) => track.known === known && !match.contradicts);
  if (clause.isQuestion || (about.length > 0 && !isNamed)) return null;
  const isAround = () =>
    clause.things.some(thing => [...known.around].some(word => isSameWord(word, thing, known.code)));
  const near = once(() => (isNamed ? 2 : isAround() ? 1 : 0));
  const isElse = once(() => near() === 0 && !known.isThin && !known.isUntold && beside(known, clause).length > 0);
  return { clause, isNamed, near, isElse };
}
