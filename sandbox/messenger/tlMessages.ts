import { Api } from 'telegram/tl/index.js';
import type { Account } from './account.ts';
import { tlMedia } from './tlMedia.ts';
import { tlPeer } from './tlPeers.ts';
import type { WorldMessage } from './world.ts';

/** A message as this account receives it. */
export function tlMessage(account: Account, dialogKey: string, message: WorldMessage): Api.TypeMessage {
  const common = {
    id: message.id,
    peerId: tlPeer(dialogKey),
    fromId: sender(account, dialogKey, message),
    out: isOutgoing(account, dialogKey, message),
    post: isPost(dialogKey, message),
    mentioned: isMentioning(account, dialogKey, message),
    date: message.date,
    replyTo: message.replyTo === null ? undefined : new Api.MessageReplyHeader({ replyToMsgId: message.replyTo }),
  };
  if (message.service !== null) {
    return new Api.MessageService({ ...common, action: new Api.MessageActionCustomAction({ message: message.service }) });
  }
  const { media, caption } = tlMedia(dialogKey, message);
  return new Api.Message({
    ...common,
    message: caption,
    media,
    fwdFrom:
      message.forwardedFrom === null
        ? undefined
        : new Api.MessageFwdHeader({ fromName: message.forwardedFrom, date: message.date }),
  });
}

/** The peer keys that a message names, whose users and chats go with it. */
export function peersIn(dialogKey: string, message: WorldMessage): string[] {
  return message.from === null ? [dialogKey] : [dialogKey, `user:${message.from}`];
}

/** Since layer 119 incoming private messages name no sender, since it can only be the other person. */
function sender(account: Account, dialogKey: string, message: WorldMessage): Api.TypePeer | undefined {
  if (message.from === null || dialogKey === `user:${message.from}`) {
    return message.from === account.owner.id ? tlPeer(dialogKey) : undefined;
  }
  return tlPeer(`user:${message.from}`);
}

/** Messages in the chat with oneself do not count as sent. */
function isOutgoing(account: Account, dialogKey: string, message: WorldMessage): boolean {
  return message.from === account.owner.id && dialogKey !== `user:${account.owner.id}`;
}

/** In a group: names the account's owner, or replies to a message of theirs. */
function isMentioning({ owner, dialogs }: Account, dialogKey: string, { from, text, replyTo }: WorldMessage): boolean {
  if (dialogKey.startsWith('user:') || from === owner.id) return false;
  if (owner.username !== null && text.includes(`@${owner.username}`)) return true;
  return dialogs.get(dialogKey)?.messages.find(({ id }) => id === replyTo)?.from === owner.id;
}

function isPost(dialogKey: string, message: WorldMessage): boolean {
  return message.from === null && dialogKey.startsWith('channel:');
}
