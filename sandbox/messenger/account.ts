import { HOME_DC } from './dataCentres.ts';
import type { AccountRecord, State } from './state.ts';
import type { World, WorldChat, WorldDialog, WorldMessage, WorldUser } from './world.ts';

/** The messenger's own account, which sends the login codes. */
export const SERVICE_USER_ID = 777000;

/** A world as the server serves it: indexed, and with everything that arrived since. */
export type Account = {
  key: string;
  /** Digits only. */
  phone: string;
  /** The data centre it lives in, see {@link homeOf}. */
  dc: number;
  password: string | null;
  owner: WorldUser;
  users: Map<number, WorldUser>;
  /** By peer key: `chat:ID` or `channel:ID`. */
  chats: Map<string, WorldChat>;
  /** By peer key. */
  dialogs: Map<string, WorldDialog>;
  /** The world as it was created, without later messages. */
  world: World;
  record: AccountRecord;
};

export type NewMessage = Partial<WorldMessage> & Pick<WorldMessage, 'from' | 'text'>;

export function digitsOf(phone: string): string {
  return phone.replace(/\D/g, '');
}

export function peerKeyOfChat(chat: WorldChat): string {
  return `${chat.kind === 'group' ? 'chat' : 'channel'}:${chat.id}`;
}

/** Throws when the owner has no phone to sign in with. */
export function openAccount(world: World, state: State): Account {
  if (!world.owner.phone) throw new Error(`World ${world.key}: the owner has no phone`);
  const account: Account = {
    key: world.key,
    phone: digitsOf(world.owner.phone),
    dc: world.dc ?? HOME_DC,
    password: world.password,
    owner: world.owner,
    users: new Map([serviceUser(), ...world.users, world.owner].map(user => [user.id, user])),
    chats: new Map(world.chats.map(chat => [peerKeyOfChat(chat), chat])),
    dialogs: new Map(world.dialogs.map(dialog => [dialog.key, { ...dialog, messages: [...dialog.messages] }])),
    world,
    record: state.accountRecord(world.key),
  };
  for (const { dialogKey, message } of account.record.arrived) {
    if (isKnownPeer(account, dialogKey)) append(dialogOf(account, dialogKey), account, message);
  }
  return account;
}

/** A new message and its conversation. */
export type Arrival = { dialogKey: string; message: NewMessage };

/**
 * Puts messages at the end of their conversations, in this order; opens those that did not exist. Ids and dates (now)
 * are given where absent. Returns the messages as they were stored. Throws for an unknown peer key.
 */
export function addMessages(account: Account, arrivals: Arrival[], state: State): WorldMessage[] {
  const unknown = arrivals.find(({ dialogKey }) => !isKnownPeer(account, dialogKey));
  if (unknown) throw new Error(`No such conversation: ${unknown.dialogKey}`);
  const messages = arrivals.map(({ dialogKey, message }) => {
    const finished = finish(message, nextId(account, dialogKey));
    append(dialogOf(account, dialogKey), account, finished);
    account.record.arrived.push({ dialogKey, message: finished });
    return finished;
  });
  state.saveAccountRecord(account.key, account.record);
  return messages;
}

function finish(message: NewMessage, id: number): WorldMessage {
  return {
    id: message.id ?? id,
    date: message.date ?? Math.floor(Date.now() / 1000),
    from: message.from,
    text: message.text,
    media: message.media ?? null,
    fileName: message.fileName ?? null,
    forwardedFrom: message.forwardedFrom ?? null,
    replyTo: message.replyTo ?? null,
    service: message.service ?? null,
  };
}

function append(dialog: WorldDialog, account: Account, message: WorldMessage): void {
  dialog.messages.push(message);
  if (message.from !== account.owner.id) dialog.unreadCount += 1;
}

function dialogOf(account: Account, key: string): WorldDialog {
  const found = account.dialogs.get(key);
  if (found) return found;
  const opened: WorldDialog = { key, pinned: false, archived: false, unreadCount: 0, messages: [] };
  account.dialogs.set(key, opened);
  return opened;
}

export function isKnownPeer(account: Account, peerKey: string): boolean {
  if (peerKey.startsWith('user:')) return account.users.has(Number(peerKey.slice('user:'.length)));
  return account.chats.has(peerKey);
}

/** The next message's id: users and groups share one counter, each channel has its own. */
function nextId(account: Account, dialogKey: string): number {
  if (dialogKey.startsWith('channel:')) return topId(account.dialogs.get(dialogKey)) + 1;
  const shared = [...account.dialogs.values()].filter(dialog => !dialog.key.startsWith('channel:'));
  return Math.max(0, ...shared.map(topId)) + 1;
}

export function topMessage(dialog: WorldDialog | undefined): WorldMessage | undefined {
  return dialog?.messages.at(-1);
}

function topId(dialog: WorldDialog | undefined): number {
  return topMessage(dialog)?.id ?? 0;
}

function serviceUser(): WorldUser {
  return {
    id: SERVICE_USER_ID,
    firstName: 'Telegram',
    lastName: '',
    username: null,
    phone: null,
    isContact: false,
    isBot: false,
    isDeleted: false,
  };
}
