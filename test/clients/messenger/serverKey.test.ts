import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';

const vendorKeys = ['-3414540481677951611', '-5595554452916591101'];

/** The keys a fresh process trusts after it made this client. */
function trustedKeys(server: { host: string; port: number; publicKeyPem: string } | undefined): string[] {
  const options = { apiId: 1, apiHash: 'hash', server };
  const script = `
    import { _serverKeys } from 'telegram/crypto/RSA.js';
    import { createTelegramClient } from './src/clients/messenger/telegram.ts';
    createTelegramClient({ ...${JSON.stringify(options)}, report: () => {} });
    process.stdout.write(JSON.stringify([..._serverKeys.keys()]));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }));
}

describe('The keys a messenger server may prove itself with', () => {
  it("are the vendor's own two when no server is configured", () => {
    expect(trustedKeys(undefined)).to.have.members(vendorKeys);
  });

  for (const type of ['pkcs1', 'spki'] as const) {
    it(`include that of a configured server, given as ${type}`, () => {
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const publicKeyPem = publicKey.export({ type, format: 'pem' }).toString();
      const keys = trustedKeys({ host: '127.0.0.1', port: 1, publicKeyPem });
      expect(keys).to.have.length(3).and.include.members(vendorKeys);
    });
  }
});
