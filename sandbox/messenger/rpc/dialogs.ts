import { Api } from 'telegram/tl/index.js';
import { topMessage } from '../account.ts';
import { peersIn, tlMessage } from '../tlMessages.ts';
import { tlPeer, tlPeersOf } from '../tlPeers.ts';
import type { WorldDialog } from '../world.ts';
import { method, RpcFailure, type SignedInCall } from './call.ts';
import { alreadyHas } from './idHash.ts';
import { peerKeyOf } from './peers.ts';
import { updatesState } from './users.ts';

const MAX_PAGE = 100;
const MAIN = 0;
const ARCHIVE = 1;

export const dialogMethods = [
  method(Api.messages.GetDialogs, getDialogs),
  method(Api.messages.GetPinnedDialogs, (call, request) =>
    peerDialogs(
      call,
      inFolder(call, request.folderId).filter(dialog => dialog.pinned),
    ),
  ),
  method(Api.messages.GetPeerDialogs, getPeerDialogs),
];

function getDialogs(call: SignedInCall, request: Api.messages.GetDialogs): Api.messages.TypeDialogs {
  const listed = inFolder(call, request.folderId ?? null).filter(dialog => !(request.excludePinned && dialog.pinned));
  const pinned = listed.filter(dialog => dialog.pinned);
  const others = listed.filter(dialog => !dialog.pinned).sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
  const count = listed.length;
  if (
    alreadyHas(
      request.hash,
      [...pinned, ...others].map(dialog => positionOf(dialog).id),
    )
  ) {
    return new Api.messages.DialogsNotModified({ count });
  }
  const limit = Math.min(Math.max(request.limit, 1), MAX_PAGE);
  const offset = offsetOf(call, request);
  const page = (offset === null ? [...pinned, ...others] : after(offset, others)).slice(0, limit);
  const contents = describe(call, page);
  if (request.folderId === MAIN && !request.excludePinned) addArchiveEntry(call, contents);
  return page.length === count ? new Api.messages.Dialogs(contents) : new Api.messages.DialogsSlice({ ...contents, count });
}

/** The folder: none means everything, 0 the main list, 1 the archive (https://github.com/pyrogram/pyrogram/pull/511). */
function inFolder({ account }: SignedInCall, folder: number | null): WorldDialog[] {
  const dialogs = [...account.dialogs.values()];
  if (folder === null) return dialogs;
  if (folder !== MAIN && folder !== ARCHIVE) throw new RpcFailure(400, 'FOLDER_ID_INVALID');
  return dialogs.filter(dialog => dialog.archived === (folder === ARCHIVE));
}

/** A position in the list: newest first, in a stable order where dates and ids are equal. */
type Position = { date: number; id: number; peerKey: string };

function positionOf(dialog: WorldDialog): Position {
  const top = topMessage(dialog);
  return { date: Math.max(top?.date ?? 0, dialog.draftedAt ?? 0), id: top?.id ?? 0, peerKey: dialog.key };
}

function comparePositions(left: Position, right: Position): number {
  const byMessage = right.date - left.date || right.id - left.id;
  if (byMessage !== 0 || left.peerKey === right.peerKey) return byMessage;
  return left.peerKey > right.peerKey ? -1 : 1;
}

/** Null for the first page. */
function offsetOf(call: SignedInCall, request: Api.messages.GetDialogs): Position | null {
  const { offsetDate: date, offsetId: id, offsetPeer } = request;
  const peer = offsetPeer as Api.TypeInputPeer;
  if (!(peer instanceof Api.InputPeerEmpty)) return { date, id, peerKey: offsetPeerKey(call, peer) };
  return date === 0 && id === 0 ? null : { date, id, peerKey: '' };
}

function offsetPeerKey(call: SignedInCall, peer: Api.TypeInputPeer): string {
  try {
    return peerKeyOf(call, peer);
  } catch {
    throw new RpcFailure(400, 'OFFSET_PEER_ID_INVALID');
  }
}

