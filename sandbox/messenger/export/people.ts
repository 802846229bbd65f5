import type { WorldUser } from '../world.ts';
import { senderOf, writtenMessages } from './messages.ts';
import type { ExportAccount, ExportChat } from './schema.ts';

/** A number range reserved for fiction, so that no real person ever gets a code. */
const FAKE_PHONE = '+12025550143';

type Person = { firstName: string; lastName: string };

/** The first word is the first name: an export only holds the two joined. */
function toPerson(fullName: string | null): Person {
  const [firstName = '', ...rest] = (fullName ?? '').trim().split(/\s+/);
  return { firstName, lastName: rest.join(' ') };
}

/** Everyone in the export by user id. The first mention with a name wins: contacts, then partners, then senders. */
export function usersOf(account: ExportAccount): Map<number, WorldUser> {
  const users = new Map<number, WorldUser>();
  const add = (user: WorldUser) => {
    if (users.get(user.id)?.isDeleted ?? true) users.set(user.id, user);
  };
  for (const contact of account.contacts?.list ?? []) {
    if (contact.user_id === undefined) continue;
    const names = { firstName: contact.first_name ?? '', lastName: contact.last_name ?? '' };
    add({ ...someone(contact.user_id, ''), ...names, phone: contact.phone_number, isContact: true });
  }
  for (const chat of account.chats.list) {
    const partner = partnerOf(chat);
    if (partner) mergePartner(users, partner);
    for (const message of writtenMessages(chat)) {
      const { sender, name } = senderOf(message);
      if (sender?.kind === 'user') add(someone(sender.id, name));
    }
  }
  return users;
}

function someone(id: number, fullName: string | null): WorldUser {
  const nobody = { username: null, phone: null, isContact: false, isBot: false, isDeleted: fullName === null };
  return { id, ...toPerson(fullName), ...nobody };
}

function partnerOf(chat: ExportChat): WorldUser | null {
  if (chat.type !== 'user' && chat.type !== 'bot') return null;
  const isBot = chat.type === 'bot';
  const named = someone(chat.id, chat.name ?? (isBot ? 'Telegram' : null));
  return { ...named, phone: chat.phone, username: chat.username, isContact: chat.phone !== null, isBot };
}

/** The contact list has first and last name apart, the chat has the rest. */
function mergePartner(users: Map<number, WorldUser>, partner: WorldUser): void {
  const known = users.get(partner.id);
  if (!known || known.isDeleted) {
    users.set(partner.id, partner);
    return;
  }
  users.set(partner.id, {
    ...known,
    username: partner.username ?? known.username,
    phone: partner.phone ?? known.phone,
    isContact: partner.isContact || known.isContact,
    isBot: partner.isBot,
  });
}

/**
 * The owner of the account: from the personal information, else the chat with oneself, else whoever most often answers
 * in private chats, else (an export of one group) an invented person.
 */
export function ownerOf(account: ExportAccount, users: Map<number, WorldUser>): WorldUser {
  const info = account.personal_information;
  const id = info?.user_id ?? idOfOwner(account) ?? freeId(users);
  const known = users.get(id) ?? someone(id, 'Export Owner');
  return {
    ...known,
    firstName: info?.first_name || known.firstName,
    lastName: info?.last_name ?? known.lastName,
    username: info?.username ?? known.username,
    phone: info?.phone_number ?? FAKE_PHONE,
    isContact: false,
    isDeleted: false,
  };
}

function idOfOwner(account: ExportAccount): number | undefined {
  const self = account.chats.list.find(chat => chat.type === 'self');
  if (self) return self.id;
  const answers = new Map<number, number>();
  for (const chat of account.chats.list.filter(chat => partnerOf(chat))) {
    for (const message of writtenMessages(chat)) {
      const { sender } = senderOf(message);
      if (sender?.kind !== 'user' || sender.id === chat.id) continue;
      answers.set(sender.id, (answers.get(sender.id) ?? 0) + 1);
    }
  }
  return [...answers].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function freeId(users: Map<number, WorldUser>): number {
  let id = 1;
  while (users.has(id)) id += 1;
  return id;
}
