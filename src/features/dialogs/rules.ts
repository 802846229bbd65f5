import type { Dialog } from './schema.ts';

type Tracking = Pick<Dialog, 'unreadable' | 'trackingChoice' | 'peerType'>;

/**
 * Whether a conversation is read. The person's own switch comes first; without one private chats are read and
 * groups follow the setting. What must never be read (login codes, saved messages, bots, channels) has no switch.
 */
export function isTracked(dialog: Tracking, config: { includeGroups: boolean }): boolean {
  if (dialog.unreadable !== null) return false;
  if (dialog.trackingChoice !== null) return dialog.trackingChoice;
  return dialog.peerType === 'user' || config.includeGroups;
}

/** How many of these conversations may be read. By account. */
export function countByAccount(dialogs: readonly Pick<Dialog, 'accountId' | 'unreadable'>[]): Map<string, number> {
  const readable = dialogs.filter(({ unreadable }) => unreadable === null);
  return new Map([...Map.groupBy(readable, ({ accountId }) => accountId)].map(([id, own]) => [id, own.length]));
}
