import { createCipheriv, createHash, createHmac, pbkdf2, randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { deflateSync, gunzipSync } from 'node:zlib';
import { connectTcp } from '@fuman/node';
import { IntermediatePacketCodec, MemoryStorage, type TelegramTransport } from '@mtcute/core';
import { TelegramClient } from '@mtcute/core/client.js';
import { addPublicKey, BaseCryptoProvider, type ICryptoProvider, parsePublicKey } from '@mtcute/core/utils.js';
import { ige256Decrypt, ige256Encrypt, initSync, SIMD_AVAILABLE } from '@mtcute/wasm';
import type { MessengerSandbox } from '../../../sandbox/messenger/server.ts';

export type IndependentClient = TelegramClient;

/**
 * mtcute, which shares no code with the library the sandbox is built on, put together from its parts: its package for
 * Node brings an SQLite that has to be compiled. Destroy it at the end.
 * @param storage that of an earlier client, to go on with its session
 */
export function independentClient(sandbox: MessengerSandbox, storage = new MemoryStorage()): IndependentClient {
  const crypto = new NodeCrypto();
  addPublicKey(crypto, sandbox.publicKeyPem);
  const dc = { id: 2, ipAddress: sandbox.host, port: sandbox.port };
  return new TelegramClient({
    apiId: 1,
    apiHash: 'hash',
    storage,
    crypto,
    transport,
    platform,
    // Without mediaOnly it looks for a media server without end.
    defaultDcs: { main: dc, media: { ...dc, mediaOnly: true } },
    logLevel: 0,
  });
}

/** It files keys under their fingerprint and looks for them without its leading zeros: one in 16 it never finds. */
export function canFindKeyOf(sandbox: MessengerSandbox): boolean {
  return !parsePublicKey(new NodeCrypto(), sandbox.publicKeyPem).fingerprint.startsWith('0');
}

const transport: TelegramTransport = {
  connect: dc => connectTcp({ address: dc.ipAddress, port: dc.port }),
  packetCodec: () => new IntermediatePacketCodec(),
};

const platform = { beforeExit: () => () => {}, log: () => {}, getDefaultLogLevel: () => null, getDeviceModel: () => 'Test' };

const derive = promisify(pbkdf2);

/** Node's own cryptography; the mode it lacks is mtcute's. */
class NodeCrypto extends BaseCryptoProvider implements ICryptoProvider {
  initialize(): void {
    const file = SIMD_AVAILABLE ? 'mtcute-simd.wasm' : 'mtcute.wasm';
    initSync(readFileSync(createRequire(import.meta.url).resolve(`@mtcute/wasm/${file}`)));
  }

  sha1(data: Uint8Array): Uint8Array {
    return createHash('sha1').update(data).digest();
  }

  sha256(data: Uint8Array): Uint8Array {
    return createHash('sha256').update(data).digest();
  }

  hmacSha256(data: Uint8Array, key: Uint8Array): Uint8Array {
    return createHmac('sha256', key).update(data).digest();
  }

  pbkdf2(secret: Uint8Array, salt: Uint8Array, rounds: number, length = 64, hash = 'sha512'): Promise<Uint8Array> {
    return derive(secret, salt, rounds, length, hash);
  }

  createAesCtr(key: Uint8Array, iv: Uint8Array) {
    const cipher = createCipheriv(`aes-${key.length * 8}-ctr`, key, iv);
    return { process: (data: Uint8Array) => cipher.update(data) };
  }

  createAesIge(key: Uint8Array, iv: Uint8Array) {
    return {
      encrypt: (data: Uint8Array) => ige256Encrypt(data, key, iv),
      decrypt: (data: Uint8Array) => ige256Decrypt(data, key, iv),
    };
  }

  gzip(data: Uint8Array, maxSize: number): Uint8Array | null {
    const packed = deflateSync(data);
    return packed.length <= maxSize ? packed : null;
  }

  gunzip(data: Uint8Array): Uint8Array {
    return gunzipSync(data);
  }

  randomFill(buffer: Uint8Array): void {
    randomFillSync(buffer);
  }
}
