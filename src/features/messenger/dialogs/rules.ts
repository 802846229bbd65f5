import type { DialogPage } from '../../../clients/messenger/types.ts';
import { formatPhone } from '../../../lib/phone.ts';
import type { Dialog, DialogCount, Prominence } from './schema.ts';

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

/** How a prominence is stored: never both. */
export function toFlags(prominence: Prominence): Pick<Dialog, 'isPinned' | 'isMuted'> {
  return { isPinned: prominence === 'pinned', isMuted: prominence === 'muted' };
}

export function toProminence({ isPinned, isMuted }: Pick<Dialog, 'isPinned' | 'isMuted'>): Prominence {
  if (isPinned) return 'pinned';
  return isMuted ? 'muted' : 'normal';
}

/** Number of readable conversations of an account, and of those that are read. */
export type CountedDialogs = { read: number; all: number };

export function countByAccount(counts: readonly DialogCount[], config: { includeGroups: boolean }) {
  const readable = counts.filter(({ unreadable }) => unreadable === null);
  const byAccount = Map.groupBy(readable, ({ accountId }) => accountId);
  return new Map(
    [...byAccount].map(([id, own]) => [
      id,
      { read: sumOfDialogs(own.filter(dialog => isTracked(dialog, config))), all: sumOfDialogs(own) },
    ]),
  );
}

export const sumOfDialogs = (counts: readonly DialogCount[]): number => counts.reduce((sum, { count }) => sum + count, 0);

/** Telegram link by username, else phone number, else newest message, if possible. */
export function chatLink(dialog: Peer): string | undefined {
  return handleLink(dialog) ?? (dialog.topMessageId > 0 ? messageLink(dialog, String(dialog.topMessageId)) : undefined);
}

export function handleLink({ peerUsername, peerPhone }: Pick<Peer, 'peerUsername' | 'peerPhone'>): string | undefined {
  if (/^\w{3,64}$/.test(peerUsername)) return `https://t.me/${peerUsername}`;
  return /^\+\d{7,15}$/.test(peerPhone) ? `https://t.me/${peerPhone}` : undefined;
}

/**
 * A link to one message. Only supergroups and channels number their messages for everybody; a message of a private chat
 * or a small group has no address. https://core.telegram.org/api/links#message-links
 */
export function messageLink({ peer, peerUsername }: Pick<Peer, 'peer' | 'peerUsername'>, messageId: string) {
  if (peer.kind !== 'channel' || !/^\d{1,12}$/.test(messageId)) return undefined;
  const place = /^\w{3,64}$/.test(peerUsername) ? peerUsername : `c/${peer.id}`;
  return `https://t.me/${place}/${messageId}`;
}

/** A link to a message, or to the whole conversation. */
export type ChatLink = { href: string; label: string };

const MAX_LINKS = 3;

/** Links to the first three of these messages that have an address; to the conversation, where none has. */
export function chatLinks(dialog: Omit<Peer, 'topMessageId'>, messageIds: readonly string[]): ChatLink[] {
  const found = messageLinks(dialog, messageIds);
  if (found.length > 0) return found;
  const chat = handleLink(dialog);
  return chat ? [{ href: chat, label: 'Open chat in Telegram' }] : [];
}

/** Links to the messages themselves: the first three that have an address. */
export function messageLinks(dialog: Omit<Peer, 'topMessageId'>, messageIds: readonly string[]): ChatLink[] {
  const links = messageIds.flatMap(id => messageLink(dialog, id) ?? []).slice(0, MAX_LINKS);
  return links.map((href, n) => ({ href, label: n === 0 ? 'Open message' : `Open message ${n + 1}` }));
}

type Peer = Pick<Dialog, 'peerUsername' | 'peerPhone' | 'topMessageId'> & { peer: Pick<Dialog['peer'], 'kind' | 'id'> };

/** The messenger's id of a person; of a group, a key that no person's id equals. */
export const messengerIdOf = (dialog: Dialog): string => (dialog.peerType === 'user' ? dialog.peer.id : dialog.peerId);

/**
 * Whether the rest of a list is already stored: this page goes back to before `since`, and each conversation that old
 * on it is stored with the same newest message.
 * @param stored the newest message of each stored conversation, by its peer's id
 */
export function isRestUnchanged(
  { dialogs, laterUntil }: Pick<DialogPage, 'dialogs' | 'laterUntil'>,
  since: Date,
  stored: ReadonlyMap<string, number>,
): boolean {
  const older = dialogs.filter(({ lastMessageAt }) => lastMessageAt !== null && lastMessageAt < since);
  const isAsStored = older.every(({ peerId, topMessageId }) => stored.get(peerId) === topMessageId);
  return laterUntil !== null && laterUntil < since && isAsStored;
}

type DialogNames = Pick<Dialog, 'peerName' | 'peerUsername' | 'peerPhone'>;

export const NAMELESS = 'Without a name';

export const dialogName = (dialog: DialogNames): string => knownNameOf(dialog) || NAMELESS;

/** The name of a conversation; '' if the messenger has neither a name nor a handle or phone number. */
export function knownNameOf({ peerName, peerUsername, peerPhone }: DialogNames): string {
  return peerName || peerUsername || formatPhone(peerPhone);
}
