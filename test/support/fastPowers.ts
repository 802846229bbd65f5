import { createRequire } from 'node:module';
import bigInt, { type BigInteger } from 'big-integer';
import { DH_PRIME, power } from '../../sandbox/messenger/diffieHellman.ts';

type Power = (base: BigInteger, exponent: BigInteger, modulus: BigInteger) => BigInteger;

const prime = bigInt(DH_PRIME.toString('hex'), 16);
const helpers = createRequire(import.meta.url)('telegram/Helpers.js') as { modExp: Power };

/**
 * Lets OpenSSL compute the powers of the vendor's client in this process, with the same results. Its own loop takes a
 * tenth of a second for each, which is most of what a sign-in at the messenger costs. The tests of the client itself, and
 * the processes that tests start, compute as in production.
 */
export function speedUpPowers(): void {
  helpers.modExp = fastPower(helpers.modExp);
}

/** Exported for its test: with the vendor's function where OpenSSL has no shorter way. */
export function fastPower(theirs: Power): Power {
  return (base, exponent, modulus) => {
    if (exponent.equals(2)) return base.multiply(base).remainder(modulus);
    const isOfPrime = modulus.equals(prime) && exponent.greater(0) && base.greater(1) && base.lesser(prime.prev());
    if (!isOfPrime) return theirs(base, exponent, modulus);
    return bigInt(power(bytesOf(base), bytesOf(exponent)).toString('hex'), 16);
  };
}

function bytesOf(value: BigInteger): Buffer {
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}
