import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

const BLOCK = 16;

export function sha1(...parts: Uint8Array[]): Buffer {
  return digest('sha1', parts);
}

export function sha256(...parts: Uint8Array[]): Buffer {
  return digest('sha256', parts);
}

function digest(algorithm: string, parts: Uint8Array[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** XORs byte by byte, up to the length of the shorter one. */
export function xor(left: Uint8Array, right: Uint8Array): Buffer {
  const result = Buffer.alloc(Math.min(left.length, right.length));
  for (let index = 0; index < result.length; index += 1) result[index] = (left[index] ?? 0) ^ (right[index] ?? 0);
  return result;
}

export function padStart(bytes: Buffer, length: number): Buffer {
  return bytes.length >= length ? bytes : Buffer.concat([Buffer.alloc(length - bytes.length), bytes]);
}

/**
 * AES-256 in IGE mode, which OpenSSL 3 no longer offers. With y = E(x ^ y') ^ x' and z = y ^ x', z is the CBC
 * encryption of x ^ x'', so one native call does the work.
 * @param data a multiple of 16 bytes
 * @param iv 32 bytes: the block before the first in cipher text, then in plain text
 */
export function encryptIge(data: Buffer, key: Buffer, iv: Buffer): Buffer {
  const previousCipher = iv.subarray(0, BLOCK);
  const previousPlain = iv.subarray(BLOCK, 2 * BLOCK);
  const onceBefore = Buffer.concat([previousPlain, data.subarray(0, -BLOCK)]);
  const twiceBefore = Buffer.concat([Buffer.alloc(BLOCK), onceBefore.subarray(0, -BLOCK)]);
  const cipher = createCipheriv('aes-256-cbc', key, previousCipher).setAutoPadding(false);
  return xor(cipher.update(xor(data, twiceBefore)), onceBefore);
}

/** The inverse of {@link encryptIge}; block by block, since each needs the plain text of the one before. */
export function decryptIge(data: Buffer, key: Buffer, iv: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const result = Buffer.alloc(data.length);
  let previousCipher = iv.subarray(0, BLOCK);
  let previousPlain = iv.subarray(BLOCK, 2 * BLOCK);
  for (let start = 0; start < data.length; start += BLOCK) {
    const block = data.subarray(start, start + BLOCK);
    const plain = xor(decipher.update(xor(block, previousPlain)), previousCipher);
    plain.copy(result, start);
    previousCipher = block;
    previousPlain = plain;
  }
  return result;
}

/** Key and iv of one encrypted message (MTProto 2.0, "Defining AES Key and Initialization Vector"). */
export function messageCipher(authKey: Buffer, msgKey: Buffer, sender: 'client' | 'server'): { key: Buffer; iv: Buffer } {
  const x = sender === 'client' ? 0 : 8;
  const a = sha256(msgKey, authKey.subarray(x, x + 36));
  const b = sha256(authKey.subarray(40 + x, 76 + x), msgKey);
  return {
    key: Buffer.concat([a.subarray(0, 8), b.subarray(8, 24), a.subarray(24, 32)]),
    iv: Buffer.concat([b.subarray(0, 8), a.subarray(8, 24), b.subarray(24, 32)]),
  };
}

/** The fingerprint of one message's plain text, padding included. */
export function messageKey(authKey: Buffer, plain: Buffer, sender: 'client' | 'server'): Buffer {
  const x = sender === 'client' ? 0 : 8;
  return sha256(authKey.subarray(88 + x, 120 + x), plain).subarray(8, 24);
}
