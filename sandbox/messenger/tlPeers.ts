import type { BigInteger } from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { type Account, digitsOf, peerKeyOfChat, SERVICE_USER_ID } from './account.ts';
import type { State } from './state.ts';
import { long } from './tl.ts';
import type { WorldChat, WorldUser } from './world.ts';

/** The creation date of all chats, before any message. */
const CREATED_AT = 1_600_000_000;

/** The access hash with which this account, and no other, addresses the peer. It is the same at every start. */
export function accessHash(state: State, account: Account, peerKey: string): BigInteger {
  return long(state.derive(`access:${account.key}:${peerKey}`));
}

/** A user as this account sees it: with a phone only for contacts and the owner, and without details when deleted. */
export function tlUser(state: State, account: Account, user: WorldUser): Api.User {
  const id = long(user.id);
  const hash = accessHash(state, account, `user:${user.id}`);
  if (user.isDeleted) return new Api.User({ id, accessHash: hash, deleted: true });
  const self = user.id === account.owner.id;
  const showsPhone = self || user.isContact;
  const service = user.id === SERVICE_USER_ID;
  return new Api.User({
    id,
    accessHash: hash,
    self,
    contact: user.isContact,
    mutualContact: user.isContact,
    bot: user.isBot,
    ...(user.isBot && { botInfoVersion: 1 }),
    support: service,
    verified: service,
    ...(user.firstName && { firstName: user.firstName }),
    ...(user.lastName && { lastName: user.lastName }),
    ...(user.username && { username: user.username }),
    ...(showsPhone && user.phone && { phone: digitsOf(user.phone) }),
    ...(!user.isBot && !service && { status: new Api.UserStatusRecently({}) }),
  });
}

function tlChat(state: State, account: Account, chat: WorldChat): Api.Chat | Api.Channel {
  const common = { id: long(chat.id), title: chat.title, photo: new Api.ChatPhotoEmpty(), date: CREATED_AT };
  if (chat.kind === 'group') return new Api.Chat({ ...common, participantsCount: 3, version: 1 });
  return new Api.Channel({
    ...common,
    accessHash: accessHash(state, account, peerKeyOfChat(chat)),
    broadcast: chat.kind === 'channel',
    megagroup: chat.kind === 'supergroup',
    ...(chat.username && { username: chat.username }),
  });
}

/** @param peerKey `user:ID`, `chat:ID` or `channel:ID` */
export function tlPeer(peerKey: string): Api.TypePeer {
  const { kind, id } = splitPeerKey(peerKey);
  if (kind === 'user') return new Api.PeerUser({ userId: long(id) });
  if (kind === 'chat') return new Api.PeerChat({ chatId: long(id) });
  return new Api.PeerChannel({ channelId: long(id) });
}

export function splitPeerKey(peerKey: string): { kind: string; id: number } {
  const [kind = '', id = ''] = peerKey.split(':');
  return { kind, id: Number(id) };
}

/** The users and chats that an answer must include for the peers it names. Unknown peers are left out. */
export function tlPeersOf(
  state: State,
  account: Account,
  peerKeys: Iterable<string>,
): { users: Api.TypeUser[]; chats: Api.TypeChat[] } {
  const users: Api.TypeUser[] = [];
  const chats: Api.TypeChat[] = [];
  for (const peerKey of new Set(peerKeys)) {
    const user = peerKey.startsWith('user:') ? account.users.get(splitPeerKey(peerKey).id) : undefined;
    const chat = account.chats.get(peerKey);
    if (user) users.push(tlUser(state, account, user));
    if (chat) chats.push(tlChat(state, account, chat));
  }
  return { users, chats };
}
