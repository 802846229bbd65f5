import type { Conversation } from '../../conversation.ts';
import type { Turn } from '../reading.ts';
import type { Reading } from '../types.ts';
import type { Clause } from './clauses.ts';
import type { Known } from './known.ts';
import { beside, bestOf, type Match, matchOf, namedIn, type Things } from './match.ts';
import { Track } from './track.ts';

/** How many messages before a bare "done" may have asked for something else. */
const LATELY = 4;
/** Words that name a thing and say nothing of it: "here you go, the new catalogue". */
const MOST_BARE = 4;
/** How many messages before it a bare "done" may answer. */
const JUST_SAID = 2;

export type About = { track: Track; match: Match };

/** The open promises of a conversation while its new messages are read. */
export class Tracks {
  readonly all: Track[];
  /** The messages that have been read so far. */
  readonly before: Turn[] = [];
  /** The last message with a file. */
  handed: Turn | null = null;
  /** The clauses of the message that is being read. */
  clauses: Clause[] = [];
  hasLink = false;
  /** The last message that says something is done that wasn’t promised. */
  otherDone: Turn | null = null;

  readonly #promised: ReadonlySet<string>;
  readonly #code: string;
  readonly #about = new WeakMap<Clause, About[]>();

  constructor(promises: Known[], conversation: Conversation) {
    this.all = promises.map(known => new Track(known, conversation));
    this.#promised = new Set(promises.flatMap(({ things }) => things));
    this.#code = conversation.pack.code;
  }

  things(clause: Clause): Things {
    return { promised: this.#promised, named: namedIn(clause, this.#promised, this.#code) };
  }

  about(clause: Clause): About[] {
    const found = this.#about.get(clause);
    if (found) return found;
    const things = this.things(clause);
    const matches = bestOf(this.all.flatMap(({ known }) => matchOf(known, clause, things) ?? []));
    const about = matches.map(match => ({ track: this.of(match.known), match }));
    this.#about.set(clause, about);
    return about;
  }

  /** The promise that was mentioned last, if that is recent and it passes the test. */
  near(turn: Turn, fits: (track: Track) => boolean): Track | undefined {
    const near = this.all.filter(track => track.isOpen && track.isNear(turn));
    return near.toSorted((one, other) => other.spokenOf - one.spokenOf).find(fits);
  }

  /** The promise that is due on a named day; of several, the meeting, which is tied to its day. */
  ofDay({ days }: Clause): Track | undefined {
    const due = this.all.filter(
      ({ isOpen, known }) => isOpen && known.promise.dueDate !== null && days.includes(known.promise.dueDate),
    );
    const [only, ...more] = due.length > 1 ? due.filter(({ known }) => known.isMeeting) : due;
    return more.length === 0 ? only : undefined;
  }

  /** Whether the same person just said of something else that it is done: "Catalogue is out", "Sent!" */
  hasDoneOther(track: Track, clause: Clause, turn: Turn): boolean {
    const { otherDone } = this;
    const isJustBefore = otherDone !== null && turn.index - otherDone.index <= 1;
    if (isJustBefore && otherDone.utterance.speaker === turn.utterance.speaker) return true;
    const at = this.clauses.indexOf(clause);
    return this.clauses.some((other, place) => {
      if (other === clause || other.isQuestion || !this.namesOther(track, other)) return false;
      const isPresented = Math.abs(place - at) === 1 && other.words.length <= MOST_BARE && other.verbs.size === 0;
      return other.isDone || other.hasArrived || isPresented;
    });
  }

  /** Whether a clause names something, but nothing that was promised. */
  namesOther({ known }: Track, clause: Clause): boolean {
    return beside(known, clause).length > 0 && this.about(clause).length === 0;
  }

  /** Whether the message says that something is done that was not promised. */
  saysOther({ index }: Turn): boolean {
    if (this.all.some(({ decidedAt }) => decidedAt === index)) return false;
    return this.clauses.some(
      clause => (clause.isDone || clause.hasArrived) && clause.things.length > 0 && this.about(clause).length === 0,
    );
  }

  /** The open promises whose messages this one replies to. */
  repliedTo(turn: Turn): Track[] {
    return this.all.filter(track => track.isOpen && track.isRepliedTo(turn));
  }

  /** Whether it replies to a message that has nothing to do with the promise. */
  repliesToOther(track: Track, turn: Turn): boolean {
    const { replyTo } = turn.utterance;
    if (replyTo === null || track.isRepliedTo(turn)) return false;
    const before = this.before.find(({ utterance }) => utterance.messageId === replyTo);
    return before === undefined || !track.wasSpokenOfIn(before);
  }

  /** Whether few words fit the promise, and its owner promised something else that these words may tell of. */
  mayMeanUntold({ known, shared }: Match): boolean {
    const { direction, who } = known.promise;
    const isSlight = shared.length * 2 < known.things.length;
    const isSameOwner = ({ promise }: Known) => promise.direction === direction && promise.who === who;
    return (
      isSlight &&
      this.all.some(other => other.isOpen && other.known !== known && other.known.isUntold && isSameOwner(other.known))
    );
  }

  of(known: Known): Track {
    return this.all.find(track => track.known === known) as Track;
  }

  /** Whether a bare "done" may mean something that was said or asked for since the promise was last mentioned. */
  isOfSomethingElse(track: Track, turn: Turn): boolean {
    if (this.repliesToOther(track, turn)) return true;
    const { spokenOf } = track;
    const { index, utterance } = turn;
    const { day, speaker } = utterance;
    const lately = this.before.slice(-LATELY).filter(before => before.utterance.day === day && before.index > spokenOf);
    const isOther = ({ sentence, isSmallTalk }: Reading) => !isSmallTalk && sentence.stems.length > 0;
    const asks = ({ moves, sentence }: Reading) => moves.length > 0 || sentence.isQuestion;
    const isJustSaid = ({ utterance, index: at }: Turn) => utterance.speaker !== speaker && index - at <= JUST_SAID;
    return lately.some(before =>
      before.readings.some(reading => isOther(reading) && (asks(reading) || isJustSaid(before))),
    );
  }
}

/** Whether the same words fit another promise equally well. */
export function isTied(match: Match, about: About[]): boolean {
  return about.some(({ match: other }) => other !== match && other.shared.join() === match.shared.join());
}

/** Whether its owner is known, so that a bare word of theirs can mean it. */
export function isAssigned({ known, hasOwner }: Track): boolean {
  return known.promise.direction !== 'unassigned' && hasOwner;
}
