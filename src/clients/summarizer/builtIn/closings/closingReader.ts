import type { Media } from '../../../messenger/types.ts';
import type { Conversation } from '../../conversation.ts';
import type { Closing } from '../../types.ts';
import type { Turn } from '../reading.ts';
import { acknowledge, leaveInPart, present, tell } from './acknowledged.ts';
import { answerAsked } from './answers.ts';
import { type Clause, clausesOfTurn } from './clauses.ts';
import { drop } from './dropped.ts';
import { doubtFiles, weigh } from './endings.ts';
import { hand } from './handed.ts';
import { arrive, keep } from './kept.ts';
import type { Known } from './known.ts';
import { isSameVerb } from './match.ts';
import { answer, ask, move } from './moved.ts';
import { type About, Tracks } from './tracks.ts';

/** For this many messages after something was said to be done, "I don't see it" means that. */
const ANSWER_NEAR = 3;

/** Reads the new messages in order against the open promises of their conversation. */
export class ClosingReader {
  readonly #tracks: Tracks;
  readonly #conversation: Conversation;

  constructor(promises: Known[], conversation: Conversation) {
    this.#conversation = conversation;
    this.#tracks = new Tracks(promises, conversation);
  }

  get closings(): Closing[] {
    return this.#tracks.all.flatMap(({ closing }) => closing ?? []);
  }

  /** Takes a message that an earlier digest covered: it only helps to understand what follows. */
  recall(turn: Turn): void {
    this.#tracks.before.push(turn);
  }

  hear(turn: Turn, { attachments, hasLink }: { attachments: Media[]; hasLink: boolean }): void {
    const clauses = clausesOfTurn(turn, this.#conversation);
    this.#tracks.clauses = clauses;
    this.#tracks.hasLink = hasLink;
    const [only, ...more] = this.#tracks.repliedTo(turn);
    if (only && more.length === 0) only.speakOf(turn);
    acknowledge(this.#tracks, turn);
    doubtFiles(this.#tracks, turn);
    for (const attachment of attachments) hand(this.#tracks, attachment, clauses, turn);
    if (attachments.length > 0) this.#tracks.handed = turn;
    for (const [at, clause] of clauses.entries()) hearClause(this.#tracks, clause, turn, clauses.slice(at + 1));
    leaveInPart(this.#tracks, turn);
    answerAsked(this.#tracks, attachments, turn);
    if (this.#tracks.saysOther(turn)) this.#tracks.otherDone = turn;
    for (const track of this.#tracks.all) weigh(this.#tracks, track, attachments, turn);
    for (const track of this.#tracks.all) track.isAskedNow = false;
    this.#tracks.before.push(turn);
  }
}

function hearClause(tracks: Tracks, clause: Clause, turn: Turn, behind: Clause[]): void {
  const about = tracks.about(clause);
  present(tracks, clause, about, turn);
  // "I'll hand mine in on Monday, the form is at home"
  const next = behind.find(({ reading }) => reading === clause.reading);
  const named = about.length === 0 && next ? tracks.about(next) : [];
  if (named.length === 1 && named[0]?.track.isDoer(turn)) named[0].track.speakOf(turn);
  if (clause.isDropped) drop(tracks, clause, about, turn);
  else if (!answer(tracks, clause, turn) && !tell(clause, about, turn) && !move(tracks, clause, about, turn)) {
    if (clause.hasArrived) arrive(tracks, clause, about, turn);
    if (clause.isDone || (clause.isPastTense && about.some(({ track }) => isSameVerb(track.known, clause))))
      keep(tracks, clause, about, turn);
    if (clause.isPending) wait(tracks, clause, about, turn);
  }
  for (const { track, match } of about) {
    if (match.isSure) track.speakOf(turn);
    if (match.isSure && clause.denies) track.decline(turn);
    if (clause.isQuestion) ask(clause, track, turn);
  }
}

/** "Not yet", "I don't see it": what seemed done is not. */
function wait(tracks: Tracks, clause: Clause, about: About[], turn: Turn): void {
  const { acts, promises } = clause.reading.lexicon;
  const misses = acts.negation.test(clause.folded) && promises.arrived.test(clause.folded);
  const lately = tracks.all.filter(({ decidedAt }) => turn.index - decidedAt <= ANSWER_NEAR);
  const spoken = about.length > 0 ? about.map(({ track }) => track) : misses ? lately : [];
  for (const track of spoken) {
    const isDenied = (misses && track.isOwedTo(turn)) || (about.length > 0 && track.isDoer(turn));
    if (isDenied && (track.state === 'doubtful' || (track.state === 'done' && track.decidedAt < turn.index)))
      track.reopen();
  }
}
