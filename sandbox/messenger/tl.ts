import { gzipSync } from 'node:zlib';
import bigInt, { type BigInteger } from 'big-integer';
import { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import { serializeBytes } from 'telegram/tl/index.js';
import { bytesInLayer } from './layers.ts';

/** Any object of the library's schema. */
export type TlObject = { getBytes(): Buffer; className: string };

/** What a method may answer: an object, a Bool or a Vector of objects. */
export type TlAnswer = TlObject | boolean | TlObject[];

const CONSTRUCTOR = {
  vector: 0x1cb5c415,
  boolTrue: 0x997275b5,
  boolFalse: 0xbc799737,
  rpcResult: 0xf35c6d01,
  gzipPacked: 0x3072cfa1,
  container: 0x73f1f8dc,
} as const;

export const GZIP_PACKED = CONSTRUCTOR.gzipPacked;
export const CONTAINER = CONSTRUCTOR.container;

/** Compressing anything smaller costs more than it saves. */
const WORTH_PACKING_BYTES = 512;

/** Throws on an unknown constructor and on data that ends too early. */
export function readObject(data: Buffer): TlObject {
  return new BinaryReader(data).tgReadObject() as TlObject;
}

/** Returns the content of gzip_packed, still compressed. */
export function readPackedBytes(data: Buffer): Buffer {
  const reader = new BinaryReader(data);
  reader.readInt();
  return reader.tgReadBytes();
}

/**
 * rpc_result, which the library's schema leaves out; larger answers go gzipped, as the real server sends them.
 * @param layer the client's, see {@link bytesInLayer}
 */
export function rpcResult(requestId: bigint, answer: TlAnswer, layer: number | null): Buffer {
  const bytes = answerBytes(answer, layer);
  return Buffer.concat([uint32(CONSTRUCTOR.rpcResult), int64(requestId), packIfSmaller(bytes)]);
}

/** msg_container of finished messages (16 bytes of header each, then the body). */
export function container(messages: Buffer[]): Buffer {
  return Buffer.concat([uint32(CONSTRUCTOR.container), uint32(messages.length), ...messages]);
}

function answerBytes(answer: TlAnswer, layer: number | null): Buffer {
  if (typeof answer === 'boolean') return uint32(answer ? CONSTRUCTOR.boolTrue : CONSTRUCTOR.boolFalse);
  if (!Array.isArray(answer)) return bytesInLayer(answer, layer);
  const items = answer.map(item => bytesInLayer(item, layer));
  return Buffer.concat([uint32(CONSTRUCTOR.vector), uint32(items.length), ...items]);
}

function packIfSmaller(bytes: Buffer): Buffer {
  if (bytes.length < WORTH_PACKING_BYTES) return bytes;
  const packed = Buffer.concat([uint32(CONSTRUCTOR.gzipPacked), serializeBytes(gzipSync(bytes))]);
  return packed.length < bytes.length ? packed : bytes;
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}

/** Converts a bigint to the library's long. */
export function long(value: bigint | number): BigInteger {
  return bigInt(BigInt(value));
}

/** Converts the library's long to a bigint. */
export function fromLong(value: BigInteger): bigint {
  return BigInt(value.toString());
}

/** The library keeps nonces as signed little-endian integers; these two convert them to bytes and back. */
export function nonceBytes(value: BigInteger, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let rest = BigInt.asUintN(length * 8, fromLong(value));
  for (let index = 0; index < length; index += 1) {
    bytes[index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

export function nonceFrom(bytes: Buffer): BigInteger {
  const unsigned = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
  return long(BigInt.asIntN(bytes.length * 8, unsigned));
}
