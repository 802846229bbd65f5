import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { uint32 } from './tl.ts';

/** The byte stream of one TCP connection as packets, in whichever of the transports the client chose. */
export type Transport = {
  /** Packets completed by this chunk. Throws when the stream is none of the transports, or broken. */
  receive(chunk: Buffer): Buffer[];
  /** Frames one packet for the client. Works only after the first bytes were received. */
  wrap(packet: Buffer): Buffer;
};

type Framing = {
  /** The first packet in the buffer and where it ends; null when it is not complete. */
  take(buffer: Buffer): { packet: Buffer; end: number } | null;
  wrap(packet: Buffer): Buffer;
};

type Stream = { framing: Framing; decrypt(chunk: Buffer): Buffer; encrypt(chunk: Buffer): Buffer };

const ABRIDGED = 0xef;
const INTERMEDIATE = 0xeeeeeeee;
const PADDED_INTERMEDIATE = 0xdddddddd;
const ABRIDGED_OBFUSCATED = 0xefefefef;
const OBFUSCATION_HEADER_BYTES = 64;
const MAX_PACKET_BYTES = 2 ** 21;

/** https://core.telegram.org/mtproto/mtproto-transports: full, abridged, intermediate (padded too), each also obfuscated. */
export function createTransport(): Transport {
  let pending = Buffer.alloc(0);
  let stream: Stream | null = null;
  const open = () => {
    const opened = detect(pending);
    if (opened) pending = Buffer.from(opened.stream.decrypt(pending.subarray(opened.headerBytes)));
    return opened?.stream ?? null;
  };
  return {
    receive(chunk) {
      pending = Buffer.concat([pending, stream ? stream.decrypt(chunk) : chunk]);
      stream ??= open();
      if (!stream) return [];
      const { packets, rest } = takeAll(stream.framing, pending);
      pending = Buffer.from(rest);
      return packets;
    },
    wrap(packet) {
      if (!stream) throw new Error('Nothing was received yet');
      return stream.encrypt(stream.framing.wrap(packet));
    },
  };
}

function takeAll(framing: Framing, buffer: Buffer): { packets: Buffer[]; rest: Buffer } {
  const packets: Buffer[] = [];
  let rest = buffer;
  for (let taken = framing.take(rest); taken; taken = framing.take(rest)) {
    packets.push(Buffer.from(taken.packet));
    rest = rest.subarray(taken.end);
  }
  return { packets, rest };
}

const untouched = (chunk: Buffer) => chunk;
const plainStream = (framing: Framing): Stream => ({ framing, decrypt: untouched, encrypt: untouched });

/** Detects the transport from the first bytes; null when they are too few. */
function detect(start: Buffer): { stream: Stream; headerBytes: number } | null {
  if (start[0] === ABRIDGED) return { stream: plainStream(abridged()), headerBytes: 1 };
  if (start.length < 8) return null;
  const tag = start.readUInt32LE(0);
  if (tag === INTERMEDIATE) return { stream: plainStream(intermediate(false)), headerBytes: 4 };
  if (tag === PADDED_INTERMEDIATE) return { stream: plainStream(intermediate(true)), headerBytes: 4 };
  // Full begins with a length and the sequence number 0; an obfuscated header never has zeros there.
  if (start.readUInt32LE(4) === 0) return { stream: plainStream(full()), headerBytes: 0 };
  if (start.length < OBFUSCATION_HEADER_BYTES) return null;
  return { stream: obfuscated(start.subarray(0, OBFUSCATION_HEADER_BYTES)), headerBytes: OBFUSCATION_HEADER_BYTES };
}

function obfuscated(header: Buffer): Stream {
  const reversed = Buffer.from(header.subarray(8, 56)).reverse();
  const decipher = createDecipheriv('aes-256-ctr', header.subarray(8, 40), header.subarray(40, 56));
  const cipher = createCipheriv('aes-256-ctr', reversed.subarray(0, 32), reversed.subarray(32, 48));
  const tag = decipher.update(header).readUInt32LE(56);
  return { framing: framingOf(tag), decrypt: chunk => decipher.update(chunk), encrypt: chunk => cipher.update(chunk) };
}

function framingOf(tag: number): Framing {
  if (tag === ABRIDGED_OBFUSCATED) return abridged();
  if (tag === INTERMEDIATE) return intermediate(false);
  if (tag === PADDED_INTERMEDIATE) return intermediate(true);
  throw new Error('Unknown transport');
}

function abridged(): Framing {
  return {
    take(buffer) {
      if (buffer.length < 4) return null;
      // The high bit only asks for a quick acknowledgement, which is optional.
      const short = buffer.readUInt8(0) & 0x7f;
      const start = short < 0x7f ? 1 : 4;
      const length = (short < 0x7f ? short : buffer.readUIntLE(1, 3)) * 4;
      return slice(buffer, start, length, start + length);
    },
    wrap(packet) {
      const words = packet.length / 4;
      const head = words < 0x7f ? Buffer.from([words]) : uint32((words << 8) | 0x7f);
      return Buffer.concat([head, packet]);
    },
  };
}

function intermediate(padded: boolean): Framing {
  return {
    take(buffer) {
      if (buffer.length < 4) return null;
      const length = buffer.readUInt32LE(0) & 0x7fffffff;
      return slice(buffer, 4, length, 4 + length);
    },
    wrap(packet) {
      const padding = padded ? randomBytes(randomBytes(1).readUInt8(0) % 16) : Buffer.alloc(0);
      return Buffer.concat([uint32(packet.length + padding.length), packet, padding]);
    },
  };
}

function full(): Framing {
  let received = 0;
  let sent = 0;
  return {
    take(buffer) {
      if (buffer.length < 12) return null;
      const length = buffer.readUInt32LE(0);
      const taken = slice(buffer, 8, length - 12, length);
      if (!taken) return null;
      if (buffer.readUInt32LE(4) !== received) throw new Error('Packets out of order');
      if (crc32(buffer.subarray(0, length - 4)) !== buffer.readUInt32LE(length - 4)) throw new Error('Wrong checksum');
      received += 1;
      return taken;
    },
    wrap(packet) {
      const body = Buffer.concat([uint32(packet.length + 12), uint32(sent), packet]);
      sent += 1;
      return Buffer.concat([body, uint32(crc32(body))]);
    },
  };
}

function slice(buffer: Buffer, start: number, length: number, end: number): { packet: Buffer; end: number } | null {
  if (length < 0 || length > MAX_PACKET_BYTES) throw new Error('Impossible packet length');
  return buffer.length < end ? null : { packet: buffer.subarray(start, start + length), end };
}
