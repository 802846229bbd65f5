import type { ActionItem } from '../../clients/summarizer/types.ts';
import { daysBetween, shortDay } from '../../lib/words.ts';
import { isolateName } from '../../lib/writing.ts';
import type { Digest } from './schema.ts';

/** An action item as `_action.eta` prints it. */
export type ActionRow = {
  /** Of the item; with the digest's it makes the address of its tick. */
  id: string;
  digestId: string;
  text: string;
  isUser: boolean;
  owner: string;
  due: string;
  tone: 'today' | 'late' | 'plain';
  isDone: boolean;
};

/** @param today the user's present day, YYYY-MM-DD */
export function describeAction(item: ActionItem, digest: Digest, { today }: { today: string }): ActionRow {
  const isUser = item.owner === 'user';
  return {
    id: item.id,
    digestId: digest.id,
    text: isolateName(item.text, nameOf(digest)),
    isUser,
    owner: isUser ? 'You' : (item.ownerName ?? (item.owner === 'contact' ? nameOf(digest) : '')),
    isDone: digest.ticked.has(item.id),
    ...dueWords(item, isUser, today),
  };
}

type Named = Pick<Digest['dialog'], 'peerName' | 'peerUsername' | 'peerPhone'>;

/** What the conversation of a digest is called. */
export function nameOf({ dialog }: { dialog: Named }): string {
  return dialog.peerName || dialog.peerUsername || dialog.peerPhone || 'Without a name';
}

function dueWords({ dueDate, dueText }: ActionItem, isUser: boolean, today: string) {
  if (!dueDate) return { due: dueText ?? '', tone: 'plain' as const };
  const late = daysBetween(dueDate, today);
  if (late === 0) return { due: 'today', tone: isUser ? ('today' as const) : ('plain' as const) };
  if (late < 0) return { due: shortDay(dueDate, today), tone: 'plain' as const };
  const day = shortDay(dueDate, today);
  const words = `was due ${late < 7 ? day.slice(0, 3) : day}`;
  return { due: words, tone: isUser ? ('late' as const) : ('plain' as const) };
}
