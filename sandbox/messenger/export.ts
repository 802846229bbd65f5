import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { StartError } from '../../src/lib/errors.ts';
import { withWorldIds } from './export/ids.ts';
import { toWorldMessages } from './export/messages.ts';
import { ownerOf, usersOf } from './export/people.ts';
import { parseJson, readExport } from './export/reading.ts';
import { type ExportAccount, type ExportChat, legacyPeer } from './export/schema.ts';
import type { World, WorldChat, WorldDialog } from './world.ts';

const FILE_ERRORS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder; give the result.json inside it',
  EACCES: 'this user may not read it',
  ERR_STRING_TOO_LONG: 'it is larger than 512 MB; export fewer chats',
};

/**
 * An account from a Telegram Desktop export (`result.json`), of the whole account or a single chat.
 * Throws {@link StartError} whose message says what is wrong with the file.
 */
export async function loadExport(path: string): Promise<World> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`${path}: ${FILE_ERRORS[error.code ?? ''] ?? 'it can not be read'}`, { cause: error });
  });
  return parseExport(parseJson(text));
}

/**
 * As {@link loadExport}, from parsed JSON. Dates stay as they are; there is no second factor. Throws {@link
 * StartError}.
 */
export function parseExport(json: unknown): World {
  const account = withModernIds(readExport(json));
  refuseRepeatedChats(account.chats.list);
  const users = usersOf(account);
  const owner = ownerOf(account, users);
  users.set(owner.id, owner);
  return {
    key: `export-${createHash('sha256').update(JSON.stringify(json)).digest('hex').slice(0, 12)}`,
    owner,
    password: null,
    users: [...users.values()],
    chats: account.chats.list.flatMap(toWorldChat),
    dialogs: withWorldIds(account.chats.list.map(chat => toWorldDialog(chat, owner.id))),
    nextDays: [],
  };
}

/** Before 2021 the chats too carried their kind in the upper bits of the id. */
function withModernIds(account: ExportAccount): ExportAccount {
  const list = account.chats.list.map(chat => (isLegacy(chat) ? { ...chat, id: legacyPeer(chat.id).id } : chat));
  return { ...account, chats: { ...account.chats, list } };
}

function isLegacy(chat: ExportChat): boolean {
  return chat.messages.some(message => message.type === 'message' && message.from_id?.legacy);
}

function refuseRepeatedChats(chats: ExportChat[]): void {
  const places = new Map<string, number>();
  chats.forEach((chat, place) => {
    const key = keyOf(chat, chat.id);
    const first = places.get(key);
    if (first !== undefined) {
      throw new StartError(`chats.list[${place}].id: expected another chat, found that of chats.list[${first}]`);
    }
    places.set(key, place);
  });
}

function keyOf(chat: ExportChat, ownerId: number): string {
  if (chat.type === 'self') return `user:${ownerId}`;
  if (chat.type === 'group') return `chat:${chat.id}`;
  return chat.type === 'user' || chat.type === 'bot' ? `user:${chat.id}` : `channel:${chat.id}`;
}

function toWorldChat(chat: ExportChat): WorldChat[] {
  if (chat.type === 'user' || chat.type === 'bot' || chat.type === 'self') return [];
  return [{ id: chat.id, kind: chat.type, title: chat.name ?? 'Untitled', username: chat.username }];
}

function toWorldDialog(chat: ExportChat, ownerId: number): WorldDialog {
  const messages = toWorldMessages(chat, (sender, name) => {
    if (chat.type === 'channel') return null;
    if (chat.type === 'self') return ownerId;
    if (chat.type !== 'user' && chat.type !== 'bot') return sender?.kind === 'user' ? sender.id : null;
    // In a private chat anyone but the partner is the owner, whatever id the export gives.
    if (sender) return sender.id === chat.id ? chat.id : ownerId;
    return name === null || name === chat.name ? chat.id : ownerId;
  });
  return { key: keyOf(chat, ownerId), pinned: false, archived: false, unreadCount: 0, messages };
}
