import type { Kept } from './digestDialog.ts';
import type { Read } from './planAccount.ts';

export type KeptRead = { read: Read; kept: Kept };

/** Conversations that show an excerpt and wait for the model, with what was read of them. */
export type KeptReads = {
  add(read: Read, kept: Kept): void;
  /** The urgent ones first, of equal urgency the newest. */
  inOrder(): KeptRead[];
};

/** Messages in memory at most, of one account. What is over is read again when its turn comes. */
const MOST_MESSAGES = 5000;

export function createKeptReads(): KeptReads {
  const all: KeptRead[] = [];
  let count = 0;
  return {
    add(read, { messages = [], urgency }) {
      const hasRoom = count + messages.length <= MOST_MESSAGES;
      if (hasRoom) count += messages.length;
      all.push({ read, kept: { messages: hasRoom && messages.length > 0 ? messages : undefined, urgency } });
    },
    inOrder: () => all.toSorted((a, b) => rankOf(a) - rankOf(b) || newestOf(b) - newestOf(a)),
  };
}

/** What is only left to do is no more urgent than what is not. */
function rankOf({ kept: { urgency } }: KeptRead): number {
  if (urgency === 'high') return 0;
  return urgency === 'medium' ? 1 : 2;
}

function newestOf({ read }: KeptRead): number {
  return read.dialog.lastMessageAt?.getTime() ?? 0;
}
