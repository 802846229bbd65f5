import { lexiconOf } from '../../languages/lexicon.ts';
import type { Turn } from '../reading.ts';
import type { Clause } from './clauses.ts';
import { type Known, mayBeHanded } from './known.ts';
import { beside, isSameDeed, isSameVerb } from './match.ts';
import type { Track } from './track.ts';
import { type About, isAssigned, isTied, type Tracks } from './tracks.ts';

/** For this many messages after something was handed over, a bare "received" means that. */
const LATELY = 4;

/** "Sent!", "the contract is signed" */
export function keep(tracks: Tracks, clause: Clause, about: About[], turn: Turn): void {
  const mine = about.filter(({ track }) => track.isDoer(turn) || hasMet(track, turn));
  if (mine.some(({ track }) => track.state === 'done' && track.decidedAt === turn.index)) return;
  if (about.length > 0) {
    for (const { track, match } of mine)
      if (!match.contradicts) keepNamed(tracks, { track, match }, clause, about, turn);
    return;
  }
  // The file that was handed over with these words has already told by its name.
  if (tracks.handed === turn && clause.deeds.has('sends')) return;
  const mayMean = (track: Track) => track.isDoer(turn) && beside(track.known, clause).length === 0;
  // "My colleague does the basin, I told him"
  const isLeft = (track: Track) =>
    tracks.clauses.some(
      other => isSameVerb(track.known, other) && !(other.isDone || other.isPastTense || other.isQuestion),
    );
  // "I can be there" on Thursday is not that the "check went out" on Wednesday; a bare "sent" may be.
  const isEarly = ({ known: { isThin, deeds, promise } }: Track) =>
    isThin &&
    deeds.size === 0 &&
    clause.words.length > 1 &&
    !clause.isGeneric &&
    (promise.dueDate ?? '') > turn.utterance.day;
  const isOther = (track: Track) =>
    isLessThan(track.known, clause) ||
    isLeft(track) ||
    isEarly(track) ||
    tracks.clauses.some(({ isFlawed }) => isFlawed) ||
    tracks.isOfSomethingElse(track, turn) ||
    tracks.hasDoneOther(track, clause, turn);
  const near = tracks.near(turn, mayMean);
  if (near) {
    const isClear = isSameDeed(near.known, clause) || clause.isGeneric;
    near.decide(isClear && !isOther(near) ? 'done' : 'doubtful', turn);
    if (!isOther(near)) near.claim(turn);
    return;
  }
  const owing = tracks.all.filter(track => track.isOpen && track.isDoer(turn) && isAssigned(track));
  const isOnly = (track: Track) => owing.length === 1 && owing[0] === track;
  // "Could you send it?" – "Will do" is all that "done" may mean.
  const isTold = (track: Track) => clause.isGeneric && track.known.isThin && isOnly(track);
  const fitting = owing.filter(track => mayMean(track) && (isSameDeed(track.known, clause) || isTold(track)));
  const [only, ...more] = fitting;
  if (fitting.length === 0) keepPayment(tracks, clause, turn);
  else if (only && more.length === 0) {
    // Whether the other side can get in is for them to say.
    const isGrant = only.known.deeds.has('opens') && clause.deeds.has('opens');
    only.decide(isOther(only) || isGrant ? 'doubtful' : 'done', turn);
    if (!isOther(only)) only.claim(turn);
  }
}

function keepNamed(tracks: Tracks, { track, match }: About, clause: Clause, about: About[], turn: Turn): void {
  const { known } = track;
  if (isWithOthers(known, clause)) return;
  const isLess = isLessThan(known, clause) || !track.isWhole(match.shared);
  const isMeant = match.isSure && !isTied(match, about) && !isLess && !tracks.mayMeanUntold(match);
  track.decide(isMeant && isSameDeed(known, clause) ? 'done' : 'doubtful', turn);
  track.isNamed = !isLess;
  const mayBeDeed = known.deeds.size === 0 || [...known.deeds].some(kind => clause.deeds.has(kind));
  if (isMeant && mayBeDeed) track.claim(turn);
}

