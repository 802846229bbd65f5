import { type Authority, authorityOver } from '../../authority.ts';
import type { Conversation } from '../../conversation.ts';
import type { Closing } from '../../types.ts';
import type { Turn } from '../reading.ts';
import type { Known } from './known.ts';

/** For this many messages after something was mentioned, a short reply still means that. */
const NEAR = 3;
/** With so many signs of an end, its person is asked; see `weigh`. */
const ENOUGH = 3;
const MOST_EVIDENCE = 10;

type State = Closing['state'];
type Ending = { points: number; by: string; at: number; messageId: string; isThanked: boolean };
type Decided = { day?: string | null; also?: string[]; isAnswered?: boolean };

/** A promise while the new messages are read, with what they said of it so far. */
export class Track {
  readonly known: Known;
  readonly #authority: Authority;
  readonly #isGroup: boolean;
  state: State | null = null;
  newDueDate: string | null = null;
  /** The last message that decided something. */
  decidedAt = Number.NEGATIVE_INFINITY;
  /** Whoever has to do it named the promised things. */
  isNamed = false;
  /** Decided by the name of a file that came without words. */
  isByFile = false;
  /** Another day that one side named and the other has not agreed to yet. */
  proposed: { day: string; by: string; at: number; messageId: string } | null = null;
  /** Words or a file that seem to keep it; thanks confirm that. `isShown`: so do kind words. */
  claimed: { by: string; at: number; isShown: boolean } | null = null;
  /** A question whether it is done. `isBare`: it only names the thing. */
  asked: { by: string; at: number; messageId: string; isBare: boolean } | null = null;
  /** The message that is being read answers whether it is done. */
  isAskedNow = false;
  /** It asked for something, and that was answered. */
  isAnswered = false;
  /** What sounds most like its end, without deciding anything. */
  ending: Ending | null = null;
  /** The last message that tells something about it. */
  news: { messageId: string; at: number } | null = null;
  /** The last message after its day, whatever it is about. */
  goneOn: string | null = null;
  /** Someone asked for it, or said that it is still to come. */
  isMissed = false;
  readonly #kept = new Set<string>();
  readonly #spokenAt = new Set<number>();
  #spokenOf = Number.NEGATIVE_INFINITY;
  #declinedAt = Number.NEGATIVE_INFINITY;
  #messageIds: string[] = [];

  constructor(known: Known, conversation: Conversation) {
    this.known = known;
    this.#authority = authorityOver(known.promise, conversation);
    this.#isGroup = conversation.isGroup;
  }

  get isOpen(): boolean {
    return this.state !== 'done' && this.state !== 'cancelled';
  }

  /** False in a group where no owner is known. */
  get hasOwner(): boolean {
    const { direction, who } = this.known.promise;
    return direction !== 'theirs' || who !== null || !this.#isGroup;
  }

  isDoer({ utterance }: Turn): boolean {
    return this.#authority.isDoer(utterance);
  }

  isOwedTo({ utterance }: Turn): boolean {
    return this.#authority.isOwed(utterance);
  }

  mayMove(turn: Turn): boolean {
    return this.#authority.mayTell('moved', turn.utterance);
  }

  speakOf({ index }: Turn): void {
    this.#spokenOf = index;
    this.#spokenAt.add(index);
  }

  wasSpokenOfIn({ index }: Turn): boolean {
    return this.#spokenAt.has(index);
  }

  /** Whether the message replies to one that the promise rests on, or to what that answers. */
  isRepliedTo({ utterance: { replyTo } }: Turn): boolean {
    const { sourceMessageIds = [], request } = this.known.promise;
    return replyTo !== null && (sourceMessageIds.includes(replyTo) || request?.messageId === replyTo);
  }

  /** Its words are those of whoever it is owed to: a question, or a request. */
  get isAskedFor(): boolean {
    const { direction, isUsersWords = null } = this.known.promise;
    return isUsersWords !== null && direction === (isUsersWords ? 'theirs' : 'mine');
  }

  /** "No stools after all, please": words that may cancel it, once whoever owes it confirms. */
  decline(turn: Turn): void {
    if (this.isOwedTo(turn)) this.#declinedAt = turn.index;
  }

  #mayTell(state: State, turn: Turn): boolean {
    const isConfirmed = state === 'cancelled' && this.isDoer(turn) && turn.index - this.#declinedAt <= NEAR;
    return isConfirmed || this.#authority.mayTell(state, turn.utterance);
  }

  isNear({ index }: Turn): boolean {
    return index - this.#spokenOf <= NEAR;
  }

  get spokenOf(): number {
    return this.#spokenOf;
  }

  /**
   * A decision stands until another one is made; a doubt does not undo it, and is all that remains of what someone says
   * who may not decide.
   */
  decide(told: State, turn: Turn, { day = null, also = [], isAnswered = false }: Decided = {}): void {
    const state = this.#mayTell(told, turn) ? told : 'doubtful';
    if (state === 'doubtful' && this.state !== null) return;
    const goesOn = this.state === state || this.state === 'doubtful';
    const messageIds = [...(goesOn ? this.#messageIds : []), ...also, turn.utterance.messageId];
    this.#messageIds = [...new Set(messageIds)].slice(-MOST_EVIDENCE);
    this.state = state;
    this.newDueDate = state === 'moved' ? day : null;
    this.decidedAt = turn.index;
    this.asked = null;
    this.proposed = null;
    this.claimed = null;
    this.isAnswered = state === 'done' && isAnswered;
  }

  /** Whether all parts that an "and" joins have been kept. */
  isWhole(shared: string[]): boolean {
    for (const thing of shared) this.#kept.add(thing);
    return this.known.parts.every(part => part.some(thing => this.#kept.has(thing)));
  }

  claim({ index, utterance }: Turn, { isShown = false } = {}): void {
    if (this.state === 'doubtful') this.claimed = { by: utterance.speaker, at: index, isShown };
  }

  /** "I see no file": what was said before no longer counts. */
  reopen(): void {
    this.isMissed = true;
    this.state = null;
    this.newDueDate = null;
    this.claimed = null;
    this.ending = null;
    this.isByFile = false;
    this.#messageIds = [];
  }

  get closing(): Closing | null {
    const { state, newDueDate, isAnswered } = this;
    const { n } = this.known.promise;
    if (state !== null && state !== 'doubtful')
      return { n, state, newDueDate, messageIds: this.#messageIds, ...(isAnswered && { isAnswered }) };
    const messageIds = this.#doubts();
    return messageIds.length > 0 ? { n, state: 'doubtful', newDueDate: null, messageIds } : null;
  }

  /** What a question to its person rests on, the newest last: a doubt alone is no reason to ask. */
  #doubts(): string[] {
    const { ending, news } = this;
    // What was asked about already is shown with words about it, not with what may be the end of anything.
    if (this.known.promise.isDoubtful) return news ? [news.messageId] : [];
    if (!ending || ending.points < ENOUGH)
      return this.goneOn === null || this.isMissed ? [] : [news?.messageId ?? this.goneOn];
    return news && news.at > ending.at ? [ending.messageId, news.messageId] : [ending.messageId];
  }
}
