import type { Sentence } from '../conversation.ts';
import type { Lexicon } from '../languages/lexicon.ts';
import type { When } from './when.ts';

/** What someone does by saying a sentence. */
export type Act = 'promise' | 'request' | 'offer' | 'proposal' | 'question' | 'statement';

/** Who is to do what was promised or asked for, from the speaker's point of view. */
export type Doer = 'speaker' | 'listener' | 'someone';

/** What is to be done, as it was said. */
export type Deed = {
  /** Its words without capitals: its verb, and what was said of it. */
  words: string;
  /** It leaves out something that another sentence said: "do it", "send them". */
  isVague: boolean;
  /** Its object is a pronoun for something said before: "hand it to the auditor". */
  pointsBack?: boolean;
};

/** A part of a sentence that does something. */
export type Move = {
  act: Act;
  doer: Doer;
  deed: Deed | null;
  /** From 0 to 1: how certain it is, from these words alone, that there is something to remember. */
  strength: number;
  /** The day named for it, if any. */
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
  /** HH:MM, said without a day; what it is the hour of was said before. */
  hour: string | null;
  /** The days that a question offers to choose from. */
  slots: When[];
  moves: Move[];
  accepts: boolean;
  refuses: boolean;
  isDone: boolean;
  /** Said about what happens at this very moment. */
  isMoment: boolean;
  isVague: boolean;
  isConditional: boolean;
  /** Said with laughter. */
  isJoke: boolean;
  /** "…, isn't it?", "…, ok?": asks only for agreement with what is said before it. */
  isTagged: boolean;
  proposes: boolean;
  isMeeting: boolean;
  isSmallTalk: boolean;
};
