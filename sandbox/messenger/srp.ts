import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { padStart, sha256, xor } from './crypto.ts';
import { DH_BYTES, DH_GENERATOR, DH_PRIME, power } from './diffieHellman.ts';

/** What the server keeps of a password (https://core.telegram.org/api/srp). */
export type SrpVerifier = { salt1: Buffer; salt2: Buffer; value: Buffer };

/** One challenge to a client: `shown` is sent to it, `secret` stays with the server. */
export type SrpChallenge = { secret: Buffer; shown: Buffer };

const ROUNDS = 100_000;
const PRIME = toInteger(DH_PRIME);
const GENERATOR = padStart(Buffer.from([DH_GENERATOR]), DH_BYTES);
const MULTIPLIER = toInteger(sha256(DH_PRIME, GENERATOR));

/** Takes some 50 ms. */
export function makeVerifier(password: string, salt: Buffer): SrpVerifier {
  const [salt1, salt2] = [sha256(salt, Buffer.from('1')).subarray(0, 16), sha256(salt, Buffer.from('2')).subarray(0, 16)];
  const salted = (data: Buffer, with_: Buffer) => sha256(with_, data, with_);
  const first = salted(salted(Buffer.from(password), salt1), salt2);
  const x = salted(pbkdf2Sync(first, salt1, ROUNDS, 64, 'sha512'), salt2);
  return { salt1, salt2, value: power(GENERATOR, x) };
}

export function makeChallenge(verifier: SrpVerifier): SrpChallenge {
  const secret = randomBytes(DH_BYTES);
  const blinded = (MULTIPLIER * toInteger(verifier.value) + toInteger(power(GENERATOR, secret))) % PRIME;
  return { secret, shown: toBytes(blinded) };
}

/**
 * Whether the client knows the password.
 * @param theirs the client's A
 * @param proof the client's M1
 */
export function checkProof(verifier: SrpVerifier, challenge: SrpChallenge, theirs: Buffer, proof: Buffer): boolean {
  const a = padStart(theirs, DH_BYTES);
  if (a.length !== DH_BYTES || toInteger(a) % PRIME === 0n) return false;
  const u = sha256(a, challenge.shown);
  const base = (toInteger(a) * toInteger(power(verifier.value, u))) % PRIME;
  const sharedKey = sha256(power(toBytes(base), challenge.secret));
  const expected = sha256(
    xor(sha256(DH_PRIME), sha256(GENERATOR)),
    sha256(verifier.salt1),
    sha256(verifier.salt2),
    a,
    challenge.shown,
    sharedKey,
  );
  return expected.equals(proof);
}

function toInteger(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}

function toBytes(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(DH_BYTES * 2, '0'), 'hex');
}
