import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { openStore } from '../store.ts';
import { HOME_DC } from './dataCentres.ts';
import { authKeyId } from './secureMessages.ts';

/** A code sent to a phone. It works with the auth key it was asked for, and with no other. */
const sentCodeSchema = z.object({
  phone: z.string(),
  hash: z.string(),
  digits: z.string(),
  sentAt: z.number(),
  expiresAt: z.number(),
  wrongTries: z.number(),
});

/** A token shown to be scanned, which signs this key in once another device has accepted it. */
const loginTokenSchema = z.object({
  token: z.base64(),
  expiresAt: z.number(),
  /** Key of the world that accepted it. */
  acceptedBy: z.string().nullable(),
});

const authKeySchema = z.object({
  id: z.string(),
  /** The data centre of the key exchange: no other knows the key. */
  dc: z.number().default(HOME_DC),
  secret: z.base64(),
  createdAt: z.number(),
  /** The schema version of its initConnection; null before the first. Belongs to the key, not to the session. */
  layer: z.number().nullable(),
  /** Key of the world it is signed in to. */
  account: z.string().nullable(),
  /** Key of the world whose password is still to come. */
  passwordPending: z.string().nullable(),
  /** The error for a key whose session was ended from elsewhere. */
  refusal: z.string().nullable(),
  code: sentCodeSchema.nullable(),
  loginToken: loginTokenSchema.nullable().default(null),
});

const messageSchema = z.object({
  id: z.number(),
  date: z.number(),
  from: z.number().nullable(),
  text: z.string(),
  media: z.enum(['photo', 'voice', 'video', 'document', 'sticker', 'location', 'contact', 'poll']).nullable(),
  fileName: z.string().nullable(),
  forwardedFrom: z.string().nullable(),
  replyTo: z.number().nullable(),
  service: z.string().nullable(),
});

const accountSchema = z.object({
  /** How many of the world's next days have arrived. */
  daysArrived: z.number(),
  /** The messages that arrived after the world was created, oldest first. */
  arrived: z.array(z.object({ dialogKey: z.string(), message: messageSchema })),
});

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('server'), secret: z.base64() }),
  z.object({ kind: z.literal('key'), key: authKeySchema }),
  z.object({ kind: z.literal('account'), worldKey: z.string(), record: accountSchema }),
]);
type Entry = z.infer<typeof entrySchema>;

export type LoginToken = z.infer<typeof loginTokenSchema>;
export type SentCode = z.infer<typeof sentCodeSchema>;
export type AuthKey = z.infer<typeof authKeySchema>;
export type AccountRecord = z.infer<typeof accountSchema>;

/** How many milliseconds a key may stay signed out before it is dropped at a start. */
const IDLE_KEY_MS = 7 * 24 * 60 * 60 * 1000;

/** The stored state. Every change is in the file before it is answered. */
export type State = {
  keys: Map<string, AuthKey>;
  addKey(secret: Buffer, dc: number): AuthKey;
  saveKey(key: AuthKey): void;
  accountRecord(worldKey: string): AccountRecord;
  saveAccountRecord(worldKey: string, record: AccountRecord): void;
  /** Derives 64 bits that are the same at every start and reveal nothing about the input. */
  derive(input: string): bigint;
};

/** Opens or makes the state in a folder. Throws {@link StartError} when a file in it is not ours. */
export function openState(folder: string): State {
  const file = join(folder, 'messenger.jsonl');
  const store = openStore({ file, schema: entrySchema, keyOf, fresh: 'a new messenger' });
  const keys = new Map<string, AuthKey>();
  const records = new Map<string, AccountRecord>();
  let secret: string | undefined;
  for (const entry of store.entries.values()) {
    if (entry.kind === 'server') secret = entry.secret;
    else if (entry.kind === 'account') records.set(entry.worldKey, entry.record);
    else if (isIdle(entry.key)) store.entries.delete(keyOf(entry));
    else keys.set(entry.key.id, entry.key);
  }
  if (secret === undefined) {
    secret = randomBytes(32).toString('base64');
    store.put([{ kind: 'server', secret }]);
  }
  const hmacKey = Buffer.from(secret, 'base64');
  const saveKey = (key: AuthKey) => store.put([{ kind: 'key', key }]);
  return {
    keys,
    saveKey,
    addKey(bytes, dc) {
      const key = newKey(bytes, dc);
      saveKey(key);
      keys.set(key.id, key);
      return key;
    },
    accountRecord: worldKey => records.get(worldKey) ?? { daysArrived: 0, arrived: [] },
    saveAccountRecord: (worldKey, record) => store.put([{ kind: 'account', worldKey, record }]),
    derive: input => createHmac('sha256', hmacKey).update(input).digest().readBigInt64LE(),
  };
}

function keyOf(entry: Entry): string {
  if (entry.kind === 'key') return `key ${entry.key.id}`;
  return entry.kind === 'account' ? `account ${entry.worldKey}` : entry.kind;
}

function isIdle({ account, createdAt }: AuthKey): boolean {
  return account === null && Date.now() - createdAt > IDLE_KEY_MS;
}

function newKey(bytes: Buffer, dc: number): AuthKey {
  return {
    id: authKeyId(bytes),
    dc,
    secret: bytes.toString('base64'),
    createdAt: Date.now(),
    layer: null,
    account: null,
    passwordPending: null,
    refusal: null,
    code: null,
    loginToken: null,
  };
}