/** "Just wired the 3,120", where it was not said how much was owed. */
function keepPayment(tracks: Tracks, clause: Clause, turn: Turn): void {
  const owing = tracks.all.filter(
    track => track.isOpen && track.isDoer(turn) && isAssigned(track) && isAmountOf(track.known, clause),
  );
  const [only, ...more] = owing;
  if (!only || more.length > 0) return;
  only.decide('doubtful', turn);
  only.claim(turn);
}

function isAmountOf(known: Known, clause: Clause): boolean {
  const isAmount = (word: string) => /^\d/.test(word);
  const isSettled = known.deeds.has('pays') && clause.deeds.has('pays');
  return isSettled && beside(known, clause).every(isAmount) && !/\d{3}.{0,20}(?:€|\$|£|₽)/u.test(known.said);
}

/** "The contract is with our lawyer": unless that was promised. */
function isWithOthers({ code, said }: Known, { isElsewhere }: Clause): boolean {
  return isElsewhere && !lexiconOf(code).promises.elsewhere.test(said);
}

/** In part, with flaws, or with a third person, unless that was promised: "fix the broken door". */
export function isLessThan(known: Known, clause: Clause): boolean {
  const { flawed, partial } = lexiconOf(known.code).promises;
  return (
    (clause.isPartial && !partial.test(known.said)) ||
    (clause.isFlawed && !flawed.test(known.said)) ||
    isWithOthers(known, clause)
  );
}

/** "Got the contract, thanks" */
export function arrive(tracks: Tracks, clause: Clause, about: About[], turn: Turn): void {
  const owed = about.filter(({ track }) => track.isOwedTo(turn) && mayBeHanded(track.known, 'pays'));
  for (const { track, match } of owed)
    if (!match.contradicts) {
      const isLess = isLessThan(match.known, clause) || !track.isWhole(match.shared);
      const isClear = match.isSure && !isTied(match, about) && !isLess && !tracks.mayMeanUntold(match);
      track.decide(isClear ? 'done' : 'doubtful', turn);
    }
  if (about.length > 0 || enter(tracks, clause, turn)) return;
  // "Payment arrived", where one is owed
  const owing = tracks.all.filter(
    track => track.isOpen && isAssigned(track) && track.isOwedTo(turn) && isPaid(track, clause),
  );
  const [payment, ...payments] = owing;
  if (payment && payments.length === 0) payment.decide('done', turn);
  if (payment || clause.things.length > 0) return;
  const lately = tracks.all.filter(
    track => track.isOwedTo(turn) && track.state !== null && turn.index - track.decidedAt <= LATELY,
  );
  const handed = lately.filter(({ state, isNamed }) => state === 'done' || (state === 'doubtful' && isNamed));
  const [only, ...more] = handed;
  if (only && more.length === 0) only.decide('done', turn);
}

/** "I'm in": closes the only promise to give access. */
function enter(tracks: Tracks, clause: Clause, turn: Turn): boolean {
  if (!clause.isEntered) return false;
  const [only, ...more] = tracks.all.filter(
    track => track.isOpen && isAssigned(track) && track.isOwedTo(turn) && track.known.deeds.has('opens'),
  );
  // Of two things that were promised, access may be one.
  if (only && more.length === 0) only.decide(only.known.parts.length > 1 ? 'doubtful' : 'done', turn);
  return only !== undefined;
}

/** Either side can say that a meeting took place, if it was due by now. */
function hasMet({ known }: Track, { utterance }: Turn): boolean {
  const { dueDate } = known.promise;
  return known.isMeeting && dueDate !== null && dueDate <= utterance.day;
}

function isPaid({ known }: Track, clause: Clause): boolean {
  return known.deeds.has('pays') && clause.deeds.has('pays') && beside(known, clause).length === 0;
}
