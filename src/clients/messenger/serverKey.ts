import { createHash, createPublicKey } from 'node:crypto';
import bigInt from 'big-integer';
import { _serverKeys } from 'telegram/crypto/RSA.js';

/**
 * Lets the library accept a server that authenticates with this key, beside the vendor's own two. Affects the whole
 * process, so only call it with a key the operator configured: whoever holds its private half could pose as Telegram.
 * @param publicKeyPem RSA, SPKI or PKCS#1
 */
export function trustServerKey(publicKeyPem: string): void {
  const { n, e } = createPublicKey(publicKeyPem).export({ format: 'jwk' });
  if (!n || !e) throw new Error('The public key of the messenger server is not an RSA key');
  const modulus = Buffer.from(n, 'base64url');
  const exponent = Buffer.from(e, 'base64url');
  _serverKeys.set(fingerprint(modulus, exponent), {
    n: bigInt(modulus.toString('hex'), 16),
    e: Number.parseInt(exponent.toString('hex'), 16),
  });
}

/** The low 64 bits of the key's SHA1, https://core.telegram.org/mtproto/auth_key */
function fingerprint(modulus: Buffer, exponent: Buffer): string {
  const digest = createHash('sha1').update(tlBytes(modulus)).update(tlBytes(exponent)).digest();
  return digest.readBigInt64LE(12).toString();
}

/** A byte string as TL writes it: length, bytes, zeros up to a multiple of four. */
function tlBytes(bytes: Buffer): Buffer {
  const length = bytes.length < 254 ? [bytes.length] : [254, bytes.length & 255, bytes.length >> 8, 0];
  const written = Buffer.concat([Buffer.from(length), bytes]);
  return Buffer.concat([written, Buffer.alloc(-written.length & 3)]);
}
