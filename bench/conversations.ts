import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { MessengerMessage } from '../src/clients/messenger/types.ts';

export const exportSchema = z.object({
  personal_information: z.object({ user_id: z.number() }),
  chats: z.object({
    list: z.array(
      z.object({
        id: z.number(),
        name: z.string().nullish(),
        messages: z.array(
          z.object({
            id: z.number(),
            date: z.string(),
            date_unixtime: z.string(),
            from: z.string(),
            from_id: z.string(),
            text: z.string(),
          }),
        ),
      }),
    ),
  }),
});

const referencesSchema = z.array(
  z.object({ chatId: z.number(), day: z.string(), summaries: z.array(z.string()).min(1) }),
);

/** A day of a conversation with what people wrote about it. */
export type ReferenceDay = { userName: string; peerName: string; messages: MessengerMessage[]; summaries: string[] };

/**
 * The days of the export that have human summaries, or null when `folder` holds no such data.
 *
 * The summaries call the first writer #Person1# and the other #Person2#, so the two people get these
 * names: a summary is then judged by what it says about them, not by a translation of names afterwards.
 */
export function readReferenceDays(folder: string): ReferenceDay[] | null {
  const [exportFile, referencesFile] = ['telegram-export.json', 'reference-summaries.json'].map(name =>
    join(folder, name),
  );
  if (!exportFile || !referencesFile || !existsSync(exportFile) || !existsSync(referencesFile)) return null;
  const { chats, personal_information } = exportSchema.parse(JSON.parse(readFileSync(exportFile, 'utf8')));
  const references = referencesSchema.parse(JSON.parse(readFileSync(referencesFile, 'utf8')));
  const owner = `user${personal_information.user_id}`;
  const chatById = new Map(chats.list.map(chat => [chat.id, chat]));
  return references.flatMap(({ chatId, day, summaries }) => {
    const written = (chatById.get(chatId)?.messages ?? []).filter(message => message.date.startsWith(day));
    const first = written[0]?.from_id;
    const messages = written.map(message => ({
      id: message.id,
      sentAt: new Date(Number(message.date_unixtime) * 1000),
      fromUser: message.from_id === owner,
      senderName: message.from_id === first ? 'Person1' : 'Person2',
      text: message.text,
      forwarded: false,
    }));
    const userName = first === owner ? 'Person1' : 'Person2';
    return messages.length === 0
      ? []
      : [{ userName, peerName: userName === 'Person1' ? 'Person2' : 'Person1', messages, summaries }];
  });
}
