import type { World, WorldChat, WorldDialog, WorldMessage, WorldUser } from '../../../sandbox/messenger/world.ts';

/** Unix seconds; a message's date is this and a minute for each id. */
export const BEGINNING = 1_750_000_000;

export const PHONE = '+34600111222';
export const OWNER_ID = 1000;

export function person(id: number, details: Partial<WorldUser> = {}): WorldUser {
  return {
    id,
    firstName: `Person ${id}`,
    lastName: '',
    username: null,
    phone: `+346${id}`.padEnd(12, '0'),
    isContact: false,
    isBot: false,
    isDeleted: false,
    ...details,
  };
}

export function message(id: number, details: Partial<WorldMessage> = {}): WorldMessage {
  return {
    id,
    date: BEGINNING + id * 60,
    from: OWNER_ID,
    text: `Message ${id}`,
    media: null,
    fileName: null,
    forwardedFrom: null,
    replyTo: null,
    service: null,
    ...details,
  };
}

export function dialog(key: string, messages: WorldMessage[], details: Partial<WorldDialog> = {}): WorldDialog {
  return { key, pinned: false, archived: false, unreadCount: 0, messages, ...details };
}

export function chat(id: number, kind: WorldChat['kind'], title = `Chat ${id}`): WorldChat {
  return { id, kind, title, username: null };
}

export function world(details: Partial<World> = {}): World {
  return {
    key: 'test',
    owner: person(OWNER_ID, { firstName: 'Nora', phone: PHONE }),
    password: null,
    users: [],
    chats: [],
    dialogs: [],
    nextDays: [],
    ...details,
  };
}
