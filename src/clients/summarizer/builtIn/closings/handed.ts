import type { Media } from '../../../messenger/types.ts';
import type { Turn } from '../reading.ts';
import type { Clause } from './clauses.ts';
import { isLessThan } from './kept.ts';
import { type Known, mayBeHanded, mentionsKind } from './known.ts';
import { bestOf, isTelling, matchOf, matchOfFile } from './match.ts';
import { isAssigned, type Tracks } from './tracks.ts';

/** A file or a picture, with what the same message says about it. */
export function hand(tracks: Tracks, { kind, name }: Media, clauses: Clause[], turn: Turn): void {
  const mine = tracks.all.filter(track => track.isOpen && track.isDoer(turn) && mayBeHanded(track.known));
  const matches = bestOf(mine.flatMap(({ known }) => matchOfFile(known, name) ?? []));
  const presents = clauses.some(({ isDone, deeds }) => isDone && deeds.has('sends'));
  const isLess = (known: Known) => clauses.some(clause => isLessThan(known, clause));
  if (matches.length > 0) {
    for (const match of matches) {
      const track = tracks.of(match.known);
      const isOnly = matches.length === 1 && !tracks.mayMeanUntold(match);
      const isMeant = (match.isSure || presents) && isOnly && !isLess(match.known);
      if (match.contradicts) continue;
      track.decide(isMeant && track.isWhole(match.shared) ? 'done' : 'doubtful', turn);
      if (clauses.length === 0) track.isByFile = true;
    }
    return;
  }
  takeBack(tracks, name, turn);
  const named = mine.filter(({ known }) => mentionsKind(known, kind));
  const fitting = named.length > 0 ? named : mine.filter(({ known }) => known.deeds.has('sends'));
  const [only, ...more] = fitting;
  if (!only || more.length > 0 || !isAssigned(only)) return;
  // The caption names another thing.
  if (clauses.some(clause => clause.things.length > 0 && !matchOf(only.known, clause, tracks.things(clause)))) return;
  const isUnnamed = !isTelling(name, only.known);
  if (named.length === 0 && !presents) return;
  // Without a word it may be any picture.
  only.decide(isUnnamed && presents && !tracks.isOfSomethingElse(only, turn) ? 'done' : 'doubtful', turn);
  only.claim(turn, { isShown: presents });
}

/** Undoes what a "here you go" closed when the file that follows is another thing. */
function takeBack(tracks: Tracks, name: string, turn: Turn): void {
  for (const track of tracks.all) {
    const isByWords = track.state === 'done' && !track.isNamed && turn.index - track.decidedAt <= 1;
    if (isByWords && track.isDoer(turn) && isTelling(name, track.known)) {
      track.reopen();
      track.decide('doubtful', turn);
    }
  }
}
