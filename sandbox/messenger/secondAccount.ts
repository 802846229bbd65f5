import type { World, WorldMessage, WorldUser } from './world.ts';

const DAY_SECONDS = 24 * 3600;

/**
 * A small account beside the sample's: it lives in another data centre and has no password, so that this way of signing
 * in can be tried, too. @param now when its newest message was sent
 */
export function secondAccount(now: Date): World {
  const owner = person(7_301, { firstName: 'Mika', lastName: 'Sund', username: 'mikasund', phone: '+358401110022' });
  const friend = person(7_302, { firstName: 'Aino', lastName: 'Laine', phone: '+358401110033', isContact: true });
  const sentAt = Math.floor(now.getTime() / 1000);
  const messages = [
    message(101, friend.id, 'Could you send me the list of guests by Thursday?', sentAt - DAY_SECONDS),
    message(102, owner.id, 'I will send it on Wednesday.', sentAt - DAY_SECONDS + 240),
    message(103, friend.id, 'Thank you. The hall holds forty.', sentAt),
  ];
  return {
    ...{ key: 'second', owner, dc: 4, password: null, users: [owner, friend], chats: [], nextDays: [] },
    dialogs: [{ key: `user:${friend.id}`, pinned: false, archived: false, unreadCount: 1, messages }],
  };
}

function person(id: number, details: Partial<WorldUser> & Pick<WorldUser, 'firstName'>): WorldUser {
  const rest = { lastName: '', username: null, phone: null, isContact: false, isBot: false, isDeleted: false };
  return { id, ...rest, ...details };
}

function message(id: number, from: number, text: string, date: number): WorldMessage {
  const plain = { media: null, fileName: null, forwardedFrom: null, replyTo: null, service: null };
  return { id, date, from, text, ...plain };
}
