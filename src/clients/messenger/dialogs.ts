import bigInt from 'big-integer';
import { Api } from 'telegram';
import type { Call } from './connection.ts';
import { indexPeople, inputPeer, type People, peerKey, peerName, phoneOf, usernameOf } from './peers.ts';
import type { DialogList, DialogPage, MessengerDialog, MessengerReader, UnreadableReason } from './types.ts';

type DialogsPage = Api.messages.Dialogs | Api.messages.DialogsSlice;
type Offset = { offsetDate: number; offsetId: number; offsetPeer: Api.TypeInputPeer };
type Phones = Map<string, string>;
/** Everything about a dialog that depends on its peer alone. */
type DialogPeer = Omit<MessengerDialog, 'topMessageId' | 'lastMessageAt' | 'unreadCount'>;

const PAGE_SIZE = 100;
const FOLDERS: Record<DialogList, number> = { main: 0, archive: 1 };
/** Telegram's own accounts: service messages with login codes (777000 and earlier ones), codes of other services. */
const SERVICE_USER_IDS = new Set(['777000', '333000', '42777', '489000']);

/** Reads one connection's lists of conversations. Contacts' phones are requested once, in parallel with the first page. */
export function createDialogReader(read: { list: Call; contacts: Call }): MessengerReader['dialogs'] {
  let contacts: Promise<Phones> | undefined;
  return list => {
    contacts ??= contactPhones(read.contacts);
    // Prevents an unhandled rejection; the error is thrown where the promise is awaited.
    contacts.catch(() => undefined);
    return readDialogs(read.list, FOLDERS[list], contacts);
  };
}

async function* readDialogs(read: Call, folderId: number, contacts: Promise<Phones>): AsyncGenerator<DialogPage> {
  const listed = new Set<string>();
  const yielded = new Set<string>();
  let count = 0;
  let offset: Offset | undefined = { offsetDate: 0, offsetId: 0, offsetPeer: new Api.InputPeerEmpty() };
  while (offset) {
    const list = { folderId, excludePinned: listed.size > 0, limit: PAGE_SIZE, hash: bigInt.zero };
    const page: Api.messages.TypeDialogs = await read(new Api.messages.GetDialogs({ ...list, ...offset }));
    if (page instanceof Api.messages.DialogsNotModified) return;
    const entries = listEntries(page, await contacts);
    const before = listed.size;
    for (const { dialog } of entries) listed.add(peerKey(dialog.peer));
    // Later pages may leave out pinned conversations in their count, so the largest count is the total.
    count = Math.max(count, listed.size, page instanceof Api.messages.DialogsSlice ? page.count : 0);
    offset = listed.size >= count || listed.size === before ? undefined : findNextOffset(entries);
    // A conversation that moves while we page turns up twice.
    const dialogs = entries.flatMap(toDialog).filter(({ peerId }) => !yielded.has(peerId));
    for (const { peerId } of dialogs) yielded.add(peerId);
    const last = entries.findLast(({ date, isPlacedByDate }) => date && isPlacedByDate);
    const laterUntil = last?.date ? new Date(last.date * 1000) : null;
    yield { dialogs, count, isLast: offset === undefined, laterUntil };
  }
}

/** Phones by user id. The service shows only those of contacts. */
async function contactPhones(read: Call): Promise<Phones> {
  const contacts = await read(new Api.contacts.GetContacts({ hash: bigInt.zero }));
  if (!(contacts instanceof Api.contacts.Contacts)) return new Map();
  const users = contacts.users.filter(user => user instanceof Api.User);
  return new Map(users.map(user => [user.id.toString(), phoneOf(user)]));
}

/** A conversation of a page. `date`: of its newest message, in Unix seconds. `peer`: undefined for what can't be read. */
type Entry = { dialog: Api.Dialog; peer: DialogPeer | undefined; date: number | undefined; isPlacedByDate: boolean };

