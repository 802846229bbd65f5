import { generatePrimeSync, randomBytes } from 'node:crypto';
import type { BigInteger } from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { decryptIge, encryptIge, sha1 } from './crypto.ts';
import { DH_GENERATOR, DH_PRIME, makeKeyPair, power } from './diffieHellman.ts';
import type { ServerKey } from './serverKey.ts';
import { fromLong, long, nonceBytes, nonceFrom, readObject, type TlObject } from './tl.ts';

export type KeyExchange = {
  /** Answers the next plain message. Throws on a message out of turn, which closes the connection. */
  answer(request: TlObject): TlObject;
};

type Started = { nonce: BigInteger; serverNonce: Buffer; pq: bigint };
type Agreed = Started & { newNonce: Buffer; key: Buffer; iv: Buffer };

/** The server's a and g^a. The process has one pair: each costs a modular power, and clients can't notice. */
export const ours = makeKeyPair();

const PRIME_BITS = 31;

/**
 * The server's half of https://core.telegram.org/mtproto/auth_key for one connection.
 * @param keep stores the finished auth key (256 bytes, leading zeros kept) before the client gets the answer
 */
export function startKeyExchange(serverKey: ServerKey, keep: (authKey: Buffer) => void): KeyExchange {
  let started: Started | null = null;
  let agreed: Agreed | null = null;
  return {
    answer(request) {
      if (request instanceof Api.ReqPqMulti || request instanceof Api.ReqPq) {
        started = { nonce: request.nonce, serverNonce: randomBytes(16), pq: makePq() };
        return resPq(started, serverKey.fingerprint);
      }
      if (request instanceof Api.ReqDHParams && started) {
        agreed = agreeOnNonce(started, serverKey, request);
        return dhParams(agreed);
      }
      if (request instanceof Api.SetClientDHParams && agreed) return finish(agreed, request, keep);
      throw new Error('Out of turn in the key exchange');
    },
  };
}

function makePq(): bigint {
  return generatePrimeSync(PRIME_BITS, { bigint: true }) * generatePrimeSync(PRIME_BITS, { bigint: true });
}

function resPq({ nonce, serverNonce, pq }: Started, fingerprint: bigint): TlObject {
  return new Api.ResPQ({
    nonce,
    serverNonce: nonceFrom(serverNonce),
    pq: Buffer.from(pq.toString(16).padStart(16, '0'), 'hex'),
    serverPublicKeyFingerprints: [long(fingerprint)],
  });
}

function agreeOnNonce(started: Started, serverKey: ServerKey, request: Api.ReqDHParams): Agreed {
  if (fromLong(request.publicKeyFingerprint) !== serverKey.fingerprint) throw new Error('Unknown server key');
  const inner = readObject(serverKey.open(request.encryptedData));
  if (!isInnerData(inner)) throw new Error('No p_q_inner_data');
  checkNonces(started, inner);
  const [p, q] = [bigEndian(inner.p), bigEndian(inner.q)];
  if (p * q !== started.pq || p >= q) throw new Error('Wrong factors');
  const newNonce = nonceBytes(inner.newNonce, 32);
  return { ...started, newNonce, ...temporaryCipher(newNonce, started.serverNonce) };
}

type InnerData = Api.PQInnerData | Api.PQInnerDataDc | Api.PQInnerDataTemp | Api.PQInnerDataTempDc;

function isInnerData(value: TlObject): value is InnerData {
  return (
    value instanceof Api.PQInnerData ||
    value instanceof Api.PQInnerDataDc ||
    value instanceof Api.PQInnerDataTemp ||
    value instanceof Api.PQInnerDataTempDc
  );
}

function temporaryCipher(newNonce: Buffer, serverNonce: Buffer): { key: Buffer; iv: Buffer } {
  const newThenServer = sha1(newNonce, serverNonce);
  const serverThenNew = sha1(serverNonce, newNonce);
  return {
    key: Buffer.concat([newThenServer, serverThenNew.subarray(0, 12)]),
    iv: Buffer.concat([serverThenNew.subarray(12), sha1(newNonce, newNonce), newNonce.subarray(0, 4)]),
  };
}

function dhParams(agreed: Agreed): TlObject {
  const inner = new Api.ServerDHInnerData({
    nonce: agreed.nonce,
    serverNonce: nonceFrom(agreed.serverNonce),
    g: DH_GENERATOR,
    dhPrime: DH_PRIME,
    gA: ours.shown,
    serverTime: Math.floor(Date.now() / 1000),
  }).getBytes();
  const plain = Buffer.concat([sha1(inner), inner]);
  const padding = randomBytes((16 - (plain.length % 16)) % 16);
  return new Api.ServerDHParamsOk({
    nonce: agreed.nonce,
    serverNonce: nonceFrom(agreed.serverNonce),
    encryptedAnswer: encryptIge(Buffer.concat([plain, padding]), agreed.key, agreed.iv),
  });
}

function finish(agreed: Agreed, request: Api.SetClientDHParams, keep: (authKey: Buffer) => void): TlObject {
  const plain = decryptIge(request.encryptedData, agreed.key, agreed.iv);
  const inner = readObject(plain.subarray(20));
  if (!(inner instanceof Api.ClientDHInnerData)) throw new Error('No client_DH_inner_data');
  if (!sha1(inner.getBytes()).equals(plain.subarray(0, 20))) throw new Error('The hash of the inner data does not match');
  checkNonces(agreed, inner);
  const authKey = power(inner.gB, ours.secret);
  keep(authKey);
  const hash = sha1(agreed.newNonce, Buffer.from([1]), sha1(authKey).subarray(0, 8));
  return new Api.DhGenOk({
    nonce: agreed.nonce,
    serverNonce: nonceFrom(agreed.serverNonce),
    newNonceHash1: nonceFrom(hash.subarray(4)),
  });
}

function checkNonces(expected: Started, actual: { nonce: BigInteger; serverNonce: BigInteger }): void {
  const sameServerNonce = nonceBytes(actual.serverNonce, 16).equals(expected.serverNonce);
  if (!actual.nonce.eq(expected.nonce) || !sameServerNonce) throw new Error('Wrong nonce');
}

function bigEndian(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}
