import { randomBytes } from 'node:crypto';
import { decryptIge, encryptIge, messageCipher, messageKey, sha1 } from './crypto.ts';
import { int64, uint32 } from './tl.ts';

/** A decrypted message of the client. */
export type SecureMessage = { salt: bigint; sessionId: bigint; messageId: bigint; sequence: number; body: Buffer };

const HEADER_BYTES = 32;
const MIN_PADDING_BYTES = 12;
const MAX_PADDING_BYTES = 1024;

/** The id by which a packet names its auth key: the last 8 bytes of the key's SHA-1, as hex. */
export function authKeyId(key: Buffer): string {
  return sha1(key).subarray(12).toString('hex');
}

/**
 * Decrypts a packet (key id, message key, cipher text). Throws when it was not made with this key, or was tampered
 * with.
 */
export function openFromClient(key: Buffer, packet: Buffer): SecureMessage {
  // The padded transport may append up to 15 bytes: an incomplete block is not part of the message.
  const blocks = packet.subarray(24, packet.length - ((packet.length - 24) % 16));
  const wantedKey = packet.subarray(8, 24);
  const cipher = messageCipher(key, wantedKey, 'client');
  const plain = decryptIge(blocks, cipher.key, cipher.iv);
  if (plain.length < HEADER_BYTES || !messageKey(key, plain, 'client').equals(wantedKey)) {
    throw new Error('The message key does not match');
  }
  const length = plain.readUInt32LE(28);
  const padding = plain.length - HEADER_BYTES - length;
  if (length % 4 !== 0 || padding < MIN_PADDING_BYTES || padding > MAX_PADDING_BYTES) {
    throw new Error('Impossible message length');
  }
  return {
    salt: plain.readBigInt64LE(0),
    sessionId: plain.readBigInt64LE(8),
    messageId: plain.readBigInt64LE(16),
    sequence: plain.readUInt32LE(24),
    body: plain.subarray(HEADER_BYTES, HEADER_BYTES + length),
  };
}

/** The packet that carries one finished message (see {@link messageBytes}) to the client. */
export function sealForClient(key: Buffer, salt: bigint, sessionId: bigint, message: Buffer): Buffer {
  const head = Buffer.concat([int64(salt), int64(sessionId), message]);
  const padding = MIN_PADDING_BYTES + ((16 - ((head.length + MIN_PADDING_BYTES) % 16)) % 16);
  const plain = Buffer.concat([head, randomBytes(padding)]);
  const keyOfMessage = messageKey(key, plain, 'server');
  const cipher = messageCipher(key, keyOfMessage, 'server');
  return Buffer.concat([sha1(key).subarray(12), keyOfMessage, encryptIge(plain, cipher.key, cipher.iv)]);
}

/** The bytes of one message in a packet or a container: id, sequence number, length, body. */
export function messageBytes(messageId: bigint, sequence: number, body: Buffer): Buffer {
  return Buffer.concat([int64(messageId), uint32(sequence), uint32(body.length), body]);
}

export type InnerMessage = { messageId: bigint; sequence: number; body: Buffer };

/** The messages of a msg_container (its constructor id included). Throws when it ends too early. */
export function readContainer(body: Buffer): InnerMessage[] {
  const messages: InnerMessage[] = [];
  let offset = 8;
  for (let count = body.readUInt32LE(4); count > 0; count -= 1) {
    const length = body.readUInt32LE(offset + 12);
    const end = offset + 16 + length;
    if (end > body.length) throw new Error('The container ends too early');
    messages.push({
      messageId: body.readBigInt64LE(offset),
      sequence: body.readUInt32LE(offset + 8),
      body: body.subarray(offset + 16, end),
    });
    offset = end;
  }
  return messages;
}
