import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Db } from './db.ts';

const FORMAT = 'v1';
/** Requires tags of 16 bytes. Otherwise Node accepts a shorter tag from the value, which is easier to forge. */
const TAG = { authTagLength: 16 };

/** Encrypts what must not be readable in the database. */
export type Cipher = {
  /** @param context what the value belongs to, bound as additional data: a value moved to another row no longer opens. */
  encrypt(plaintext: string, context: string): string;
  /** Throws when the value was changed, belongs to another context, or its key is not among ours. */
  decrypt(sealed: string, context: string): string;
};

/**
 * AES-256-GCM. The first key writes, every key reads, so that keys can be rotated. A sealed value is
 * `v1.<key id>.<iv>.<tag>.<data>`, base64url; the key id is the start of the key's own hash.
 * @param keys 32 bytes each, newest first
 */
export function createCipher(keys: readonly Buffer[]): Cipher {
  const byId = new Map(keys.map(key => [keyId(key), key]));
  const [newest] = keys;
  if (!newest) throw new Error('at least one encryption key is needed');

  return {
    encrypt(plaintext, context) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', newest, iv, TAG);
      cipher.setAAD(Buffer.from(context));
      const data = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return [FORMAT, keyId(newest), ...[iv, cipher.getAuthTag(), data].map(b => b.toString('base64url'))].join('.');
    },
    decrypt(sealed, context) {
      const [format, id = '', iv = '', tag = '', data = ''] = sealed.split('.');
      const key = byId.get(id);
      if (format !== FORMAT || !key) throw new Error('sealed with a key that is not configured');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), TAG);
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(data, 'base64url')), decipher.final()]).toString('utf8');
    },
  };
}

/**
 * Reseals the credentials of all rows of a table with the newest key, unless changed meanwhile. Returns their number. Throws
 * if a key is no longer configured.
 */
export async function resealAll(
  { db, cipher }: { db: Db; cipher: Cipher },
  { table, idColumn, context }: { table: string; idColumn: string; context: (id: string) => string },
): Promise<number> {
  const sealed = await db(table).whereNotNull('credentials').select({ id: idColumn, from: 'credentials' });
  for (const { id, from } of sealed) {
    const credentials = cipher.encrypt(cipher.decrypt(from, context(id)), context(id));
    await db(table)
      .where({ [idColumn]: id, credentials: from })
      .update({ credentials });
  }
  return sealed.length;
}

const keyId = (key: Buffer): string => createHash('sha256').update('forenoon key id').update(key).digest('hex').slice(0, 8);

/** 32 random bytes, base64url: for links and tokens. Only their hash is stored. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** The prefix of every API token, so that people and scanners for leaked secrets recognize one. */
const API_TOKEN_PREFIX = 'fnn_';

export const randomApiToken = (): string => `${API_TOKEN_PREFIX}${randomToken()}`;

/** Whether a token has our prefix; a proxy in front of the service may send tokens of its own. */
export const isApiToken = (text: string): boolean => text.startsWith(API_TOKEN_PREFIX);

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** A keyed hash for values that must be found again but not be readable, such as a phone number in a limit's key. */
export function keyedHash(secret: string, value: string): string {
  return createHmac('sha256', secret).update(value).digest('hex').slice(0, 32);
}

/** Compares in constant time, over hashes, so that not even the length shows. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Secrets of one installation, by variable name. They are made once: a new ENCRYPTION_KEY can't open what the old one sealed. */
export function createSecrets(): Record<'SESSION_SECRET' | 'ENCRYPTION_KEY' | 'ADMIN_API_KEY', string> {
  return {
    SESSION_SECRET: randomBytes(32).toString('base64url'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ADMIN_API_KEY: randomBytes(24).toString('base64url'),
  };
}
