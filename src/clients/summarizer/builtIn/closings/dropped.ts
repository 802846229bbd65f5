import type { Turn } from '../reading.ts';
import type { Clause } from './clauses.ts';
import type { Known } from './known.ts';
import { isOnlyAnswered, isSameDeed, isSameVerb } from './match.ts';
import type { Track } from './track.ts';
import { type About, isAssigned, isTied, type Tracks } from './tracks.ts';

/** "Not needed any more" */
export function drop(tracks: Tracks, clause: Clause, about: About[], turn: Turn): void {
  for (const { track, match } of about) {
    if (match.contradicts || isOfOtherDay(track, clause)) continue;
    // Who promised to cancel the order and says that it is cancelled has kept the promise.
    const isKept = match.known.isDropping && track.isDoer(turn);
    const state = isKept ? 'done' : match.known.isDropping ? 'doubtful' : 'cancelled';
    const isMeant = !isOnlyAnswered(match.known, match.shared) || track.isOwedTo(turn);
    const isClear = isMeant && match.isSure && !isTied(match, about) && !isOtherDeed(match.known, clause);
    track.decide(isClear ? state : 'doubtful', turn);
  }
  if (about.length === 0 && clause.things.length === 0) dropUnnamed(tracks, clause, turn);
}

/** "Forget it" means what was mentioned last, or the only thing that is owed to the speaker. */
function dropUnnamed(tracks: Tracks, clause: Clause, turn: Turn): void {
  const ofDay = tracks.ofDay(clause);
  const owed = tracks.all.filter(track => track.isOpen && isAssigned(track) && track.isOwedTo(turn));
  const [first, ...more] = owed;
  const only = more.length === 0 ? first : undefined;
  const track = clause.days.length > 0 ? ofDay : (tracks.near(turn, () => true) ?? only);
  if (!track) return;
  // "Could you bring a cable? Ah, never mind"
  const isBeside = tracks.clauses
    .slice(0, tracks.clauses.indexOf(clause))
    .some(other => other.isQuestion && tracks.namesOther(track, other));
  const isOther = isBeside || tracks.isOfSomethingElse(track, turn) || isOtherDeed(track.known, clause);
  const isDay = clause.days.length > 0 && !isSameVerb(track.known, clause) && !isSameDeed(track.known, clause);
  track.decide(isOther || isDay ? 'doubtful' : 'cancelled', turn);
}

/** "You don't have to come on Friday" is of the promise that is due then, and of no other. */
function isOfOtherDay({ known }: Track, { days }: Clause): boolean {
  return days.some(day => day !== known.promise.dueDate);
}

/** "No need to pay the invoice" doesn't cancel a promise to send it. */
function isOtherDeed({ deeds }: Known, clause: Clause): boolean {
  return deeds.size > 0 && clause.deeds.size > 0 && ![...deeds].some(kind => clause.deeds.has(kind));
}
