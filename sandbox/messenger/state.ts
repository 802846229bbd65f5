import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
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

const authKeySchema = z.object({
  id: z.string(),
  /** The data centre it was agreed with: no other knows it. */
  dc: z.number().default(HOME_DC),
  secret: z.base64(),
  createdAt: z.number(),
  /** The schema version of its initConnection; null before the first. Belongs to the key, not to the session. */
  layer: z.number().nullable(),
  /** Key of the world it is signed in to. */
  account: z.string().nullable(),
  /** Key of the world whose password is still to come. */
  passwordPending: z.string().nullable(),
  /** What a signed-out key is told, when somebody else ended it. */
  refusal: z.string().nullable(),
  code: sentCodeSchema.nullable(),
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
  /** What arrived after the world was made, oldest first. */
  arrived: z.array(z.object({ dialogKey: z.string(), message: messageSchema })),
});

const serverSchema = z.object({ secret: z.base64() });

export type SentCode = z.infer<typeof sentCodeSchema>;
export type AuthKey = z.infer<typeof authKeySchema>;
export type AccountRecord = z.infer<typeof accountSchema>;

/** Unix milliseconds a key may stay signed out before it is dropped at a start. */
const IDLE_KEY_MS = 7 * 24 * 60 * 60 * 1000;

/** What outlives the process. Every change is in its file before the client hears of it. */
export type State = {
  keys: Map<string, AuthKey>;
  addKey(secret: Buffer, dc: number): AuthKey;
  saveKey(key: AuthKey): void;
  accountRecord(worldKey: string): AccountRecord;
  saveAccountRecord(worldKey: string, record: AccountRecord): void;
  /** 64 bits that are the same at every start and say nothing about the input. */
  derive(input: string): bigint;
};

/** Opens or makes the state in a folder. Throws when a file in it is not ours. */
export function openState(folder: string): State {
  const keysFolder = join(folder, 'keys');
  const accountsFolder = join(folder, 'accounts');
  for (const path of [keysFolder, accountsFolder]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const secret = serverSecret(join(folder, 'server.json'));
  const keys = readKeys(keysFolder);
  const saveKey = (key: AuthKey) => writeJson(keyFile(keysFolder, key.id), key);
  const accountFile = (worldKey: string) => join(accountsFolder, `${encodeURIComponent(worldKey)}.json`);
  return {
    keys,
    saveKey,
    addKey(bytes, dc) {
      const key = newKey(bytes, dc);
      saveKey(key);
      keys.set(key.id, key);
      return key;
    },
    accountRecord: worldKey => readJson(accountFile(worldKey), accountSchema) ?? { daysArrived: 0, arrived: [] },
    saveAccountRecord: (worldKey, record) => writeJson(accountFile(worldKey), record),
    derive: input => createHmac('sha256', secret).update(input).digest().readBigInt64LE(),
  };
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
  };
}

function serverSecret(file: string): Buffer {
  const kept = readJson(file, serverSchema);
  if (kept) return Buffer.from(kept.secret, 'base64');
  const secret = randomBytes(32);
  writeJson(file, { secret: secret.toString('base64') });
  return secret;
}

function readKeys(folder: string): Map<string, AuthKey> {
  const keys = new Map<string, AuthKey>();
  for (const name of readdirSync(folder).filter(file => file.endsWith('.json'))) {
    const key = readJson(join(folder, name), authKeySchema);
    if (!key) continue;
    if (key.account === null && Date.now() - key.createdAt > IDLE_KEY_MS)
      rmSync(keyFile(folder, key.id), { force: true });
    else keys.set(key.id, key);
  }
  return keys;
}

function keyFile(folder: string, id: string): string {
  return join(folder, `${id}.json`);
}

function readJson<T>(file: string, schema: z.ZodType<T>): T | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  return schema.parse(JSON.parse(text));
}

/** Renamed into place: survives the death of the process. A dead machine may lose the last change, which costs a sandbox nothing. */
function writeJson(file: string, value: unknown): void {
  writeFileAtomic.sync(file, JSON.stringify(value), { mode: 0o600, fsync: false });
}
