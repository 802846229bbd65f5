import type { BigInteger } from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { isKnownPeer } from '../account.ts';
import { accessHash } from '../tlPeers.ts';
import { RpcFailure, type SignedInCall } from './call.ts';

/** Returns the peer key of an input peer. Fails as the real server does when the access hash is not this account's. */
export function peerKeyOf(call: SignedInCall, peer: Api.TypeInputPeer): string {
  if (peer instanceof Api.InputPeerSelf) return `user:${call.account.owner.id}`;
  if (peer instanceof Api.InputPeerUser) return checked(call, `user:${peer.userId}`, peer.accessHash, 'PEER_ID_INVALID');
  if (peer instanceof Api.InputPeerChannel) {
    return checked(call, `channel:${peer.channelId}`, peer.accessHash, 'CHANNEL_INVALID');
  }
  if (peer instanceof Api.InputPeerChat) return checked(call, `chat:${peer.chatId}`, null, 'PEER_ID_INVALID');
  throw new RpcFailure(400, 'PEER_ID_INVALID');
}

export function userKeyOf(call: SignedInCall, user: Api.TypeInputUser): string {
  if (user instanceof Api.InputUserSelf) return `user:${call.account.owner.id}`;
  if (user instanceof Api.InputUser) return checked(call, `user:${user.userId}`, user.accessHash, 'USER_ID_INVALID');
  throw new RpcFailure(400, 'USER_ID_INVALID');
}

export function channelKeyOf(call: SignedInCall, channel: Api.TypeInputChannel): string {
  if (!(channel instanceof Api.InputChannel)) throw new RpcFailure(400, 'CHANNEL_INVALID');
  return checked(call, `channel:${channel.channelId}`, channel.accessHash, 'CHANNEL_INVALID');
}

/** @param hash null for basic groups, which have none */
function checked(call: SignedInCall, peerKey: string, hash: BigInteger | null, failure: string): string {
  const { account, sandbox } = call;
  if (!isKnownPeer(account, peerKey)) throw new RpcFailure(400, failure);
  if (hash !== null && !hash.eq(accessHash(sandbox.state, account, peerKey))) throw new RpcFailure(400, failure);
  return peerKey;
}
