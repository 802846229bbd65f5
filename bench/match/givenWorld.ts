import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readContactsFile } from '../../sandbox/crm/seed.ts';
import type { World } from './world.ts';

const text = z
  .string()
  .nullish()
  .transform(given => given ?? '');
const id = z.union([z.string(), z.number()]).transform(String);
const chats = z.object({ chats: z.object({ list: z.array(z.object({ id, name: text, phone: text, username: text })) }) });
const truths = z.array(
  z.object({ chatId: id, kind: z.string(), contactId: id.nullable(), alsoAcceptable: z.array(id.nullable()) }),
);

/** The shared conversations with their contact book; undefined where they are not there. */
export function readGivenWorld(folder: string): World | undefined {
  const files = ['telegram-export.json', 'crm-contacts.json', 'match-truth.json'].map(file => join(folder, file));
  const [exported = '', contacts = '', truth = ''] = files;
  if (!files.every(file => existsSync(file))) return undefined;
  return {
    name: 'the given conversations',
    chats: chats.parse(JSON.parse(readFileSync(exported, 'utf8'))).chats.list,
    contacts: readContactsFile(contacts),
    truth: truths.parse(JSON.parse(readFileSync(truth, 'utf8'))),
  };
}
