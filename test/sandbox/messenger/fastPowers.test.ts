import { createRequire } from 'node:module';
import bigInt from 'big-integer';
import { expect } from 'chai';
import { DH_PRIME } from '../../../sandbox/messenger/diffieHellman.ts';
import { fastPower } from '../../support/fastPowers.ts';

const { modExp } = createRequire(import.meta.url)('telegram/Helpers.js');
const PRIME = bigInt(DH_PRIME.toString('hex'), 16);

describe('A power that OpenSSL computes for the client', () => {
  it('is the one its own library computes', () => {
    const fast = fastPower(modExp);
    const some = bigInt.randBetween(1, PRIME);
    const other = bigInt.randBetween(1, PRIME);
    for (const [base, exponent, modulus] of [
      [bigInt(3), some, PRIME],
      [other, some, PRIME],
      [PRIME.prev(), some, PRIME],
      [bigInt.one, some, PRIME],
      [PRIME.add(5), bigInt(7), PRIME],
      [other, bigInt.zero, PRIME],
      [bigInt(123_456_789), bigInt(2), bigInt(1_000_003)],
      [bigInt(123_456_789), bigInt(65_537), bigInt(1_000_003)],
    ] as const)
      expect(fast(base, exponent, modulus).toString(16)).to.equal(modExp(base, exponent, modulus).toString(16));
  });
});
