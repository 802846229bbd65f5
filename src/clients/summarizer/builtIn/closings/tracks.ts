import type { Conversation } from '../../conversation.ts';
import type { Turn } from '../reading.ts';
import type { Clause } from './clauses.ts';
import type { Known } from './known.ts';
import { bestOf, type Match, matchOf } from './match.ts';
import { Track } from './track.ts';

/** Messages before a bare "done" in which something else may have been asked for. */
const LATELY = 4;

export type About = { track: Track; match: Match };

/** The open promises of a conversation while its new messages are read. */
export class Tracks {
  readonly all: Track[];
  /** What was read so far. */
  readonly before: Turn[] = [];
  /** The last message with a file. */
  handed: Turn | null = null;

  constructor(promises: Known[], conversation: Conversation) {
    this.all = promises.map(known => new Track(known, conversation));
  }

  about(clause: Clause): About[] {
    const all = this.all.map(({ known }) => known);
    const matches = bestOf(all.flatMap(known => matchOf(known, clause, all) ?? []));
    return matches.map(match => ({ track: this.of(match.known), match }));
  }

  /** What was spoken of last, as far as it still is near, among those that a test lets through. */
  near(turn: Turn, fits: (track: Track) => boolean): Track | undefined {
    const near = this.all.filter(track => track.isOpen && track.isNear(turn) && fits(track));
    return near.toSorted((one, other) => other.spokenOf - one.spokenOf)[0];
  }

  /** What is due on a day that is named; of several the meeting, which is bound to its day. */
  ofDay({ days }: Clause): Track | undefined {
    const due = this.all.filter(
      ({ isOpen, known }) => isOpen && known.promise.dueDate !== null && days.includes(known.promise.dueDate),
    );
    const [only, ...more] = due.length > 1 ? due.filter(({ known }) => known.isMeeting) : due;
    return more.length === 0 ? only : undefined;
  }

  of(known: Known): Track {
    return this.all.find(track => track.known === known) as Track;
  }

  /** Whether a bare "done" may well mean what was asked for or taken on in these messages. */
  isOfSomethingElse({ known }: Track, turn: Turn): boolean {
    const lately = this.before
      .slice(-LATELY)
      .filter(({ utterance }) => utterance.day === turn.utterance.day)
      .flatMap(({ readings }) => readings);
    return lately.some(({ moves, sentence, isSmallTalk }) => {
      if (isSmallTalk || (moves.length === 0 && !sentence.isQuestion)) return false;
      return sentence.stems.length > 0 && !known.things.some(thing => sentence.words.some(word => word === thing));
    });
  }
}

/** Two promises that the same words fit alike. */
export function isTied(match: Match, about: About[]): boolean {
  return about.some(({ match: other }) => other !== match && other.shared.join() === match.shared.join());
}

export function isAssigned({ known }: Track): boolean {
  return known.promise.direction !== 'unassigned';
}
