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

/** Where the messenger opens the conversation; undefined where it has no address for it. */
export function chatLink(dialog: Peer): string | undefined {
  const { peerUsername, peerPhone, topMessageId } = dialog;
  if (/^\w{3,64}$/.test(peerUsername)) return `https://t.me/${peerUsername}`;
  if (/^\+\d{7,15}$/.test(peerPhone)) return `https://t.me/${peerPhone}`;
  return topMessageId > 0 ? messageLink(dialog, String(topMessageId)) : undefined;
}

/**
 * Where the messenger opens at one message. Only supergroups and channels number their messages for everybody; a
 * message of a private chat or a small group has no address. https://core.telegram.org/api/links#message-links
 */
export function messageLink(
  { peer, peerUsername }: Pick<Peer, 'peer' | 'peerUsername'>,
  messageId: string,
): string | undefined {
  if (peer.kind !== 'channel' || !/^\d{1,12}$/.test(messageId)) return undefined;
  const place = /^\w{3,64}$/.test(peerUsername) ? peerUsername : `c/${peer.id}`;
  return `https://t.me/${place}/${messageId}`;
}

export type Peer = Pick<Dialog, 'peerUsername' | 'peerPhone' | 'topMessageId'> & {
  peer: Pick<Dialog['peer'], 'kind' | 'id'>;
};

/** A group has an id of its own, which no person has. */
export function messengerIdOf(dialog: Dialog): string {
  return dialog.peerType === 'user' ? dialog.peer.id : dialog.peerId;
}
