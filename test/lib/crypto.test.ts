import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createCipher, hashToken, isSameSecret, keyedHash, randomToken } from '../../src/lib/crypto.ts';

const SECRET = 'a messenger session, ключ, 🔑';
const CONTEXT = 'messenger account 1';

describe('The cipher', () => {
  const key = randomBytes(32);
  const cipher = createCipher([key]);
  const sealed = cipher.encrypt(SECRET, CONTEXT);

  it('gives back what was sealed, also nothing and a lot', () => {
    expect(cipher.decrypt(sealed, CONTEXT)).to.equal(SECRET);
    for (const text of ['', 'x'.repeat(100_000)]) {
      expect(cipher.decrypt(cipher.encrypt(text, CONTEXT), CONTEXT)).to.equal(text);
    }
  });

  it('reveals nothing, and never encrypts the same way twice', () => {
    expect(sealed).to.match(/^v1\.[0-9a-f]{8}(\.[\w-]+){3}$/);
    expect(Buffer.from(sealed.split('.')[4] ?? '', 'base64url').toString('latin1')).not.to.include('messenger');
    expect(cipher.encrypt(SECRET, CONTEXT)).not.to.equal(sealed);
  });

  it('does not open a value that was moved to another row', () => {
    expect(() => cipher.decrypt(sealed, 'messenger account 2')).to.throw();
  });

  it('opens with the old key after a rotation, and seals with the new one', () => {
    const newest = randomBytes(32);
    const rotated = createCipher([newest, key]);
    expect(rotated.decrypt(sealed, CONTEXT)).to.equal(SECRET);
    const fresh = rotated.encrypt(SECRET, CONTEXT);
    expect(createCipher([newest]).decrypt(fresh, CONTEXT)).to.equal(SECRET);
    expect(() => cipher.decrypt(fresh, CONTEXT)).to.throw();
  });

  it('notices a changed byte in every part', () => {
    const parts = sealed.split('.');
    for (const index of parts.keys()) {
      const changed = parts.map((part, at) => (at === index ? flipped(part) : part)).join('.');
      expect(() => cipher.decrypt(changed, CONTEXT), `part ${index}`).to.throw();
    }
  });

  it('refuses what is cut off, has a shortened tag, or is no sealed value at all', () => {
    const [format, id, iv, tag, data] = sealed.split('.');
    const shortTag = Buffer.from(tag ?? '', 'base64url')
      .subarray(0, 4)
      .toString('base64url');
    const broken = [
      '',
      'v1',
      SECRET,
      sealed.slice(0, -4),
      [format, id, iv, '', data].join('.'),
      [format, id, iv, shortTag, data].join('.'),
      [format, id, '', tag, data].join('.'),
    ];
    for (const value of broken) expect(() => cipher.decrypt(value, CONTEXT), value).to.throw();
  });
});

describe('Tokens and hashes', () => {
  it('are found again by their hash and not read from it', () => {
    const token = randomToken();
    expect(hashToken(token)).to.equal(hashToken(token)).and.not.include(token);
    expect(keyedHash('one secret', '+49171')).to.equal(keyedHash('one secret', '+49171'));
    expect(keyedHash('one secret', '+49171')).not.to.equal(keyedHash('another', '+49171'));
  });

  it('compare secrets of any length', () => {
    expect(isSameSecret('key', 'key')).to.equal(true);
    for (const other of ['', 'kex', 'key ', 'KEY', 'k'.repeat(1000)]) expect(isSameSecret('key', other)).to.equal(false);
  });
});

function flipped(part: string): string {
  const first = part.startsWith('A') ? 'B' : 'A';
  return first + part.slice(1);
}
