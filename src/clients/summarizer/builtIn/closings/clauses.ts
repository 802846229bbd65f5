import { once } from '../../../../lib/once.ts';
import { fold } from '../../cleaning.ts';
import type { Conversation } from '../../conversation.ts';
import { everywhere } from '../../languages/compile.ts';
import type { Lexicon } from '../../languages/lexicon.ts';
import { wordsOf } from '../../words.ts';
import type { Turn } from '../reading.ts';
import { tellsOfPast } from '../table/verbs.ts';
import type { Reading } from '../types.ts';
import { type When, whenOf } from '../when.ts';
import { verbsOf } from './known.ts';
import { amountsIn, type DeedKind, deedsIn, thingsIn } from './words.ts';

/** A part of a sentence between two punctuation marks, and what it says about a promise; most of it is read lazily. */
export type Clause = {
  readonly reading: Reading;
  readonly folded: string;
  readonly words: string[];
  /** What it names, without the words that say what became of it. */
  readonly things: string[];
  readonly deeds: ReadonlySet<DeedKind>;
  readonly verbs: ReadonlySet<string>;
  /** Days that are named, in order. */
  readonly days: string[];
  readonly isQuestion: boolean;
  /** Asks whether something has been done. */
  readonly asksWhether: boolean;
  /** Agrees to what was just asked or proposed. */
  readonly accepts: boolean;
  readonly isDone: boolean;
  /** The form of a verb says that something is over, if it is the verb of what was promised. */
  readonly isPastTense: boolean;
  /** Says that something is done, whatever it was: "done", "ready". */
  readonly isGeneric: boolean;
  readonly hasArrived: boolean;
  readonly isDropped: boolean;
  readonly isPostponed: boolean;
  readonly isPending: boolean;
  /** The same apart from "will be", which says how something is to be. */
  readonly isToDo: boolean;
  readonly denies: boolean;
  readonly isThanks: boolean;
  /** "I'm in" */
  readonly isEntered: boolean;
  readonly saysYes: boolean;
  /** Only a part of it is done. */
  readonly isPartial: boolean;
  /** Something is not as it should be. */
  readonly isFlawed: boolean;
  /** It is with a third person, who has yet to do something. */
  readonly isElsewhere: boolean;
};

const MARKS = /[;!?…()–—\n。！？、，；；؟،؛]+|[,:](?!\d)|\.(?=\s|$)| - |\p{Extended_Pictographic}+/u;
/** Per sentence. */
const MOST_CLAUSES = 12;
const MOST_DAYS = 3;
const MOST_WORDS = 60;

function clausesOf(reading: Reading, { names, timezone }: Conversation): Clause[] {
  const parts = withoutQuotes(reading.sentence.text)
    .split(MARKS)
    .map(part => part.trim())
    .filter(part => /[\p{L}\p{N}]/u.test(part))
    .slice(0, MOST_CLAUSES);
  return parts.map((part, at) =>
    clauseOf(part, { reading, isLast: at === parts.length - 1, names: names.words, timezone }),
  );
}

type Around = { reading: Reading; isLast: boolean; names: ReadonlySet<string>; timezone: string };

