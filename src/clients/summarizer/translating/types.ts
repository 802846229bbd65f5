import type { SummarySentence } from '../types.ts';

/** All that a digest says in words, in one language. */
export type Texts = {
  /** ISO 639-1, or 'und' */
  language: string;
  sentences: SummarySentence[];
  /** Of the items, topics, meetings and introductions, in the digest's own order. */
  items: string[];
  topics: string[];
  meetings: string[];
  introductions: string[];
};

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
