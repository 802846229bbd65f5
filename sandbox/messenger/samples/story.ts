import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/* The files of the sample account: people.json, and one file for each conversation. */

const personSchema = z.strictObject({
  id: z.int().positive(),
  firstName: z.string().max(64).default(''),
  lastName: z.string().max(64).default(''),
  username: z.string().nullable().default(null),
  phone: z.e164().nullable().default(null),
  isContact: z.boolean().default(false),
  isBot: z.boolean().default(false),
  isDeleted: z.boolean().default(false),
});
const castSchema = z.strictObject({ owner: personSchema, people: z.record(z.string(), personSchema) });

/** Days from the last day of the story and a time of day: `-1 09:30`, `0 18:05`, `+1 08:00`. */
const moment = z.string().regex(/^(0|[+-]\d+) ([01]\d|2[0-3]):[0-5]\d$/);
const lineSchema = z.strictObject({
  at: moment,
  /** A person of people.json, or `me`; absent for a post in a channel. */
  from: z.string().optional(),
  /** `{weekday +2 en}` and `{date -3 de}` become that day's name or date, moved off the weekend. */
  text: z.string().default(''),
  media: z.enum(['photo', 'voice', 'video', 'document', 'sticker', 'location', 'contact', 'poll']).nullable().default(null),
  fileName: z.string().nullable().default(null),
  forwardedFrom: z.string().nullable().default(null),
  /** The `at` of the message it answers. */
  replyTo: moment.nullable().default(null),
  service: z.string().nullable().default(null),
});

const chatSchema = z.strictObject({
  id: z.int().positive(),
  kind: z.enum(['group', 'supergroup', 'channel']),
  title: z.string(),
  username: z.string().nullable().default(null),
});
const common = {
  pinned: z.boolean().default(false),
  archived: z.boolean().default(false),
  unread: z.int().nonnegative().default(0),
  messages: z.array(lineSchema),
  /** One batch for each day still to come. */
  next: z.array(z.array(lineSchema)).default([]),
};
const conversationSchema = z.union([
  z.strictObject({ with: z.string(), ...common }),
  z.strictObject({ chat: chatSchema, ...common }),
]);

export type Cast = z.infer<typeof castSchema>;
export type Line = z.infer<typeof lineSchema>;
export type Conversation = z.infer<typeof conversationSchema>;

export function readCast(): Cast {
  return castSchema.parse(readJson('people.json'));
}

/** In the order of the file names. Throws ZodError when a file does not follow the schema above. */
export function readConversations(): Conversation[] {
  const names = readdirSync(new URL('./conversations/', import.meta.url)).sort();
  return names.map(name => conversationSchema.parse(readJson(`conversations/${name}`)));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}
