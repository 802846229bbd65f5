import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { uint32 } from '../../../sandbox/messenger/tl.ts';
import { createTransport } from '../../../sandbox/messenger/transport.ts';

const TAGS = { abridged: 0xefefefef, intermediate: 0xeeeeeeee, 'padded intermediate': 0xdddddddd };

describe('The transports of the messenger sandbox', () => {
  it('take an intermediate stream in any pieces', () => {
    const packets = [randomBytes(40), randomBytes(1024)];
    const stream = Buffer.concat([uint32(TAGS.intermediate), ...packets.map(withLength)]);
    for (const size of [1, 7, stream.length]) {
      const transport = createTransport();
      const received = piecesOf(stream, size).flatMap(piece => transport.receive(piece));
      expect(received.map(hex)).to.deep.equal(packets.map(hex));
    }
  });

  it('answer in the transport that was spoken', () => {
    const transport = createTransport();
    transport.receive(Buffer.concat([uint32(TAGS.intermediate), withLength(randomBytes(8))]));
    const answer = randomBytes(12);
    expect(hex(transport.wrap(answer))).to.equal(hex(withLength(answer)));
  });

  it('announce long abridged packets by four bytes', () => {
    const transport = createTransport();
    const long = randomBytes(4 * 300);
    const head = Buffer.from([0x7f, 300 & 0xff, 300 >> 8, 0]);
    const received = transport.receive(Buffer.concat([Buffer.from([0xef]), head, long]));
    expect(received.map(hex)).to.deep.equal([hex(long)]);
    expect(hex(transport.wrap(long))).to.equal(hex(Buffer.concat([head, long])));
  });

  for (const [name, tag] of Object.entries(TAGS)) {
    it(`take ${name} in its obfuscated form`, () => {
      const { header, encrypt, decrypt } = obfuscation(tag);
      const transport = createTransport();
      const packet = randomBytes(40);
      const framed = tag === TAGS.abridged ? Buffer.concat([Buffer.from([10]), packet]) : withLength(packet);
      const received = piecesOf(Buffer.concat([header, encrypt(framed)]), 9).flatMap(each => transport.receive(each));
      expect(received.map(hex)).to.deep.equal([hex(packet)]);
      const answer = decrypt(transport.wrap(packet));
      expect(hex(answer)).to.contain(hex(packet));
    });
  }

  it('refuse a packet longer than any message', () => {
    const transport = createTransport();
    expect(() => transport.receive(Buffer.concat([uint32(TAGS.intermediate), uint32(2 ** 24)]))).to.throw('length');
  });

  it('refuse a full packet that was damaged on the way', () => {
    const packet = Buffer.concat([uint32(20), uint32(0), randomBytes(8), uint32(1)]);
    expect(() => createTransport().receive(packet)).to.throw('checksum');
  });
});

function withLength(packet: Buffer): Buffer {
  return Buffer.concat([uint32(packet.length), packet]);
}

function piecesOf(stream: Buffer, size: number): Buffer[] {
  const count = Math.ceil(stream.length / size);
  return Array.from({ length: count }, (_, index) => stream.subarray(index * size, (index + 1) * size));
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex');
}

/** A client's half of https://core.telegram.org/mtproto/mtproto-transports#transport-obfuscation. */
function obfuscation(tag: number) {
  const start = randomBytes(64);
  start.writeUInt32LE(0x01020304, 0);
  start.writeUInt32LE(0x05060708, 4);
  start.writeUInt32LE(tag, 56);
  const cipher = createCipheriv('aes-256-ctr', start.subarray(8, 40), start.subarray(40, 56));
  const reversed = Buffer.from(start.subarray(8, 56)).reverse();
  const decipher = createDecipheriv('aes-256-ctr', reversed.subarray(0, 32), reversed.subarray(32, 48));
  const encrypted = cipher.update(start);
  return {
    header: Buffer.concat([start.subarray(0, 56), encrypted.subarray(56)]),
    encrypt: (bytes: Buffer) => cipher.update(bytes),
    decrypt: (bytes: Buffer) => decipher.update(bytes),
  };
}
