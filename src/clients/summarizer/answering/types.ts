/** A piece of what is kept of a conversation: an exchange or a sentence of a digest, or a promise. */
export type AnswerPassage = {
  /** The number by which a sentence names it; unique within a request. */
  n: number;
  /** The person or group that its conversation is with, as short as the digests say it. */
  peer: string;
  /** What it says, a line for each person; the user is "You". */
  lines: readonly string[];
  /** YYYY-MM-DD: when it was said. */
  day: string;
  /** Only of a promise: who is to do it ("you" is the user), whether that is done, and until when, YYYY-MM-DD and HH:MM. */
  promise?: { by: string; state: 'open' | 'kept' | 'not kept'; dueDate: string | null; dueTime: string | null };
};

export type AnswerRequest = {
  /** As it was typed; undefined for how things stand with the people of the passages. */
  question?: string | undefined;
  /** The best first; those beyond the 24th are not sent. */
  passages: readonly AnswerPassage[];
};

/** Plain text in one line, with the numbers of the passages that it rests on: never none. */
export type AnswerSentence = { text: string; passages: number[] };
