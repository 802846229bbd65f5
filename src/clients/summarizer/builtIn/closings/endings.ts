import type { Turn } from '../reading.ts';
import type { Clause } from './clauses.ts';
import type { Attachment } from './handed.ts';
import { mentionsKind } from './known.ts';
import { beside, isSameVerb, matchOfFile } from './match.ts';
import type { Track } from './track.ts';
import type { Tracks } from './tracks.ts';
import { isSameWord } from './words.ts';

/** For this many messages after what may be the end, whoever it was promised to may thank for it, or say what is wrong. */
const ANSWER_NEAR = 2;

type Heard = { tracks: Tracks; track: Track; turn: Turn; files: Attachment[] };

/**
 * A promise may have ended without a word that names it: by a file, a number or a "done" of whoever owed it, on its day,
 * and thanked for. Each of these says little, so they are counted: with enough of them, its person is asked.
 */
export function weigh(tracks: Tracks, track: Track, attachments: Attachment[], turn: Turn): void {
  if (turn.utterance.forwarded) return;
  const { utterance, index: at } = turn;
  const files = attachments.filter(({ kind }) => kind !== 'voice' || mentionsKind(track.known, kind));
  const heard = { tracks, track, turn, files };
  const isTouched =
    track.isRepliedTo(turn) || isNamedFile(heard) || tracks.clauses.some(clause => nearnessOf(heard, clause) > 1);
  const tells = files.length > 0 || tracks.clauses.some(({ isQuestion }) => !isQuestion);
  if (isTouched && tells) track.news = { messageId: utterance.messageId, at };
  if (track.isOwedTo(turn)) answer(heard);
  if (track.isDoer(turn) && isOpenAgain(heard)) track.ending = null;
  const found = track.isDoer(turn) ? deliveryIn(heard) : track.isOwedTo(turn) ? receiptIn(heard) : 0;
  const isDoubt = track.state === 'doubtful' && track.decidedAt === at;
  // "Did you fix the heating?" – "Yes, but it went off again"
  const isMeant =
    isTouched || (track.isNear(turn) && tracks.clauses.every(clause => beside(track.known, clause).length === 0));
  const points = isDoubt ? Math.max(1, found) + (isMeant ? 2 : 0) : found;
  const isHanded = files.length > 0 || tracks.hasLink;
  const before = track.ending ?? { points: 0, isHanded: false };
  if (points > before.points || (points > 0 && points === before.points && (isHanded || !before.isHanded)))
    track.ending = { points, by: utterance.speaker, at, messageId: utterance.messageId, isHanded, isThanked: false };
}

/** "Perfect, thanks"; "That's the old one" */
function answer({ tracks: { clauses }, track, turn: { utterance, index, readings } }: Heard): void {
  const { ending } = track;
  if (!ending || ending.isThanked || ending.by === utterance.speaker || index - ending.at > ANSWER_NEAR) return;
  const isKind =
    clauses.some(({ isThanks, hasArrived }) => isThanks || hasArrived) ||
    readings.some(({ accepts, folded, lexicon }) => accepts || lexicon.acts.positive.test(folded));
  if (clauses.some(isLess)) track.ending = null;
  else if (isKind && !clauses.some(({ isQuestion }) => isQuestion))
    Object.assign(ending, { points: ending.points + 1, isThanked: true });
}

function isLess({ isFlawed, denies, isPartial }: Clause): boolean {
  return isFlawed || denies || isPartial;
}

function isTold({ isDone, isPastTense }: Clause): boolean {
  return isDone || isPastTense;
}

function isToCome(clause: Clause): boolean {
  const { isToDo, isPostponed, isElsewhere, days, reading } = clause;
  const isLater = days.some(date => date > reading.sentence.utterance.day);
  return !isTold(clause) && (isToDo || isPostponed || isElsewhere || isLess(clause) || isLater);
}

/** "The quote is nearly ready", "the hotel is booked, the room comes later" */
function isOpenAgain(heard: Heard): boolean {
  const { clauses } = heard.tracks;
  const least = clauses.some(isTold) ? 2 : 1;
  return heard.files.length === 0 && clauses.some(clause => isToCome(clause) && nearnessOf(heard, clause) >= least);
}

