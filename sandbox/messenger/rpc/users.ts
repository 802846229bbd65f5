import { Api } from 'telegram/tl/index.js';
import type { Account } from '../account.ts';
import { splitPeerKey, tlUser } from '../tlPeers.ts';
import { changeCount } from '../updates.ts';
import type { WorldUser } from '../world.ts';
import { method, RpcFailure, type SignedInCall } from './call.ts';
import { userKeyOf } from './peers.ts';

export const userMethods = [
  method(Api.users.GetUsers, (call, request) =>
    request.id.map(id => tlUser(call.sandbox.state, call.account, find(call, id))),
  ),
  method(Api.users.GetFullUser, getFullUser),
  method(Api.account.UpdateStatus, () => true),
  method(Api.updates.GetState, ({ account }) => updatesState(account)),
  method(Api.updates.GetDifference, ({ account }, request) => difference(account, request)),
];

function getFullUser(call: SignedInCall, request: Api.users.GetFullUser): Api.users.UserFull {
  const user = find(call, request.id as Api.TypeInputUser);
  const described = tlUser(call.sandbox.state, call.account, user);
  return new Api.users.UserFull({
    fullUser: new Api.UserFull({
      id: described.id,
      settings: new Api.PeerSettings({}),
      notifySettings: new Api.PeerNotifySettings({}),
      commonChatsCount: 0,
    }),
    chats: [],
    users: [described],
  });
}

function find(call: SignedInCall, id: unknown): WorldUser {
  const user = call.account.users.get(splitPeerKey(userKeyOf(call, id as Api.TypeInputUser)).id);
  if (!user) throw new RpcFailure(400, 'USER_ID_INVALID');
  return user;
}

export function updatesState(account: Account): Api.updates.State {
  return new Api.updates.State({
    pts: changeCount(account),
    qts: 0,
    date: Math.floor(Date.now() / 1000),
    seq: 1,
    unreadCount: 0,
  });
}

/** The history of changes is not kept: a client that missed some reads the conversations again. */
function difference(account: Account, request: Api.updates.GetDifference): Api.updates.TypeDifference {
  const pts = changeCount(account);
  if (request.pts < pts) return new Api.updates.DifferenceTooLong({ pts });
  return new Api.updates.DifferenceEmpty({ date: request.date, seq: 1 });
}
