import { Api } from 'telegram/tl/index.js';
import { peerKeyOfChat } from '../account.ts';
import { long } from '../tl.ts';
import { tlPeer, tlPeersOf, tlUser } from '../tlPeers.ts';
import { method, RpcFailure, type SignedInCall } from './call.ts';
import { alreadyHas } from './idHash.ts';

export const contactMethods = [
  method(Api.contacts.GetContacts, getContacts),
  method(Api.contacts.ResolveUsername, resolveUsername),
];

function getContacts(call: SignedInCall, request: Api.contacts.GetContacts): Api.contacts.TypeContacts {
  const contacts = [...call.account.users.values()].filter(user => user.isContact && !user.isDeleted);
  const ids = contacts.map(user => user.id).sort((a, b) => a - b);
  if (alreadyHas(request.hash, [contacts.length, ...ids])) return new Api.contacts.ContactsNotModified();
  return new Api.contacts.Contacts({
    contacts: contacts.map(user => new Api.Contact({ userId: long(user.id), mutual: true })),
    savedCount: contacts.length,
    users: contacts.map(user => tlUser(call.sandbox.state, call.account, user)),
  });
}

function resolveUsername(call: SignedInCall, request: Api.contacts.ResolveUsername): Api.contacts.ResolvedPeer {
  const wanted = request.username.replace(/^@/, '').toLowerCase();
  const { users, chats } = call.account;
  const user = [...users.values()].find(each => each.username?.toLowerCase() === wanted && !each.isDeleted);
  const chat = [...chats.values()].find(each => each.username?.toLowerCase() === wanted);
  const peerKey = user ? `user:${user.id}` : chat && peerKeyOfChat(chat);
  if (!peerKey) throw new RpcFailure(400, 'USERNAME_NOT_OCCUPIED');
  return new Api.contacts.ResolvedPeer({ peer: tlPeer(peerKey), ...tlPeersOf(call.sandbox.state, call.account, [peerKey]) });
}
