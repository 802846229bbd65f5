import bigInt from 'big-integer';
import { Api } from 'telegram';
import { distinctFromUser } from '../../lib/names/distinctFromUser.ts';
import { visibleName } from '../../lib/visibleText.ts';
import type { PeerReference } from './types.ts';

/** The users and chats that one answer of the service mentions, by kind and id. */
export type People = Map<string, Api.TypeUser | Api.TypeChat>;

export function indexPeople(answer: { users: Api.TypeUser[]; chats: Api.TypeChat[] }): People {
  const users = answer.users.map(user => [`user:${user.id}`, user] as const);
  const chats = answer.chats.map(chat => [`${isChannel(chat) ? 'channel' : 'chat'}:${chat.id}`, chat] as const);
  return new Map<string, Api.TypeUser | Api.TypeChat>([...users, ...chats]);
}

const isChannel = (chat: Api.TypeChat): boolean => chat instanceof Api.Channel || chat instanceof Api.ChannelForbidden;

/** `user:ID`, `chat:ID` or `channel:ID`. */
export function peerKey(peer: Api.TypePeer): string {
  if (peer instanceof Api.PeerUser) return `user:${peer.userId}`;
  if (peer instanceof Api.PeerChat) return `chat:${peer.chatId}`;
  return `channel:${peer.channelId}`;
}

/** Identifies a peer in a request. Ids are 64-bit numbers, kept as strings. */
export function inputPeer(peer: PeerReference): Api.TypeInputPeer {
  const id = bigInt(peer.id);
  const accessHash = bigInt(peer.accessHash || '0');
  if (peer.kind === 'user') return new Api.InputPeerUser({ userId: id, accessHash });
  if (peer.kind === 'channel') return new Api.InputPeerChannel({ channelId: id, accessHash });
  return new Api.InputPeerChat({ chatId: id });
}

/** Display name of a person or a conversation; '' if unknown. */
export function peerName(peer: Api.TypeUser | Api.TypeChat | undefined): string {
  if (peer instanceof Api.User)
    return distinctFromUser(visibleName([peer.firstName, peer.lastName].filter(Boolean).join(' ')));
  return peer && 'title' in peer ? distinctFromUser(visibleName(peer.title)) : '';
}

/** The public name without the @, or ''. Bought names are in a list of their own. */
export function usernameOf(peer: Api.User | Api.Channel): string {
  return peer.username ?? peer.usernames?.find(entry => entry.active)?.username ?? '';
}

/** E.164 from the bare digits the service sends, or ''. */
export function phoneOf(user: Api.User): string {
  return user.phone ? `+${user.phone.replace(/^\+/, '')}` : '';
}
