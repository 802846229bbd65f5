import type { MediaKind } from '../../languages/types.ts';

/** A piece of one message, letter for letter as it is shown of that message. */
export type Span = {
  messageId: string;
  text: string;
  /** Whether the message begins and ends with it: elsewhere "…" stands for what is left out. */
  isStart: boolean;
  isEnd: boolean;
};

/** What a message carries beside its words; `name` is '' where it has none. */
export type Attachment = { messageId: string; kind: MediaKind; name: string };

/** What one person said at a time, in one message or several in a row. */
export type Line = {
  /** The name of whoever wrote it: of a forwarded message, its author where that is known. */
  who: string;
  fromUser: boolean;
  /** Who passed on what somebody else had written; null for their own words. */
  forwardedBy: string | null;
  /** The first of its messages; those with words are named by `spans`, those with files by `files`. */
  messageId: string;
  /** Oldest first. Empty where only files were sent. */
  spans: Span[];
  files: Attachment[];
  /** YYYY-MM-DD and HH:MM in the user's time zone. */
  day: string;
  time: string;
  /** It says or shows that what was asked for or promised is done. */
  isDone: boolean;
};

/** A message, or a request, question or proposal with what came of it. */
export type Exchange = { opener: Line; answers: Line[]; isOver: boolean };

/** All messages that a line shows something of. */
export function messagesOf({ messageId, spans, files }: Line): string[] {
  return [...new Set([messageId, ...spans.map(span => span.messageId), ...files.map(file => file.messageId)])];
}
