import type { Media } from '../../../messenger/types.ts';
import type { Turn } from '../reading.ts';
import type { Clause } from './clauses.ts';
import { isLessThan } from './kept.ts';
import { mayBeHanded } from './known.ts';
import { isOnlyAnswered, type Match, weightOf } from './match.ts';
import type { Track } from './track.ts';
import { isTied, type Tracks } from './tracks.ts';
import { isSameWord } from './words.ts';

/** The least of what was asked about that an answer names. */
const LEAST_NAMED = 2;

/** What was asked on an earlier day is answered by whom it was asked. */
export function answerAsked(tracks: Tracks, attachments: Media[], turn: Turn): void {
  if (turn.utterance.forwarded) return;
  const decidedNow = tracks.all.some(({ decidedAt }) => decidedAt === turn.index);
  const asked = tracks.all.filter(track => track.isOpen && track.isAskedFor && track.isDoer(turn));
  for (const track of asked) {
    if (track.state !== null) continue;
    const state = attachments.length > 0 ? answerByFile(tracks, track) : answerInWords(tracks, track, turn);
    if (state === null) continue;
    // What ended one matter may have answered another, or not.
    track.decide(decidedNow ? 'doubtful' : state, turn, { isAnswered: true });
    if (!decidedNow) track.claim(turn, { isShown: true });
  }
}

type Answered = 'done' | 'doubtful' | null;

/** "As asked: price and recall procedure", with a file: its words name all that was asked for. */
function answerByFile(tracks: Tracks, track: Track): Answered {
  const told = namedIn(tracks, track);
  if (told.length === 0 || !mayBeHanded(track.known, 'tells')) return null;
  const isWhole = told.map(({ shared }) => track.isWhole(shared)).some(Boolean);
  const isMeant = told.some(({ isSure }) => isSure) && !tracks.clauses.some(clause => isLessThan(track.known, clause));
  return isWhole && isMeant ? 'done' : 'doubtful';
}

/** In reply to the question, or in its words: whoever asked may confirm it with a word of thanks. */
function answerInWords(tracks: Tracks, track: Track, turn: Turn): Answered {
  const { clauses } = tracks;
  const isReply = track.isRepliedTo(turn);
  const at = clauses.findIndex(clause => tells(clause, isReply));
  if (at < 0 || clauses.some(clause => clause.isDropped || takesOn(clause))) return null;
  if (clauses.slice(0, at).some(({ isQuestion: asks }) => asks)) return null;
  const named = namedIn(tracks, track).flatMap(({ shared }) => shared);
  const isNamed = weightOf([...new Set(named)]) >= Math.min(LEAST_NAMED, track.known.things.length);
  // "The probes: they go down to -40. How many?"
  const isOpening = isQuestion(track) && clauses[0]?.things[0] !== undefined && isOf(track, clauses[0].things[0]);
  if (!isReply && !isOpening && !(isNamed && named.length > 0)) return null;
  const asksBack = clauses.some(({ isQuestion: asks }) => asks);
  if (asksBack && !isOpening && !isReply) return null;
  return isReply && isQuestion(track) && !asksBack ? 'done' : 'doubtful';
}

function isOf({ known }: Track, thing: string): boolean {
  return known.things.some(other => isSameWord(other, thing, known.code));
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

/** It is still to come: "not yet", "tomorrow". "Up to 60 cm" and "I can do 31 each" are answers. */
function takesOn({ reading, folded, isPostponed }: Clause): boolean {
  const { moves, isConditional, lexicon } = reading;
  const hasFigure = /\d/.test(folded);
  const isToCome = isPostponed || isConditional || (!hasFigure && lexicon.promises.pending.test(folded));
  return isToCome || moves.some(({ act }) => act === 'promise' || (act === 'offer' && !hasFigure));
}

/** It asks to be told something, and for nothing to be done. */
function isQuestion({ known }: Track): boolean {
  return /[?？؟]/u.test(known.promise.text) && known.deeds.size === 0;
}
