import type { Line } from '../../types.ts';

/** The ids of all messages that a line shows something of. */
export function messagesOf({ spans }: Line): string[] {
  return spans.map(({ messageId }) => messageId);
}
