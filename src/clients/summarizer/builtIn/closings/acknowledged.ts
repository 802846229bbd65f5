import type { Turn } from '../reading.ts';
import type { Clause } from './clauses.ts';
import type { Known } from './known.ts';
import { beside } from './match.ts';
import type { Track } from './track.ts';
import { type About, isTied, type Tracks } from './tracks.ts';

/** For this many messages after something seemed kept, a "thanks" means that. */
const ANSWER_NEAR = 3;

/** "The checkout is live" – "Thanks": whoever it was promised to confirms what the words alone left in doubt. */
export function acknowledge(tracks: Tracks, turn: Turn): void {
  const { clauses } = tracks;
  if (clauses.some(({ denies, isPartial, isFlawed }) => denies || isPartial || isFlawed)) return;
  for (const track of tracks.all) {
    // "Great! And the list?" asks for something else.
    const asks = clauses.some(({ isQuestion }) => isQuestion);
    if (!asks && isAwaited(tracks, track, turn) && clauses.some(clause => thanksFor(track, clause)))
      track.decide('done', turn);
  }
}

function isAwaited({ otherDone }: Tracks, track: Track, turn: Turn): boolean {
  const { claimed, state } = track;
  if (!claimed || state !== 'doubtful' || claimed.by === turn.utterance.speaker) return false;
  const isOther = otherDone !== null && otherDone.index >= claimed.at;
  return !isOther && track.isOwedTo(turn) && turn.index - claimed.at <= ANSWER_NEAR;
}

function thanksFor({ claimed, known }: Track, clause: Clause): boolean {
  const { folded, isThanks, hasArrived, accepts, reading } = clause;
  const isKind = claimed?.isShown === true && (accepts || reading.lexicon.acts.positive.test(folded));
  return (isThanks || hasArrived || isKind) && beside(known, clause).length === 0;
}

/** "Two of the plans are out. The third follows": partly kept is not kept. */
export function leaveInPart(tracks: Tracks, turn: Turn): void {
  for (const track of tracks.all) {
    const since = turn.index - track.decidedAt;
    const isFresh = track.state === 'done' && (since === 0 || (since === 1 && track.isDoer(turn)));
    const isPart = (clause: Clause) => {
      const about = tracks.about(clause);
      if (about.length > 0) return about.some(other => other.track === track) && (clause.isPartial || clause.isFlawed);
      // "I rang the bank, but nobody answered"
      return (since === 0 && clause.isFlawed) || (clause.isPartial && beside(track.known, clause).length === 0);
    };
    if (isFresh && tracks.clauses.some(isPart)) {
      track.reopen();
      track.decide('doubtful', turn);
    }
  }
}

/** "Delivery is on the 18th" keeps a promise to name a day. The day that it names doesn't move the promise. */
export function tell(clause: Clause, about: About[], turn: Turn): boolean {
  const { isQuestion, isToDo, isDropped, deeds, reading } = clause;
  if (isQuestion || isToDo || isDropped || deeds.has('tells')) return false;
  if (reading.moves.some(({ act }) => act === 'promise')) return false;
  const told = about.filter(({ track, match }) => track.isDoer(turn) && isToTell(match.known) && match.isSure);
  const [only, ...more] = told;
  if (!only || more.length > 0 || isTied(only.match, about)) return false;
  const isDay = clause.days.some(day => day >= turn.utterance.day);
  if (!isDay && !/\d/.test(clause.folded)) return false;
  only.track.decide(isDay ? 'done' : 'doubtful', turn);
  only.track.claim(turn, { isShown: true });
  return true;
}

/** "Recording of the webinar: https://…" hands it over, "the address: 14 Dock Road" may. */
export function present(tracks: Tracks, clause: Clause, about: About[], turn: Turn): void {
  const { isQuestion, isPending, isDropped, folded } = clause;
  const isLess = clause.isPartial || clause.isFlawed || clause.isElsewhere;
  if (isQuestion || isPending || isDropped || isLess || clause.reading.moves.length > 0) return;
  const [only, ...more] = about.filter(
    ({ track, match }) => track.isOpen && track.isDoer(turn) && match.isSure && match.known.deeds.has('sends'),
  );
  if (!only || more.length > 0 || isTied(only.match, about)) return;
  const next = tracks.clauses[tracks.clauses.indexOf(clause) + 1];
  const hasValue =
    /\d/.test(folded) || (next?.things.length !== undefined && /\d/.test(next.folded) && !next.isPending);
  if (!tracks.hasLink && (!hasValue || clause.verbs.size > 0)) return;
  only.track.decide(tracks.hasLink ? 'done' : 'doubtful', turn);
  only.track.claim(turn, { isShown: true });
}

const OTHER_DEEDS = ['sends', 'pays', 'signs', 'calls', 'books', 'repairs'] as const;

function isToTell({ deeds, isMeeting }: Known): boolean {
  return deeds.has('tells') && !isMeeting && !OTHER_DEEDS.some(kind => deeds.has(kind));
}
