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
