import type { MediaKind } from '../../languages/types.ts';

/** What is shown of one message. */
export type Span = {
  messageId: string;
  /** Words of the message, letter for letter as they are shown; '' where it has none. */
  text: string;
  /** Whether its words begin and end with these: elsewhere "…" stands for what is left out. */
  isStart: boolean;
  isEnd: boolean;
  /** What it carries beside its words; `name` is '' where that has none. */
  attachment: { kind: MediaKind; name: string } | null;
};

/** What one person wrote, in one message or in several in a row. */
export type Line = {
  /** The name of whoever wrote it. */
  who: string;
  fromUser: boolean;
  /** They passed on what someone else had written. */
  isForwarded: boolean;
  /** The first of its messages. */
  messageId: string;
  /** Oldest first, never empty, each of another message. */
  spans: Span[];
  /** YYYY-MM-DD and HH:MM in the user's time zone. */
  day: string;
  time: string;
  /** It says or shows that what was asked for or promised is done. */
  isDone: boolean;
};

/**
 * A message, or a request, question or proposal with what came of it. `isOver`: done, decided, cancelled or refused with
 * its last words.
 */
export type Exchange = { opener: Line; answers: Line[]; isOver: boolean };

/** The ids of all messages that a line shows something of. */
export function messagesOf({ spans }: Line): string[] {
  return spans.map(({ messageId }) => messageId);
}
