/** One text to be translated. */
export type Piece = {
  /** By which the answer names it, counted from 1. */
  n: number;
  text: string;
  /** The messages it rests on; empty for what cites none. */
  messageIds: readonly string[];
  /** YYYY-MM-DD, those that were computed for it. */
  days: readonly string[];
  /** A word or two, with capitals anywhere. */
  isTitle: boolean;
};
