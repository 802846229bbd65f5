import type { Media } from '../../../messenger/types.ts';
import type { Turn } from '../reading.ts';
import type { Clause } from './clauses.ts';
import { isLessThan } from './kept.ts';
import { mayBeHanded } from './known.ts';
import { isOnlyAnswered, type Match } from './match.ts';
import type { Track } from './track.ts';
import { isTied, type Tracks } from './tracks.ts';

/** The least of what was asked about that an answer names. */
const LEAST_NAMED = 2;

/** What was asked on an earlier day is answered by whom it was asked. */
export function answerAsked(tracks: Tracks, attachments: Media[], turn: Turn): void {
  if (turn.utterance.forwarded) return;
  const decidedNow = tracks.all.some(({ decidedAt }) => decidedAt === turn.index);
  const asked = tracks.all.filter(track => track.isOpen && track.isAskedFor && track.isDoer(turn));
  for (const track of asked) {
    if (decidedNow || track.state !== null) continue;
    if (attachments.length > 0) answerByFile(tracks, track, turn);
    else answerInWords(tracks, track, turn);
  }
}

/** "As asked: price and recall procedure", with a file: its words name all that was asked for. */
function answerByFile(tracks: Tracks, track: Track, turn: Turn): void {
  const told = namedIn(tracks, track);
  if (told.length === 0 || !mayBeHanded(track.known, 'tells')) return;
  const isWhole = told.map(({ shared }) => track.isWhole(shared)).some(Boolean);
  const isMeant = told.some(({ isSure }) => isSure) && !tracks.clauses.some(clause => isLessThan(track.known, clause));
  track.decide(isWhole && isMeant ? 'done' : 'doubtful', turn, { isAnswered: true });
  track.claim(turn, { isShown: true });
}

/** In reply to the question, or in its words: whoever asked may confirm it with a word of thanks. */
function answerInWords(tracks: Tracks, track: Track, turn: Turn): void {
  const isReply = track.isRepliedTo(turn);
  if (!tracks.clauses.some(clause => tells(clause, isReply))) return;
  if (tracks.clauses.some(clause => clause.isQuestion || clause.isDropped || takesOn(clause))) return;
  const isSure = isReply && isQuestion(track);
  const named = namedIn(tracks, track).flatMap(({ shared }) => shared);
  const isNamed = new Set(named).size >= Math.min(LEAST_NAMED, track.known.things.length);
  if (!isReply && !(isNamed && named.length > 0)) return;
  track.decide(isSure ? 'done' : 'doubtful', turn, { isAnswered: true });
  track.claim(turn, { isShown: true });
}

function namedIn(tracks: Tracks, track: Track): Match[] {
  return tracks.clauses.flatMap(clause => {
    if (clause.isQuestion || takesOn(clause)) return [];
    const about = tracks.about(clause);
    return about
      .filter(({ track: other, match }) => other === track && !match.contradicts && !isTied(match, about))
      .map(({ match }) => match)
      .filter(match => !isOnlyAnswered(match.known, match.shared) || match.known.isThin);
  });
}

/** "No" is an answer. */
function tells({ isQuestion: asks, denies, isThanks, things, folded, accepts }: Clause, isReply: boolean): boolean {
  return !asks && (things.length > 0 || /\d/.test(folded) || (isReply && (accepts || denies || !isThanks)));
}

/** It is still to come: "not yet", "tomorrow". */
function takesOn({ reading, folded, isPostponed }: Clause): boolean {
  const { moves, isConditional, lexicon } = reading;
  const isToCome = isPostponed || isConditional || lexicon.promises.pending.test(folded);
  return isToCome || moves.some(({ act }) => act === 'promise' || act === 'offer');
}

/** It asks to be told something, and for nothing to be done. */
function isQuestion({ known }: Track): boolean {
  return /[?？؟]/u.test(known.promise.text) && known.deeds.size === 0;
}
