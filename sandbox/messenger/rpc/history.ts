import { Api } from 'telegram/tl/index.js';
import { peersIn, tlMessage } from '../tlMessages.ts';
import { tlPeersOf } from '../tlPeers.ts';
import type { WorldMessage } from '../world.ts';
import { method, type SignedInCall } from './call.ts';
import { alreadyHas } from './idHash.ts';
import { channelKeyOf, peerKeyOf } from './peers.ts';

const MAX_PAGE = 100;

export const historyMethods = [
  method(Api.messages.GetHistory, getHistory),
  method(Api.messages.GetMessages, getMessages),
  method(Api.channels.GetMessages, getChannelMessages),
];

type Window = Pick<Api.messages.GetHistory, 'offsetId' | 'offsetDate' | 'addOffset' | 'limit' | 'maxId' | 'minId'>;

function getHistory(call: SignedInCall, request: Api.messages.GetHistory): Api.messages.TypeMessages {
  const key = peerKeyOf(call, request.peer as Api.TypeInputPeer);
  const all = call.account.dialogs.get(key)?.messages ?? [];
  const { page, skipped } = cutWindow(all, request);
  if (
    alreadyHas(
      request.hash,
      page.map(message => message.id),
    )
  ) {
    return new Api.messages.MessagesNotModified({ count: all.length });
  }
  return pageOf(call, key, page, { count: all.length, offsetIdOffset: skipped });
}

/**
 * https://core.telegram.org/api/offsets: newest first; `minId` and `maxId` are left out themselves; the window begins
 * with the first message older than the offset, moved by `addOffset`, and is cut short where it reaches beyond the
 * newest.
 */
function cutWindow(oldestFirst: WorldMessage[], window: Window): { page: WorldMessage[]; skipped: number } {
  const { addOffset, maxId, minId } = window;
  const listed = oldestFirst.filter(message => message.id > minId && (maxId === 0 || message.id < maxId)).reverse();
  const found = listed.findIndex(message => isPastOffset(message, window));
  const start = (found === -1 ? listed.length : found) + addOffset;
  const limit = Math.min(Math.max(window.limit, 1), MAX_PAGE);
  const skipped = Math.max(start, 0);
  return { page: listed.slice(skipped, Math.max(start + limit, 0)), skipped };
}

/** The date is used only without an id, since clients page with both and rely on the id. */
function isPastOffset(message: WorldMessage, { offsetId, offsetDate }: Window): boolean {
  if (offsetId > 0) return message.id < offsetId;
  return offsetDate === 0 || message.date < offsetDate;
}

function pageOf(
  call: SignedInCall,
  key: string,
  page: WorldMessage[],
  totals: { count: number; offsetIdOffset: number },
): Api.messages.TypeMessages {
  const contents = {
    messages: page.map(message => tlMessage(call.account, key, message)),
    topics: [],
    ...tlPeersOf(call.sandbox.state, call.account, [key, ...page.flatMap(message => peersIn(key, message))]),
  };
  if (key.startsWith('channel:')) return new Api.messages.ChannelMessages({ ...contents, ...totals, pts: 1 });
  if (page.length === totals.count) return new Api.messages.Messages(contents);
  return new Api.messages.MessagesSlice({ ...contents, ...totals });
}

/** Finds a message by id among all users and groups, which share one counter. */
function getMessages(call: SignedInCall, request: Api.messages.GetMessages): Api.messages.TypeMessages {
  const dialogs = [...call.account.dialogs.values()].filter(dialog => !dialog.key.startsWith('channel:'));
  return byIds(call, request.id, id => {
    for (const { key, messages } of dialogs) {
      const message = messages.find(each => each.id === id);
      if (message) return { key, message };
    }
    return null;
  });
}

function getChannelMessages(call: SignedInCall, request: Api.channels.GetMessages): Api.messages.TypeMessages {
  const key = channelKeyOf(call, request.channel as Api.TypeInputChannel);
  const messages = call.account.dialogs.get(key)?.messages ?? [];
  return byIds(call, request.id, id => {
    const message = messages.find(each => each.id === id);
    return message ? { key, message } : null;
  });
}

type Found = { key: string; message: WorldMessage };

function byIds(call: SignedInCall, asked: unknown[], find: (id: number) => Found | null): Api.messages.Messages {
  const ids = asked.map(each => (each instanceof Api.InputMessageID ? each.id : 0));
  const found = ids.map(id => ({ id, hit: find(id) }));
  const peerKeys = found.flatMap(({ hit }) => (hit ? peersIn(hit.key, hit.message) : []));
  return new Api.messages.Messages({
    messages: found.map(({ id, hit }) =>
      hit ? tlMessage(call.account, hit.key, hit.message) : new Api.MessageEmpty({ id }),
    ),
    topics: [],
    ...tlPeersOf(call.sandbox.state, call.account, peerKeys),
  });
}
