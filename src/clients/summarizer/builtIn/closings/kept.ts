import type { MediaKind } from '../../languages/types.ts';
import type { Turn } from '../reading.ts';
import type { Clause } from './clauses.ts';
import { type Known, mentionsKind } from './known.ts';
import { beside, bestOf, isSameDeed, isTelling, matchOf, matchOfFile } from './match.ts';
import type { Track } from './track.ts';
import { type About, isAssigned, isTied, type Tracks } from './tracks.ts';

/** A bare "done" that could mean more promises than these is left alone. */
const MOST_IN_DOUBT = 3;
/** So many messages after something was handed over a bare "received" means it. */
const LATELY = 4;

export type Attachment = { kind: MediaKind; name: string };

/** "Sent!", "the contract is signed" */
export function keep(tracks: Tracks, clause: Clause, about: About[], turn: Turn): void {
  const mine = about.filter(({ track }) => track.isDoer(turn) || hasMet(track, turn));
  if (mine.some(({ track }) => track.state === 'done' && track.decidedAt === turn.index)) return;
  if (about.length > 0) {
    for (const { track, match } of mine) {
      const isClear = match.isSure && isSameDeed(track.known, clause) && !isTied(match, about);
      if (!match.contradicts) track.decide(isClear ? 'done' : 'doubtful', turn);
      track.isNamed = !match.contradicts;
    }
    return;
  }
  // What was handed over with these words has told by its name.
  if (tracks.handed === turn && clause.deeds.has('sends')) return;
  const mayMean = (track: Track) => track.isDoer(turn) && beside(track.known, clause).length === 0;
  const near = tracks.near(turn, mayMean);
  if (near) {
    const isClear = isSameDeed(near.known, clause) || clause.isGeneric;
    near.decide(isClear && !tracks.isOfSomethingElse(near, turn) ? 'done' : 'doubtful', turn);
    return;
  }
  const fitting = tracks.all.filter(
    track => track.isOpen && mayMean(track) && isAssigned(track) && isSameDeed(track.known, clause),
  );
  const [only, ...more] = fitting;
  if (only && more.length === 0) only.decide(tracks.isOfSomethingElse(only, turn) ? 'doubtful' : 'done', turn);
  else if (fitting.length <= MOST_IN_DOUBT) for (const track of fitting) track.decide('doubtful', turn);
}

/** "Got the contract, thanks" */
export function arrive(tracks: Tracks, clause: Clause, about: About[], turn: Turn): void {
  const owed = about.filter(({ track }) => track.isOwedTo(turn) && handsOver(track.known));
  for (const { track, match } of owed)
    if (!match.contradicts) track.decide(match.isSure && !isTied(match, about) ? 'done' : 'doubtful', turn);
  if (about.length > 0) return;
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

/** A file or a picture, with what is said of it in the same message. */
export function hand(tracks: Tracks, { kind, name }: Attachment, clauses: Clause[], turn: Turn): void {
  const mine = tracks.all.filter(track => track.isOpen && track.isDoer(turn) && mayBeFile(track.known));
  const matches = bestOf(mine.flatMap(({ known }) => matchOfFile(known, name) ?? []));
  const presents = clauses.some(({ isDone, deeds }) => isDone && deeds.has('sends'));
  if (matches.length > 0) {
    for (const match of matches) {
      const isClear = (match.isSure || (presents && !match.contradicts)) && matches.length === 1;
      if (!match.contradicts) tracks.of(match.known).decide(isClear ? 'done' : 'doubtful', turn);
    }
    return;
  }
  const named = mine.filter(({ known }) => mentionsKind(known, kind));
  const fitting = named.length > 0 ? named : mine.filter(({ known }) => known.deeds.has('sends'));
  const [only, ...more] = fitting;
  if (!only || more.length > 0 || !isAssigned(only)) return;
  // What its name or the caption names is another thing.
  const open = tracks.all.map(({ known }) => known);
  if (clauses.some(clause => clause.things.length > 0 && !matchOf(only.known, clause, open))) return;
  const isUnnamed = !isTelling(name, only.known);
  if (!isUnnamed && isInLetters(only.known, name)) return;
  if (named.length === 0 && !presents) return;
  only.decide(isUnnamed && !tracks.isOfSomethingElse(only, turn) ? 'done' : 'doubtful', turn);
}

/** Where it is not, its name may be the same word in other letters. */
function isInLetters({ things }: Known, name: string): boolean {
  const isLatin = (text: string) => /\p{Script=Latin}/u.test(text);
  return things.some(isLatin) || !isLatin(name);
}

/** Of a meeting that was to be by now either side can tell. */
function hasMet({ known }: Track, { utterance }: Turn): boolean {
  const { dueDate } = known.promise;
  return known.isMeeting && dueDate !== null && dueDate <= utterance.day;
}

function isPaid({ known }: Track, clause: Clause): boolean {
  return known.deeds.has('pays') && clause.deeds.has('pays') && beside(known, clause).length === 0;
}

/** Received is what was to be sent or paid, or what nobody put a name to. */
function handsOver({ deeds, isMeeting }: Known): boolean {
  return deeds.has('sends') || deeds.has('pays') || (deeds.size === 0 && !isMeeting);
}

function mayBeFile({ deeds, isMeeting }: Known): boolean {
  return deeds.has('sends') || (deeds.size === 0 && !isMeeting);
}
