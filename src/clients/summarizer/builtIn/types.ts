import type { Sentence } from '../conversation.ts';
import type { Lexicon } from '../languages/lexicon.ts';
import type { Token } from './english/tagger.ts';
import type { When } from './when.ts';

/** What someone does by saying a sentence. */
export type Act = 'promise' | 'request' | 'need' | 'offer' | 'proposal' | 'question' | 'statement';

/** Who is to do what was promised or asked for, seen from who speaks. */
export type Doer = 'speaker' | 'listener' | 'both' | 'someone' | { name: string };

/** Something to do, in words of the conversation's language with names instead of "me" and "you". */
export type Deed = {
  /** As a person would put it on a list, without a capital: "send Farid the contract by Monday". */
  toDo: string;
  /** What stands behind the doer's name: "will send Farid the contract by Monday"; null where no safe form is known. */
  will: string | null;
  /** "sent Farid the contract"; null where no safe form is known. */
  did: string | null;
  /** Something is left open that stood in another sentence: "do it", "send them". */
  isVague: boolean;
  /** Its thing is a pronoun for something said before: "hand it to the auditor". */
  pointsBack?: boolean;
  /** False where no file can be what was meant: "call them". */
  isFile?: boolean;
  /** The words may not fit together: better told as they were said. */
  isRough?: boolean;
  /** The verb's forms for what is done, and the task without verb and day. */
  done?: { forms: string[]; rest: string };
};

/** Who "I" and "you" are. */
export type Voices = {
  speaker: string;
  listener: string | null;
  /** The words of all names, folded. */
  names?: ReadonlySet<string>;
};

/** A part of a sentence that does something. */
export type Move = {
  act: Act;
  doer: Doer;
  deed: Deed | null;
  /** From 0 to 1: how surely something to remember follows from these words alone. */
  strength: number;
  /** The day named for it, where one is. */
  when: When | null;
};

/** A sentence as the summarizer reads it. */
export type Reading = {
  sentence: Sentence;
  lexicon: Lexicon;
  /** Counted over the whole conversation. */
  index: number;
  /** In full spelling, folded. */
  folded: string;
  when: When | null;
  /** The days that a question offers to choose from. */
  slots: When[];
  moves: Move[];
  /** Its words with their parts of speech and its noun phrases, where the language has a tagger. */
  tokens: Token[] | null;
  nouns: string[];
  voices: Voices;
  accepts: boolean;
  refuses: boolean;
  isDone: boolean;
  /** Said of what happens in this moment. */
  isMoment: boolean;
  isVague: boolean;
  isConditional: boolean;
  /** Laughed about. */
  isJoke: boolean;
  proposes: boolean;
  isMeeting: boolean;
  isSmallTalk: boolean;
};