function clauseOf(text: string, { reading, isLast, names, timezone }: Around): Clause {
  const { sentence, lexicon } = reading;
  const { acts, promises } = lexicon;
  const folded = fold(text, lexicon.code);
  const isQuestion = sentence.isQuestion && (isLast || acts.question.test(folded) || promises.whether.test(folded));
  const isPast = !isQuestion && isOver(folded, reading);
  const days = once(() => (isPast ? [] : daysIn(text, reading, timezone)));
  const said = withoutAssurance(folded, lexicon);
  const denies = acts.negation.test(said);
  const isPending = (promises.pending.test(folded) || denies || reading.isConditional) && !isPast;
  const deeds = deedsIn(folded, lexicon);
  // "Table booked for Friday": what is booked is to come, the booking is done.
  const isToCome = () => !deeds.has('books') && days().some(({ date }) => date > sentence.utterance.day);
  const tells = once(() => !isQuestion && !isPending && !isToCome());
  const things = once(() => spoken(withoutWords(text, days()), lexicon, names));
  const verbs = once(() => verbsOf(text, lexicon));
  const isPastTense = once(() => isPastForm(folded, lexicon) && tells());
  const arrival = [promises.arrived, acts.received, promises.entered];
  const hasArrived = once(() => arrival.some(cue => cue.test(folded)) && tells());
  const isGeneric = promises.generic.test(folded);
  const says = isPast || isGeneric || promises.kept.test(folded) || acts.done.test(folded);
  const isOnlyLater = promises.notNow.test(folded) || acts.noHurry.test(folded);
  const isDropped = !isQuestion && promises.dropped.test(folded) && !isOnlyLater;
  return {
    reading,
    folded,
    words: [...wordsOf(folded).slice(0, MOST_WORDS), ...amountsIn(text)],
    get things() {
      return things();
    },
    deeds,
    get verbs() {
      return verbs();
    },
    get days() {
      return days().map(({ date }) => date);
    },
    isQuestion,
    asksWhether: isQuestion && (promises.whether.test(folded) || says || promises.arrived.test(folded)),
    accepts: !isQuestion && acts.accepts.test(folded) && !acts.refuses.test(said) && !denies,
    get isDone() {
      return says && !isDropped && tells();
    },
    get isPastTense() {
      return isPastTense();
    },
    isGeneric,
    get hasArrived() {
      return hasArrived();
    },
    isDropped,
    isPostponed: promises.postponed.test(folded),
    isPending,
    isToDo: isPending && (denies || promises.pending.test(folded.replaceAll(everywhere(promises.states), ' '))),
    denies,
    isThanks: !isQuestion && promises.thanks.test(folded),
    get isEntered() {
      return promises.entered.test(folded) && tells();
    },
    saysYes: !isQuestion && (promises.yes.test(folded) || isPast),
    isPartial: promises.partial.test(folded),
    isFlawed: promises.flawed.test(folded),
    isElsewhere: promises.elsewhere.test(folded),
  };
}

/** "Text corrigé", "made the list" */
function isPastForm(folded: string, { verbs }: Lexicon): boolean {
  const roles = wordsOf(folded).flatMap(word => verbs.get(word)?.flatMap(form => [...form.roles]) ?? []);
  return roles.some(role => role === 'done' || role === 'participle');
}

/** Quoted words say nothing new. A name in quotation marks is shorter, and stays. */
function withoutQuotes(text: string): string {
  return text.replaceAll(QUOTED, ' ');
}

const QUOTED = /[«„“"](?:[^\s«»„“”"]{1,30}[ \n]){2,40}[^\s«»„“”"]{1,30}[»“”"]/gu;

function isOver(folded: string, { sentence, lexicon }: Reading): boolean {
  const words = folded.split(' ');
  return tellsOfPast({ ...sentence, words, isQuestion: false }, lexicon);
}

function withoutAssurance(folded: string, { grammar, acts }: Lexicon): string {
  const bare = grammar ? folded.replace(grammar.assures, ' ') : folded;
  return bare.replaceAll(everywhere(acts.smallTalk), ' ');
}

/** The days of a text: "move Thursday to Monday" names two. */
function daysIn(text: string, { sentence, lexicon }: Reading, timezone: string): When[] {
  const days: When[] = [];
  let rest = text;
  while (days.length < MOST_DAYS) {
    const when = whenOf(sentence, rest, lexicon, timezone);
    const at = when ? fold(rest, lexicon.code).indexOf(fold(when.words, lexicon.code)) : -1;
    if (!when || at < 0) break;
    if (!when.isHour) days.push(when);
    rest = `${rest.slice(0, at)} ${rest.slice(at + when.words.length)}`;
  }
  return days;
}

function withoutWords(text: string, days: When[]): string {
  return days.reduce((rest, { words }) => rest.replace(words, ' '), text);
}

/** What a clause is about, without the words that say what became of it. */
function spoken(text: string, lexicon: Lexicon, names: ReadonlySet<string>): string[] {
  const { promises, acts, code } = lexicon;
  const { generic, kept, arrived, dropped, postponed, lately, pending } = promises;
  const became = [generic, kept, arrived, dropped, postponed, lately, pending, promises.partial];
  const cues = [...became, acts.done, acts.polite, acts.positive, acts.accepts];
  const bare = cues.reduce((rest, cue) => rest.replaceAll(everywhere(cue), ' '), fold(text, code));
  return thingsIn(bare, lexicon, names);
}

export function clausesOfTurn(turn: Turn, conversation: Conversation): Clause[] {
  return turn.utterance.forwarded ? [] : turn.readings.flatMap(reading => clausesOf(reading, conversation));
}
