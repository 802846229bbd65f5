import { z } from 'zod';
import type { MessengerMessage } from '../../src/clients/messenger/types.ts';
import { mediaInText } from '../../test/support/mediaInText.ts';

const messageSchema = z.object({
  id: z.number(),
  at: z.string(),
  from: z.string(),
  text: z.string(),
  replyTo: z.number().optional(),
  file: z.string().optional(),
});
const storySchema = z.object({
  id: z.string(),
  language: z.string(),
  /** Whose assistant reads; their messages are from "me". */
  user: z.string(),
  title: z.string(),
  kind: z.enum(['private', 'group']),
  days: z.array(z.object({ date: z.string(), messages: z.array(messageSchema) })),
  commitments: z.array(
    z.object({
      what: z.string(),
      by: z.string(),
      saidIn: z.number(),
      settledIn: z.number().nullable(),
      how: z.enum(['kept', 'cancelled', 'replaced', 'handed over']).nullable(),
    }),
  ),
  /** For each day at whose end someone waits for the user: the messages without an answer. */
  waiting: z.array(z.object({ date: z.string(), messages: z.array(z.number()) })),
});

export type Story = z.infer<typeof storySchema>;
export type Commitment = Story['commitments'][number];
type Said = z.infer<typeof messageSchema>;

/** Conversations of several days, with what a careful reader knows of them. */
export function readStories(json: string): Story[] {
  return z.array(storySchema).parse(JSON.parse(json));
}

/** The messages as the messenger hands them over, all days in one. */
export function messagesOf({ user, days }: Pick<Story, 'user' | 'days'>): MessengerMessage[] {
  const people = [...new Set(days.flatMap(({ messages }) => messages.map(({ from }) => from)))];
  return days.flatMap(({ date, messages }) =>
    messages.map(message => {
      const fromUser = message.from === 'me';
      return {
        id: message.id,
        sentAt: new Date(`${date}T${message.at}:00Z`),
        fromUser,
        senderName: fromUser ? user : message.from,
        senderId: String(people.indexOf(message.from) + 1),
        ...mediaInText(textOf(message)),
        forwarded: false,
        ...(message.replyTo !== undefined && { replyTo: message.replyTo }),
      };
    }),
  );
}

/** A voice message is told by its sign, since the stories are plain text. */
function textOf({ text, file }: Said): string {
  if (text.startsWith('🎤')) return '[voice message]';
  if (file === undefined) return text;
  const media = file === 'photo' ? '[photo]' : `[file: ${file}]`;
  return text === '' ? media : `${media} ${text}`;
}
