import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { serializeBytes } from 'telegram/tl/index.js';
import { decryptIge, sha1, sha256, xor } from './crypto.ts';

/** The server's RSA key, by which a client authenticates it during the key exchange. */
export type ServerKey = {
  publicKeyPem: string;
  /** Signed 64-bit, as the wire carries it. */
  fingerprint: bigint;
  /**
   * Decrypts RSA_PAD: the 192 bytes (data and padding) a client encrypted for this key. Throws when they were tampered
   * with.
   */
  open(encrypted: Buffer): Buffer;
};

/** A new 2048-bit key. Takes some 100 ms. */
export function makeServerKey(): ServerKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 65537 });
  const jwk = publicKey.export({ format: 'jwk' });
  const modulus = Buffer.from(jwk.n ?? '', 'base64url');
  const exponent = Buffer.from(jwk.e ?? '', 'base64url');
  return {
    publicKeyPem: publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    fingerprint: fingerprintOf(modulus, exponent),
    open: encrypted => openPadded(privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, encrypted)),
  };
}

function fingerprintOf(modulus: Buffer, exponent: Buffer): bigint {
  return sha1(serializeBytes(modulus), serializeBytes(exponent)).subarray(12).readBigInt64LE();
}

/** https://core.telegram.org/mtproto/auth_key, 4.1 RSA_PAD, read backwards. */
function openPadded(keyAndData: Buffer): Buffer {
  const encrypted = keyAndData.subarray(32);
  const temporaryKey = xor(keyAndData.subarray(0, 32), sha256(encrypted));
  const plain = decryptIge(encrypted, temporaryKey, Buffer.alloc(32));
  const data = Buffer.from(plain.subarray(0, 192)).reverse();
  if (!sha256(temporaryKey, data).equals(plain.subarray(192))) throw new Error('RSA_PAD: the hash does not match');
  return data;
}
