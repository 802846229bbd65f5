import type { Turn } from '../reading.ts';
import type { Clause } from './clauses.ts';
import type { Known } from './known.ts';
import { beside, isSameDeed, type Match } from './match.ts';
import type { Track } from './track.ts';
import { type About, isAssigned, isTied, type Tracks } from './tracks.ts';
import { mayBeVerb } from './words.ts';

/** For this many messages after a question or proposal, a yes answers it. */
const ANSWER_NEAR = 3;
/** The most words of a question that names a thing and nothing else. */
const MOST_BARE = 3;
/** The most words of a clause that names a day and little else. */
const MOST_BRIEF = 5;

/** "Did you send it?" – "Yes, this morning"; "Can we make it Monday?" – "Fine". */
export function answer(tracks: Tracks, clause: Clause, turn: Turn): boolean {
  const { accepts, isPending, saysYes } = clause;
  if (!accepts && !saysYes) return false;
  const { speaker, day } = turn.utterance;
  const isOpenTo = (call: { by: string; at: number } | null) =>
    call !== null && call.by !== speaker && turn.index - call.at <= ANSWER_NEAR;
  const proposed = tracks.all.find(track => isOpenTo(track.proposed) && track.mayMove(turn));
  if (accepts && proposed?.proposed) {
    const { messageId, day: to } = proposed.proposed;
    proposed.decide('moved', turn, { day: to, also: [messageId] });
    return true;
  }
  const asked = tracks.all.find(track => track.isOpen && isOpenTo(track.asked) && track.isDoer(turn));
  // "Ok", "sure, on it" only promises again; "yes, but half of it" leaves some open.
  const isYes = saysYes || clause.isDone;
  const left = tracks.clauses.filter(other => isLeftOpen(other));
  // "Booked. I'll fetch the cake on Saturday"
  const isBeside = (other: Clause) => clause.isDone && asked !== undefined && tracks.namesOther(asked, other);
  const isOnlyPromised = !left.every(isBeside);
  if (!asked?.asked || !isYes || isPending || isOnlyPromised || clause.days.some(date => date > day)) return false;
  // "The restaurant?" – "Booked": whether that is all that was promised, only its person knows.
  const isAll = left.length === 0 && (!asked.asked.isBare || isSameDeed(asked.known, clause));
  asked.isAskedNow = true;
  asked.decide(isAll ? 'done' : 'doubtful', turn, { also: [asked.asked.messageId] });
  return isAll;
}

function isLeftOpen({ isPending, isPartial, isFlawed, isElsewhere, folded, reading }: Clause): boolean {
  return isPending || isPartial || isFlawed || isElsewhere || reading.lexicon.acts.moment.test(folded);
}

export function ask(clause: Clause, track: Track, turn: Turn): void {
  const { speaker, messageId } = turn.utterance;
  const repeats = clause.reading.lexicon.acts.asksAgain.test(clause.folded);
  // "And the restaurant?"
  const isBare = clause.words.length <= MOST_BARE && clause.verbs.size === 0 && track.isOwedTo(turn);
  const asks = clause.asksWhether || repeats;
  if (!asks && !isBare) return;
  track.asked = { by: speaker, at: turn.index, messageId, isBare: !asks };
  // Whoever asks whether it was sent has not got it.
  if (track.isOwedTo(turn) && track.state === 'doubtful') track.reopen();
}

/** "It will be Thursday", "can we move it to Monday?" */
export function move(tracks: Tracks, clause: Clause, about: About[], turn: Turn): boolean {
  const { speaker, messageId, day: today } = turn.utterance;
  const track = movedBy(tracks, clause, about, turn);
  const { dueDate } = track?.known.promise ?? {};
  const to = clause.days.findLast(day => day !== dueDate && day >= today);
  // "Labels are ordered, they come on the 12th"
  const isKeptNow = track?.state === 'done' && track.decidedAt === turn.index;
  if (!track || isKeptNow || to === undefined || (to === today && dueDate === null)) return false;
  const binds = track.isDoer(turn) && !track.known.isMeeting && !clause.isQuestion;
  const others = besides(track.known, clause);
  const isBrief = others <= (track.spokenOf === turn.index ? 1 : 0) && clause.words.length <= MOST_BRIEF;
  const takesOn =
    clause.reading.moves.some(({ act, when }) => act === 'promise' && when?.date === to) &&
    (isBrief || isSameDeed(track.known, clause));
  const asks = clause.isPostponed || (clause.reading.proposes && track.known.isMeeting);
  if (binds && (clause.isPostponed || (clause.isPending && !clause.denies) || takesOn || isBrief))
    track.decide('moved', turn, { day: to });
  else if (asks && track.mayMove(turn)) track.proposed = { day: to, by: speaker, at: turn.index, messageId };
  else return false;
  track.speakOf(turn);
  return true;
}

/** The promise whose day is meant: named, just mentioned, or the only one of that day or that direction. */
function movedBy(tracks: Tracks, clause: Clause, about: About[], turn: Turn): Track | undefined {
  if (clause.days.length === 0 || clause.isDone) return undefined;
  const [first, ...more] = about.filter(({ match }) => isMeant(match, clause) && !isTied(match, about));
  if (first) return more.length === 0 ? first.track : undefined;
  if (about.length > 0) return undefined;
  const ofDay = tracks.ofDay(clause);
  if (ofDay && (clause.isPostponed || clause.isPending)) {
    ofDay.speakOf(turn);
    return ofDay;
  }
  const meets = clause.reading.lexicon.acts.meeting.test(clause.folded);
  const near = tracks.near(turn, ({ known }) => besides(known, clause) === 0 && (known.isMeeting || !meets));
  const inSentence = tracks.near(turn, ({ known, spokenOf }) => spokenOf === turn.index && besides(known, clause) <= 1);
  if (near ?? inSentence) return near ?? inSentence;
  if (clause.things.length > 0) return undefined;
  const meetings = tracks.all.filter(track => track.isOpen && track.known.isMeeting && isAssigned(track));
  if (clause.isPostponed && meetings.length === 1) return meetings[0];
  const mine = tracks.all.filter(track => track.isOpen && track.isDoer(turn) && isAssigned(track));
  const isSame = mine.filter(({ known }) => isSameDeed(known, clause));
  return isSame.length === 1 && clause.reading.moves.length > 0 ? isSame[0] : undefined;
}

function isMeant({ known, contradicts, shared, foreign }: Match, { reading }: Clause): boolean {
  const named = foreign.filter(word => !mayBeVerb(word, reading.lexicon) && !known.around.has(word));
  return !contradicts && named.length <= shared.length / 2;
}

/** Next to a day, a form that may be a noun is more likely a verb; and a promise that moves stays open anyway. */
function besides(known: Known, clause: Clause): number {
  return beside(known, clause).filter(word => !mayBeVerb(word, clause.reading.lexicon)).length;
}
