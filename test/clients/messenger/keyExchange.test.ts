import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import helpers from 'telegram/Helpers.js';
import { DH_BYTES, DH_GENERATOR, DH_PRIME, power } from '../../../sandbox/messenger/diffieHellman.ts';
import { ours as server } from '../../../sandbox/messenger/keyExchange.ts';
import { owner, world } from '../../support/worlds.ts';
import { allDialogs, codeOf, startMessenger } from './messenger.ts';

const phone = owner.phone ?? '';
const prime = integer(DH_PRIME);
const generator = Buffer.from([DH_GENERATOR]);
const { generateRandomBytes } = helpers;

/** One exchange of keys in 256 has such a number, which libraries that write it without its zeros then get wrong. */
describe('A key exchange', () => {
  let messenger: Awaited<ReturnType<typeof startMessenger>>;
  let secretsAsked: number;

  before(async () => {
    messenger = await startMessenger(world());
  });
  beforeEach(() => {
    secretsAsked = 0;
  });
  afterEach(() => Object.assign(helpers, { generateRandomBytes }));
  after(() => messenger.stop());

  for (const [what, base] of [
    ['the key that is agreed on', server.shown],
    ["the client's half", generator],
  ] as const) {
    it(`succeeds at the first try when ${what} begins with a zero byte`, async () => {
      const secret = secretWithZeroIn(base);
      expect(power(base, secret)[0]).to.equal(0);
      useAsFirstSecret(secret);
      const sent = await messenger.client.sendCode(phone);
      expect(secretsAsked).to.equal(1);
      const result = await messenger.client.signIn({ ...sent, phone, code: codeOf(messenger.sandbox, phone) });
      expect(await allDialogs(messenger.client, result.session)).to.have.length(1);
    });
  }

  /** Everything else the library rolls dice for stays random. */
  function useAsFirstSecret(secret: Buffer): void {
    Object.assign(helpers, {
      generateRandomBytes(count: number) {
        if (count !== DH_BYTES) return generateRandomBytes(count);
        secretsAsked += 1;
        return secretsAsked === 1 ? secret : generateRandomBytes(count);
      },
    });
  }
});

/** Of 256 bytes, so that base to its power, modulo the prime, begins with a zero byte. Tries neighbours, at a product each. */
function secretWithZeroIn(base: Buffer): Buffer {
  const start = randomBytes(DH_BYTES);
  start.writeUInt8(1, 0);
  const factor = integer(base);
  let secret = integer(start);
  let value = integer(power(base, start));
  while (value >> BigInt((DH_BYTES - 1) * 8) !== 0n) {
    secret += 1n;
    value = (value * factor) % prime;
  }
  return Buffer.from(secret.toString(16).padStart(DH_BYTES * 2, '0'), 'hex');
}

function integer(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}
