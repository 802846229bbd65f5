import { Api } from 'telegram/tl/index.js';
import { type Account, type Arrival, addMessages } from './account.ts';
import type { Sandbox, UpdateHub } from './sandbox.ts';
import type { AuthKey } from './state.ts';
import type { TlObject } from './tl.ts';
import { peersIn, tlMessage } from './tlMessages.ts';
import { tlPeersOf } from './tlPeers.ts';
import type { WorldMessage } from './world.ts';

export function createUpdateHub(): UpdateHub {
  const subscriptions = new Set<{ key: AuthKey; push: (update: TlObject) => void }>();
  return {
    subscribe(key, push) {
      const subscription = { key, push };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    publish(worldKey, update) {
      for (const { key, push } of subscriptions) if (key.account === worldKey) push(update);
    },
    publishToKey(keyId, update) {
      for (const { key, push } of subscriptions) if (key.id === keyId) push(update);
    },
  };
}

/** Stores new messages (see {@link addMessages}) and pushes them to subscribed sessions. */
export function receiveMessages(sandbox: Sandbox, account: Account, arrivals: Arrival[]): void {
  publishMessages(sandbox, account, arrivals, addMessages(account, arrivals, sandbox.state));
}

/** @param stored the arrivals as they were stored, the account's latest */
export function publishMessages(sandbox: Sandbox, account: Account, arrivals: Arrival[], stored: WorldMessage[]): void {
  const countBefore = changeCount(account) - stored.length;
  stored.forEach((message, index) => {
    const dialogKey = arrivals[index]?.dialogKey;
    if (!dialogKey) return;
    const pts = dialogKey.startsWith('channel:') ? message.id : countBefore + index + 1;
    sandbox.updates.publish(account.key, updateOf(sandbox, account, dialogKey, message, pts));
  });
}

/** The account's number of changes (pts), which clients compare with their own. */
export function changeCount(account: Account): number {
  return account.record.arrived.length + 1;
}

function updateOf(sandbox: Sandbox, account: Account, dialogKey: string, message: WorldMessage, pts: number): TlObject {
  const change = { message: tlMessage(account, dialogKey, message), pts, ptsCount: 1 };
  const update = dialogKey.startsWith('channel:')
    ? new Api.UpdateNewChannelMessage(change)
    : new Api.UpdateNewMessage(change);
  const peers = tlPeersOf(sandbox.state, account, peersIn(dialogKey, message));
  return new Api.Updates({ updates: [update], ...peers, date: message.date, seq: 0 });
}