/** Pinned conversations are on the first page only: clients that never exclude them would page forever. */
function after(offset: Position, dialogs: WorldDialog[]): WorldDialog[] {
  return dialogs.filter(dialog => comparePositions(offset, positionOf(dialog)) < 0);
}

function getPeerDialogs(call: SignedInCall, request: Api.messages.GetPeerDialogs): Api.messages.PeerDialogs {
  const dialogs = request.peers.flatMap(asked => {
    const peer = asked as unknown as Api.TypeInputDialogPeer;
    if (peer instanceof Api.InputDialogPeerFolder) return inFolder(call, peer.folderId);
    if (!(peer instanceof Api.InputDialogPeer)) throw new RpcFailure(400, 'PEER_ID_INVALID');
    const key = peerKeyOf(call, peer.peer as Api.TypeInputPeer);
    return call.account.dialogs.get(key) ?? { key, pinned: false, archived: false, unreadCount: 0, messages: [] };
  });
  return peerDialogs(call, dialogs);
}

function peerDialogs(call: SignedInCall, dialogs: WorldDialog[]): Api.messages.PeerDialogs {
  return new Api.messages.PeerDialogs({ ...describe(call, dialogs), state: updatesState(call.account) });
}

type Contents = { dialogs: Api.TypeDialog[]; messages: Api.TypeMessage[]; users: Api.TypeUser[]; chats: Api.TypeChat[] };

function describe({ account, sandbox }: SignedInCall, dialogs: WorldDialog[]): Contents {
  const tops = dialogs.flatMap(dialog => {
    const message = topMessage(dialog);
    return message ? [{ key: dialog.key, message }] : [];
  });
  const peerKeys = [...dialogs.map(dialog => dialog.key), ...tops.flatMap(top => peersIn(top.key, top.message))];
  return {
    dialogs: dialogs.map(tlDialog),
    messages: tops.map(top => tlMessage(account, top.key, top.message)),
    ...tlPeersOf(sandbox.state, account, peerKeys),
  };
}

function tlDialog(dialog: WorldDialog): Api.Dialog {
  const topId = positionOf(dialog).id;
  return new Api.Dialog({
    pinned: dialog.pinned,
    peer: tlPeer(dialog.key),
    topMessage: topId,
    readInboxMaxId: dialog.messages.at(-1 - dialog.unreadCount)?.id ?? 0,
    readOutboxMaxId: topId,
    unreadCount: dialog.unreadCount,
    unreadMentionsCount: 0,
    unreadReactionsCount: 0,
    unreadPollVotesCount: 0,
    notifySettings: new Api.PeerNotifySettings({}),
    ...(dialog.key.startsWith('channel:') && { pts: Math.max(topId, 1) }),
    ...(dialog.archived && { folderId: ARCHIVE }),
    ...(dialog.draftedAt && { draft: new Api.DraftMessage({ message: 'To be continued', date: dialog.draftedAt }) }),
  });
}

/** The main list begins with the archive as if it were a conversation, as long as there is something in it. */
function addArchiveEntry(call: SignedInCall, contents: Contents): void {
  const [newest] = inFolder(call, ARCHIVE).sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
  if (!newest) return;
  const described = describe(call, [newest]);
  const entry = new Api.DialogFolder({
    pinned: true,
    folder: new Api.Folder({ id: ARCHIVE, title: 'Archived chats' }),
    peer: tlPeer(newest.key),
    topMessage: positionOf(newest).id,
    unreadMutedPeersCount: 0,
    unreadUnmutedPeersCount: 0,
    unreadMutedMessagesCount: 0,
    unreadUnmutedMessagesCount: 0,
  });
  contents.dialogs.unshift(entry);
  contents.messages.push(...described.messages);
  contents.users.push(...described.users);
  contents.chats.push(...described.chats);
}