/** Skips entries of folders. */
function listEntries(page: DialogsPage, phones: Phones): Entry[] {
  const people = indexPeople(page);
  // Message ids are unique per channel only, so the key includes the peer.
  const keyOf = (peer: Api.TypePeer, messageId: number) => `${peerKey(peer)}/${messageId}`;
  const messages = page.messages.filter(message => !(message instanceof Api.MessageEmpty));
  const dates = new Map(messages.map(message => [keyOf(message.peerId, message.id), message.date]));
  const conversations = page.dialogs.filter(dialog => dialog instanceof Api.Dialog);
  return conversations.map(dialog => ({
    dialog,
    peer: describePeer(people, dialog.peer, phones),
    date: dates.get(keyOf(dialog.peer, dialog.topMessage)),
    isPlacedByDate: isPlacedByDate(dialog, people),
  }));
}

function toDialog({ dialog: { topMessage: topMessageId, unreadCount }, peer, date }: Entry): MessengerDialog[] {
  const lastMessageAt = date === undefined ? null : new Date(date * 1000);
  return peer ? [{ ...peer, topMessageId, lastMessageAt, unreadCount }] : [];
}

/** The offset of the next page: the last conversation with a message, as an empty one has no date to continue from. */
function findNextOffset(entries: Entry[]): Offset | undefined {
  const dated = entries.filter(({ peer, date }) => peer && date);
  const last = dated.findLast(entry => entry.isPlacedByDate) ?? dated.at(-1);
  if (!last?.peer || !last.date) return undefined;
  return { offsetDate: last.date, offsetId: last.dialog.topMessage, offsetPeer: inputPeer(last.peer.peer) };
}

/**
 * Whether a conversation is in the list where its newest message puts it. Pinned ones are not, nor are a channel's
 * direct messages (DrKLO/Telegram#2116); for those with a draft it is not documented.
 */
function isPlacedByDate({ pinned, draft, peer }: Api.Dialog, people: People): boolean {
  const found = people.get(peerKey(peer));
  const isMonoforum = found instanceof Api.Channel && found.monoforum === true;
  return !pinned && !(draft instanceof Api.DraftMessage) && !isMonoforum;
}

/** Undefined for what can't be read at all: groups the user was removed from, and groups that became a supergroup. */
function describePeer(people: People, peer: Api.TypePeer, phones: Phones): DialogPeer | undefined {
  const found = people.get(peerKey(peer));
  if (found instanceof Api.User) return describeUser(found, phones);
  if (found instanceof Api.Chat && !found.deactivated) return describeGroup(found);
  if (found instanceof Api.Channel) return describeChannel(found);
  return undefined;
}

function describeUser(user: Api.User, phones: Phones): DialogPeer {
  const id = user.id.toString();
  return {
    peerId: id,
    peerType: user.bot ? 'bot' : 'user',
    peer: { kind: 'user', id, accessHash: user.accessHash?.toString() ?? '0' },
    name: peerName(user),
    username: usernameOf(user),
    phone: phoneOf(user) || phones.get(id) || '',
    unreadable: whyUnreadable(user),
  };
}

function whyUnreadable(user: Api.User): UnreadableReason {
  if (SERVICE_USER_IDS.has(user.id.toString())) return 'service';
  if (user.self) return 'self';
  if (user.deleted) return 'deleted';
  return user.bot ? 'bot' : null;
}

function describeGroup(chat: Api.Chat): DialogPeer {
  const id = chat.id.toString();
  const peer = { kind: 'chat', id, accessHash: '' } as const;
  return { peerId: `-${id}`, peerType: 'group', peer, name: peerName(chat), username: '', phone: '', unreadable: null };
}

function describeChannel(channel: Api.Channel): DialogPeer {
  const id = channel.id.toString();
  return {
    peerId: `-100${id}`,
    peerType: channel.broadcast ? 'channel' : 'supergroup',
    peer: { kind: 'channel', id, accessHash: channel.accessHash?.toString() ?? '0' },
    name: peerName(channel),
    username: usernameOf(channel),
    phone: '',
    unreadable: channel.broadcast ? 'channel' : null,
  };
}
