import { z } from 'zod';

/*
 * The layout of Telegram Desktop's result.json, read from the program that writes it
 * (tdesktop, Telegram/SourceFiles/export/output/export_output_json.cpp), with what our own files add: a chat's
 * `phone` and `username`. Only the fields we use are read; all others are ignored.
 */

/** Peers of exports made before 2021 are numbers with the kind in the bits above 32. */
const LEGACY_USER_SHIFT = 2 ** 32;
const LEGACY_CHAT_SHIFT = 2 ** 33;
const MAX_QUOTE_LENGTH = 40;

type Issue = { readonly input?: unknown };

/** Names the kind of a wrong value without repeating it: it may be something a person wrote. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

function quoted(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return kindOf(value);
  return `"${value.length > MAX_QUOTE_LENGTH ? `${value.slice(0, MAX_QUOTE_LENGTH)}…` : value}"`;
}

const expected = (what: string) => ({ error: (issue: Issue) => `expected ${what}, found ${kindOf(issue.input)}` });
/** For ids, dates and types: there the wrong value itself helps most. */
const expectedButFound = (what: string) => ({ error: (issue: Issue) => `expected ${what}, found ${quoted(issue.input)}` });

const name = z.string(expected('a name or null')).nullish();
const words = z.string(expected('text')).nullish();
const positiveId = z.int(expectedButFound('a whole number')).positive(expectedButFound('a positive whole number'));

const phone = words.transform(value => {
  const digits = value?.replace(/\D/g, '') ?? '';
  return digits.length >= 5 ? `+${digits}` : null;
});
const username = words.transform(value => value?.replace(/^@/, '') || null);

const textPart = z.union([z.string(), z.looseObject({ text: z.string() })]);
const text = z
  .union([z.string(), z.array(textPart)], expected('text or a list of text parts'))
  .optional()
  .transform(value => {
    if (value === undefined || typeof value === 'string') return value ?? '';
    return value.map(part => (typeof part === 'string' ? part : part.text)).join('');
  });

export type Sender = { kind: 'user' | 'chat'; id: number; legacy: boolean };

/** A peer of an export from before 2021: users 2^32 and up, groups and channels 2^33 and up. */
export function legacyPeer(value: number): Sender {
  if (value >= LEGACY_CHAT_SHIFT) return { kind: 'chat', id: value - LEGACY_CHAT_SHIFT, legacy: true };
  const id = value >= LEGACY_USER_SHIFT ? value - LEGACY_USER_SHIFT : value;
  return { kind: 'user', id, legacy: true };
}

function namedPeer(value: string): Sender {
  const kind = value.startsWith('user') ? 'user' : 'chat';
  return { kind, id: Number(value.replace(/\D/g, '')), legacy: false };
}

const senderExpected = expectedButFound('a sender such as user123 or channel123');
const sender = z
  .union([z.string().regex(/^(user|chat|channel)\d{1,15}$/, senderExpected), z.int().positive()], senderExpected)
  .nullish()
  .transform(value => {
    if (value === undefined || value === null) return null;
    return typeof value === 'number' ? legacyPeer(value) : namedPeer(value);
  });

/** Seconds since 1970: the messenger's protocol carries them in 31 bits, up to 19 January 2038. */
const MAX_SECONDS = 2 ** 31 - 1;
const dateExpected = expectedButFound('a date between 1970 and January 2038');
const isCarried = (seconds: number) => seconds >= 0 && seconds <= MAX_SECONDS;

const date = z.iso
  .datetime({ local: true, offset: true, abort: true, ...expectedButFound('a date such as 2026-11-02T09:40:04') })
  .refine(value => isCarried(Date.parse(value) / 1000), dateExpected);
const secondsExpected = expectedButFound('seconds since 1970 such as "1793612404"');
const unixtime = z
  .union([z.string().regex(/^\d{1,11}$/, secondsExpected), z.int().nonnegative()], secondsExpected)
  .refine(value => isCarried(Number(value)), dateExpected)
  .optional();

const poll = z.looseObject({
  question: words,
  answers: z.array(z.looseObject({ text: z.string(expected('text')) }), expected('a list of answers')).optional(),
});
const sharedContact = z.looseObject({ first_name: words, last_name: words, phone_number: words });

const written = { id: z.int(expectedButFound('a whole number')), date, date_unixtime: unixtime };

const message = z.looseObject({
  ...written,
  type: z.literal('message'),
  from: name,
  from_id: sender,
  text,
  photo: words,
  file: words,
  file_name: words,
  media_type: words,
  sticker_emoji: words,
  location_information: z.unknown().optional(),
  place_name: words,
  address: words,
  contact_information: sharedContact.optional(),
  poll: poll.optional(),
  forwarded_from: name,
  reply_to_message_id: z.int(expectedButFound('a whole number')).optional(),
  reply_to_peer_id: words,
});

const serviceMessage = z.looseObject({
  ...written,
  type: z.literal('service'),
  actor: name,
  actor_id: sender,
  action: words,
});

/** A message that the exporting program could not read has an id and nothing else, not even a date. */
const unsupportedMessage = z.looseObject({ type: z.literal('unsupported') });

const anyMessage = z.discriminatedUnion('type', [message, serviceMessage, unsupportedMessage], {
  error: issue => {
    if (issue.code !== 'invalid_union') return expected('a message').error(issue);
    const input = z.looseObject({ type: z.unknown() }).safeParse(issue.input).data;
    return expectedButFound('message, service or unsupported').error({ input: input?.type });
  },
});

const CHAT_KINDS = {
  personal_chat: 'user',
  bot_chat: 'bot',
  saved_messages: 'self',
  // Telegram's own two inboxes: they are no conversations, and the second holds login codes of other services.
  replies: 'bot',
  verification_codes: 'bot',
  private_group: 'group',
  public_group: 'group',
  private_supergroup: 'supergroup',
  public_supergroup: 'supergroup',
  private_channel: 'channel',
  public_channel: 'channel',
} as const;

type ChatType = keyof typeof CHAT_KINDS;
const CHAT_TYPES = Object.keys(CHAT_KINDS) as ChatType[];

export const chatSchema = z.looseObject(
  {
    name,
    type: z.enum(CHAT_TYPES, expectedButFound(`one of ${CHAT_TYPES.join(', ')}`)).transform(type => CHAT_KINDS[type]),
    id: positiveId,
    phone,
    username,
    messages: z.array(anyMessage, expected('a list of messages')),
  },
  expected('a chat'),
);

const personalInformation = z.looseObject({
  user_id: positiveId,
  first_name: words,
  last_name: words,
  phone_number: phone,
  username,
});

const savedContact = z.looseObject({
  user_id: positiveId.optional(),
  first_name: words,
  last_name: words,
  phone_number: phone,
});

export const accountSchema = z.looseObject({
  personal_information: personalInformation.optional(),
  contacts: z.looseObject({ list: z.array(savedContact, expected('a list of contacts')) }).optional(),
  chats: z.looseObject({ list: z.array(chatSchema, expected('a list of chats')) }, expected('an object with a list')),
});

export type ExportAccount = z.infer<typeof accountSchema>;
export type ExportChat = z.infer<typeof chatSchema>;
export type ExportMessage = z.infer<typeof message>;
export type ExportServiceMessage = z.infer<typeof serviceMessage>;
