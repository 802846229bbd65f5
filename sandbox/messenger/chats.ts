import { type Account, topMessage } from './account.ts';
import { splitPeerKey } from './tlPeers.ts';
import type { WorldDialog, WorldMessage } from './world.ts';

/** A conversation of an account, as its owner would see it in the list. */
export type ChatEntry = { key: string; name: string; messages: number; newestAt: Date | undefined };

export type ChatMessage = {
  author: string;
  at: Date;
  text: string;
  /** What the message carries or does beside its text, such as `photo` or `joined the group`. */
  extra: string;
  forwardedFrom: string;
  /** What it replies to. */
  reply: { author: string; text: string } | undefined;
};

/** Some of something longer. Pages count from 1. */
export type Page<Item> = { items: Item[]; page: number; pages: number };

export type Chat = Page<ChatMessage> & { name: string };

const CHATS_ON_PAGE = 100;
const MESSAGES_ON_PAGE = 100;

/** The conversations, the newest first. */
export function listChats(account: Account, page: number): Page<ChatEntry> {
  const newest = (dialog: WorldDialog) => topMessage(dialog)?.date ?? 0;
  const dialogs = [...account.dialogs.values()].sort((a, b) => newest(b) - newest(a));
  return pageOf(dialogs, page, CHATS_ON_PAGE, dialog => ({
    key: dialog.key,
    name: nameOf(account, dialog.key),
    messages: dialog.messages.length,
    newestAt: dialog.messages.length > 0 ? new Date(newest(dialog) * 1000) : undefined,
  }));
}

/** The messages of a conversation, oldest first; page 1 has the newest. Undefined without such a conversation. */
export function readChat(account: Account, key: string, page: number): Chat | undefined {
  const dialog = account.dialogs.get(key);
  if (!dialog) return undefined;
  const byId = new Map(dialog.messages.map(message => [message.id, message]));
  const newestFirst = dialog.messages.toReversed();
  const { items, ...place } = pageOf(newestFirst, page, MESSAGES_ON_PAGE, message => message);
  const describe = (message: WorldMessage): ChatMessage => {
    const answered = byId.get(message.replyTo ?? 0);
    return {
      author: authorOf(account, message, key),
      at: new Date(message.date * 1000),
      text: message.text,
      extra: [message.service, message.media, message.fileName].filter(Boolean).join(': '),
      forwardedFrom: message.forwardedFrom ?? '',
      reply: answered && { author: authorOf(account, answered, key), text: answered.text || (answered.media ?? '') },
    };
  };
  return { ...place, items: items.toReversed().map(describe), name: nameOf(account, key) };
}

/** @param page the nearest one that exists is taken */
function pageOf<From, To>(all: From[], page: number, size: number, convert: (one: From) => To): Page<To> {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const real = Math.min(Math.max(1, page), pages);
  return { items: all.slice((real - 1) * size, real * size).map(convert), page: real, pages };
}

function authorOf(account: Account, { from }: WorldMessage, key: string): string {
  return nameOf(account, from === null ? key : `user:${from}`);
}

function nameOf(account: Account, key: string): string {
  const { kind, id } = splitPeerKey(key);
  if (kind !== 'user') return account.chats.get(key)?.title ?? key;
  if (key === `user:${account.owner.id}`) return ownName(account);
  const user = account.users.get(id);
  return [user?.firstName, user?.lastName].filter(Boolean).join(' ') || (user?.isDeleted ? 'Deleted account' : key);
}

function ownName({ owner }: Account): string {
  return [owner.firstName, owner.lastName].filter(Boolean).join(' ');
}
