import { neutral } from '../../cleaning.ts';
import { isSecret } from '../../masking/mask.ts';
import type { Span } from '../../types.ts';
import type { Turn } from '../reading.ts';
import type { Reading } from '../types.ts';
import { FIGURE } from './figures.ts';

/** Words of a message, and whether they are its first and its last. */
type Cut = Pick<Span, 'text' | 'isStart' | 'isEnd'>;

/** Characters: what is no longer is shown in full, and about as much of what is longer. */
const WHOLE = 150;
const SHORT = 110;
/** The first of them where one of several sentences is meant. */
const WHOLE_AROUND = 100;
/** A clause is left out only of what is longer than this: days and amounts in words may not be known as such. */
const LONG = 180;
/** Beyond this nothing is quoted: what its words depend on could no longer be seen at a glance. */
const LONGEST = 320;

/** A sentence with its place in the shown text. */
type Piece = { from: number; to: number; reading: Reading | null };

/**
 * The part of a message that says what matters, from the border of one clause to that of another. It is never parted
 * from a condition, a no, a day or an amount beside it. Null where nothing of it may be shown.
 * @param around the sentence that it is about; where it is left out, the one that says most
 */
export function cut(shown: string, { readings }: Turn, around: Reading | null = null): Cut | null {
  if (shown === '') return null;
  const pieces = piecesOf(shown, readings);
  const whole = around ? WHOLE_AROUND : WHOLE;
  const [from, to] = shown.length <= whole && !isSecret(shown) ? [0, shown.length] : windowOf(shown, pieces, around);
  const text = shown.slice(from, to).trim();
  if (text === '' || text.length > LONGEST || isSecret(text)) return null;
  return { text, isStart: from === 0, isEnd: to === shown.length };
}

/** The sentences as the shown text has them. One that is not found there as it was read belongs to the one before. */
function piecesOf(shown: string, readings: Reading[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const reading of readings) {
    const found = shown.indexOf(neutral(reading.sentence.text), at);
    if (found < 0) continue;
    pieces.push({ from: pieces.length === 0 ? 0 : found, to: shown.length, reading });
    const before = pieces.at(-2);
    if (before) before.to = found;
    at = found + 1;
  }
  return pieces.length > 0 ? pieces : [{ from: 0, to: shown.length, reading: null }];
}

function windowOf(shown: string, pieces: Piece[], around: Reading | null): [number, number] {
  const text = (piece: Piece) => shown.slice(piece.from, piece.to);
  const mayShow = (piece: Piece | undefined): piece is Piece => piece !== undefined && !isSecret(text(piece));
  const worth = pieces.map(piece => (mayShow(piece) ? worthOf(piece) : -1));
  const meant = around ? pieces.findIndex(piece => piece.reading === around && mayShow(piece)) : -1;
  const best = meant >= 0 ? meant : worth.indexOf(Math.max(...worth));
  let [first, last] = [best, best];
  const length = (one: number, other: number) => (pieces[other]?.to ?? 0) - (pieces[one]?.from ?? 0);
  while (true) {
    const [before, after] = [pieces[first - 1], pieces[last + 1]];
    const isTied = (piece: Piece | undefined) => mayShow(piece) && dependsOn(piece);
    const room = (one: number, other: number) => length(one, other) <= SHORT;
    if (isTied(after) && length(first, last + 1) <= LONGEST) last += 1;
    else if (mayShow(before) && leansBack(pieces[first]) && length(first - 1, last) <= LONGEST) first -= 1;
    else if (mayShow(after) && room(first, last + 1) && (worth[last + 1] ?? 0) >= (worth[first - 1] ?? 0)) last += 1;
    else if (mayShow(before) && room(first - 1, last) && (worth[first - 1] ?? 0) > 0) first -= 1;
    else if (mayShow(after) && room(first, last + 1) && (worth[last + 1] ?? 0) > 0) last += 1;
    else break;
  }
  return trimmed(shown, pieces[first]?.from ?? 0, pieces[last]?.to ?? shown.length, pieces[best]);
}

/** How much of a message's sense is in a sentence. */
function worthOf({ reading, from, to }: Piece): number {
  if (!reading) return 0;
  const { sentence, moves, when, lexicon, folded, isSmallTalk, isJoke, isMoment, isDone, accepts, refuses } = reading;
  if (isSmallTalk) return 0;
  return (
    0.3 +
    Math.min(to - from, 80) / 80 +
    (sentence.isQuestion ? 1.5 : 0) +
    Math.max(0, ...moves.map(({ strength }) => strength)) +
    (when ? 0.8 : 0) +
    (FIGURE.test(sentence.text) ? 0.8 : 0) +
    (isDone || accepts || refuses ? 0.6 : 0) +
    (lexicon.acts.decides.test(folded) ? 0.5 : 0) -
    (isJoke || isMoment ? 0.8 : 0)
  );
}

/** Characters of a sentence in which a word that ties it to the one before stands. */
const OPENING = 14;

/** "But only if …", "Not before Friday", "150 off is fair": it takes back, narrows or dates what was said just before. */
function dependsOn({ reading }: Piece): boolean {
  if (!reading) return true;
  const { lexicon, folded, isConditional, refuses, sentence, when } = reading;
  const opening = folded.slice(0, OPENING);
  const { acts, promises } = lexicon;
  return (
    isConditional ||
    refuses ||
    when !== null ||
    FIGURE.test(sentence.text) ||
    sentence.words.length <= 2 ||
    acts.negation.test(opening) ||
    promises.flawed.test(opening)
  );
}

/** It goes on from the sentence before: "But …", "If so …", a lone "Then 15:00". */
function leansBack(piece: Piece | undefined): boolean {
  if (!piece?.reading) return false;
  const { lexicon, folded, sentence, isConditional, refuses } = piece.reading;
  const isBrief = sentence.words.length <= 3;
  return isBrief || isConditional || refuses || lexicon.promises.flawed.test(folded.slice(0, OPENING));
}

/** Where a clause ends; the mark stays with what it ends. */
const CLAUSE = /(?<=[,;:、，；：] ?)(?<!\d[.,:])(?! )|(?<= [–—-]) /gu;

/** Without the clauses at its ends that say nothing that the rest depends on. */
function trimmed(shown: string, from: number, to: number, best: Piece | undefined): [number, number] {
  const lexicon = best?.reading?.lexicon;
  if (!lexicon || to - from <= LONG) return [from, to];
  const { acts, promises, calendar } = lexicon;
  const isFree = (text: string) => {
    const low = text.toLowerCase();
    const cues = [acts.condition, acts.negation, acts.refuses, acts.noHurry, promises.flawed, calendar.anyDay];
    return !/[\p{N}?？؟]/u.test(text) && !cues.some(cue => cue.test(low.trim()));
  };
  const borders = [from, ...[...shown.slice(from, to).matchAll(CLAUSE)].map(({ index }) => from + index), to];
  let [first, last] = [0, borders.length - 1];
  const part = (at: number) => shown.slice(borders[at], borders[at + 1]);
  const size = () => (borders[last] ?? 0) - (borders[first] ?? 0);
  while (last - first > 1 && size() > SHORT && isFree(part(last - 1))) last -= 1;
  while (last - first > 1 && size() > SHORT && isFree(part(first))) first += 1;
  return [borders[first] ?? from, borders[last] ?? to];
}
