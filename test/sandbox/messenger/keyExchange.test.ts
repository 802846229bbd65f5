import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { IGE } from 'telegram/crypto/IGE.js';
import { decryptIge, encryptIge, messageCipher, messageKey } from '../../../sandbox/messenger/crypto.ts';
import { DH_BYTES, DH_PRIME, makeKeyPair, power } from '../../../sandbox/messenger/diffieHellman.ts';
import {
  authKeyId,
  messageBytes,
  openFromClient,
  readContainer,
  sealForClient,
} from '../../../sandbox/messenger/secureMessages.ts';
import { container, int64 } from '../../../sandbox/messenger/tl.ts';

describe('The keys of the messenger sandbox', () => {
  it('are the same on both sides and always 256 bytes, also when they begin with zeros', () => {
    const ours = makeKeyPair();
    let shared: Buffer = Buffer.from([1]);
    for (let tries = 0; tries < 5000 && shared[0] !== 0; tries += 1) {
      const theirs = makeKeyPair();
      shared = power(theirs.shown, ours.secret);
      expect(shared.equals(power(ours.shown, theirs.secret))).to.equal(true);
    }
    expect(shared[0]).to.equal(0);
    expect(shared).to.have.length(DH_BYTES);
  });

  it('are never made from a number that gives the secret away', () => {
    const { secret } = makeKeyPair();
    const last = Buffer.from(DH_PRIME);
    last.writeUInt8(last.readUInt8(DH_BYTES - 1) - 1, DH_BYTES - 1);
    for (const base of [Buffer.from([0]), Buffer.from([1]), last, DH_PRIME])
      expect(() => power(base, secret)).to.throw();
  });

  it('encrypt like the client library', () => {
    const [key, iv, data] = [randomBytes(32), randomBytes(32), randomBytes(16 * 37)];
    const encrypted = encryptIge(data, key, iv);
    expect(encrypted.equals(new IGE(key, iv).encryptIge(data))).to.equal(true);
    expect(decryptIge(encrypted, key, iv).equals(data)).to.equal(true);
  });

  it('open only what was made with them and left alone', () => {
    const key = randomBytes(256);
    const packet = packetOf(key, Buffer.from('12345678'));
    expect(openFromClient(key, packet).body.toString()).to.equal('12345678');
    expect(openFromClient(key, Buffer.concat([packet, randomBytes(7)])).body.toString()).to.equal('12345678');
    expect(() => openFromClient(randomBytes(256), packet)).to.throw('message key');
    packet.writeUInt8(packet.readUInt8(40) ^ 1, 40);
    expect(() => openFromClient(key, packet)).to.throw('message key');
  });

  it('do not open what a server said', () => {
    const key = randomBytes(256);
    const sealed = sealForClient(key, 1n, 2n, messageBytes(3n, 0, Buffer.alloc(8)));
    expect(() => openFromClient(key, sealed)).to.throw('message key');
  });
});

describe('A container of the messenger sandbox', () => {
  it('is read back as it was written', () => {
    const messages = [1n, 2n].map(id => messageBytes(id, Number(id), Buffer.alloc(4 * Number(id))));
    const read = readContainer(container(messages));
    expect(read.map(({ messageId, sequence, body }) => [messageId, sequence, body.length])).to.deep.equal([
      [1n, 1, 4],
      [2n, 2, 8],
    ]);
    expect(() => readContainer(container(messages).subarray(0, -4))).to.throw();
  });
});

/** What a client sends. */
function packetOf(key: Buffer, body: Buffer): Buffer {
  const head = Buffer.concat([int64(1n), int64(2n), messageBytes(4n, 1, body)]);
  const plain = Buffer.concat([head, randomBytes(12 + ((16 - ((head.length + 12) % 16)) % 16))]);
  const fingerprint = messageKey(key, plain, 'client');
  const cipher = messageCipher(key, fingerprint, 'client');
  return Buffer.concat([Buffer.from(authKeyId(key), 'hex'), fingerprint, encryptIge(plain, cipher.key, cipher.iv)]);
}