/** How much a message of whoever owes it sounds like the end. */
function deliveryIn(heard: Heard): number {
  const { tracks, track, turn, files } = heard;
  const { deeds, isThin } = track.known;
  const clauses = tracks.clauses.filter(clause => !clause.isQuestion && !isOfOther(heard, clause));
  const isHanded = files.length > 0 || tracks.hasLink;
  if (files.length === 0 && clauses.some(clause => isLess(clause) || clause.isElsewhere)) return 0;
  if (!isNamedFile(heard) && files.some(({ name }) => isFileOfOther(heard, name))) return 0;
  const told = clauses.filter(isTold);
  // "3301448207", on its day
  const isValue = !isHanded && told.length === 0;
  const hasValue = clauses.some(clause => /\d/.test(clause.folded) && !isToCome(clause));
  if (isValue && !(isDue(heard) && hasValue && !tracks.clauses.some(isToCome))) return 0;
  const isExpected = isHanded && (deeds.has('sends') || (deeds.size === 0 && isThin));
  const signs = [isHanded, isExpected, told.length > 0, isValue, isDue(heard)].filter(Boolean).length;
  const relation = relationIn(heard, isHanded || isValue ? clauses : told);
  return signs + Math.max(relation, isNamedFile(heard) ? 2 : 0) + (track.isRepliedTo(turn) ? 2 : 0);
}

/** "Thanks for the heater" */
function receiptIn(heard: Heard): number {
  const { clauses } = heard.tracks;
  const says = clauses.some(clause => clause.isThanks || clause.hasArrived || clause.isDone);
  if (!says || clauses.some(clause => clause.isQuestion || isToCome(clause))) return 0;
  const named = clauses.filter(clause => nearnessOf(heard, clause) > 0 && isSure(heard, clause));
  return named.length > 0 ? 1 + relationIn(heard, named) + (isDue(heard) ? 1 : 0) : 0;
}

function isDue({ track: { known }, turn }: Heard): boolean {
  const { dueDate } = known.promise;
  return dueDate !== null && dueDate <= turn.utterance.day;
}

function isNamedFile({ track, files }: Heard): boolean {
  return files.some(
    ({ name, kind }) => matchOfFile(track.known, name)?.contradicts === false || mentionsKind(track.known, kind),
  );
}

function isFileOfOther({ tracks, track, turn }: Heard, name: string): boolean {
  const others = tracks.all.filter(other => other !== track && other.isDoer(turn));
  return [track, ...others].some(({ known }) => matchOfFile(known, name)?.contradicts === (known === track.known));
}

function isOfOther({ tracks, track }: Heard, clause: Clause): boolean {
  const about = tracks.about(clause);
  return about.length > 0 && !about.some(({ track: other, match }) => other === track && !match.contradicts);
}

function isSure({ tracks, track }: Heard, clause: Clause): boolean {
  return tracks.about(clause).every(({ track: other, match }) => other !== track || match.isSure);
}

function relationIn(heard: Heard, clauses: Clause[]): number {
  const { known } = heard.track;
  const isDeed = (clause: Clause) =>
    (isSameVerb(known, clause) && !clause.isGeneric) || [...clause.deeds].some(kind => known.deeds.has(kind));
  const isElse = (clause: Clause) => !known.isThin && !known.isUntold && beside(known, clause).length > 0;
  const relations = clauses.map(clause => {
    const near = nearnessOf(heard, clause);
    return near + (isDeed(clause) && !(near === 0 && isElse(clause)) ? 1 : 0);
  });
  return Math.max(0, ...relations);
}

/** 2 where it names what was promised, 1 where it only names what was said around it. */
function nearnessOf({ tracks, track: { known } }: Heard, clause: Clause): number {
  if (tracks.about(clause).some(({ track, match }) => track.known === known && !match.contradicts)) return 2;
  return clause.things.some(thing => [...known.around].some(word => isSameWord(word, thing, known.code))) ? 1 : 0;
}
