import type { World, WorldDialog, WorldMessage, WorldUser } from '../../sandbox/messenger/world.ts';

/** Unix seconds of the first message; each later one comes a minute after. */
export const firstMessageAt = 1_760_000_000;

export const owner: WorldUser = person(1000, { firstName: 'Nora', lastName: 'Lind', phone: '+34600111222' });

export function person(id: number, details: Partial<WorldUser> = {}): WorldUser {
  const nobody = { lastName: '', username: null, phone: null, isContact: false, isBot: false, isDeleted: false };
  return { id, firstName: `Person ${id}`, ...nobody, ...details };
}

export function message(id: number, details: Partial<WorldMessage> = {}): WorldMessage {
  const plain = { media: null, fileName: null, forwardedFrom: null, replyTo: null, service: null };
  return { id, date: firstMessageAt + id * 60, from: owner.id, text: `Message ${id}`, ...plain, ...details };
}

export function dialog(key: string, messages: WorldMessage[], details: Partial<WorldDialog> = {}): WorldDialog {
  return { key, pinned: false, archived: false, unreadCount: 0, messages, ...details };
}

export function world(details: Partial<World> = {}): World {
  return { key: 'test', owner, password: null, users: [], chats: [], dialogs: [], nextDays: [], ...details };
}

/** That many private chats, each with one message, the highest user id the newest. */
export function crowd(size: number): Pick<World, 'users' | 'dialogs'> {
  const ids = Array.from({ length: size }, (_, index) => 5001 + index);
  return {
    users: ids.map(id => person(id, { phone: `+3461${id}000`, isContact: id % 2 === 0 })),
    dialogs: ids.map(id => dialog(`user:${id}`, [message(id, { from: id })])),
  };
}
