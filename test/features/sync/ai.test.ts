import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { resealCredentials } from '../../../src/features/messenger/service.ts';
import { computeCost } from '../../../src/features/sync/rules.ts';
import { createCipher } from '../../../src/lib/crypto.ts';
import { type AiSandbox, startAiSandbox } from '../../support/ai/server.ts';
import { type Agent, connectedNora, connectMessenger, signIn, syncNow } from '../../support/people.ts';
import { type Service, startService, stopLater, stopServices } from '../../support/service.ts';
import { crowd, owner, world } from '../../support/worlds.ts';

describe('A sync with an AI service', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;

  before(async () => {
    ai = stopLater(await startAiSandbox({}));
    const env = {
      AI_API_KEY: 'key',
      AI_MODEL: 'model-of-the-operator',
      AI_API_URL: ai.url,
      AI_PRICE_INPUT: '2',
      AI_PRICE_OUTPUT: '10',
    };
    service = await startService({ worlds: [world({ ...crowd(4) })], env });
    nora = await connectedNora(service);
  });
  after(stopServices);

  const engines = () => service.db('digests').orderBy('engine').pluck('engine');

  it('records who wrote a digest, the tokens it took and what they cost', async () => {
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 4, errors: [] });
    expect(new Set(await engines())).to.deep.equal(new Set(['model-of-the-operator']));
    for (const row of await service.db('digests')) {
      expect(row.prompt_tokens).to.be.above(0);
      const usd = (row.prompt_tokens * 2 + row.completion_tokens * 10) / 1_000_000;
      expect(Number(row.cost_usd)).to.be.closeTo(usd, 0.000_001);
    }
  });

  it('costs nothing that is known where only one price is', () => {
    expect(computeCost({ promptTokens: 1, completionTokens: 1, cachedTokens: 0 }, { input: 2 })).to.equal(null);
  });

  it('counts what failed tries took, with what the digest takes in the end', async () => {
    service.clock.advance(24 * 3600 * 1000);
    service.sandbox.addMessages('test', 'user:5002', [
      { from: 5002, text: 'Can you send the offer?' },
      { from: 5002, text: 'And the contract?' },
    ]);
    const { id } = await service.db('dialogs').where({ peer_key: '5002' }).first();
    const newest = () => service.db('digests').where({ dialog_id: id }).orderBy('digest_date', 'desc').first();
    ai.faults.always({ kind: 'notJson' });
    expect((await syncNow(nora)).result.errors.map(error => error.code)).to.deep.equal(['AI_BAD_OUTPUT']);
    const failed = await newest();
    expect(failed).to.include({ status: 'COMPLETE', engine: 'built-in', message_count: 2 });
    expect(failed.prompt_tokens).to.be.above(0);
    const usd = (failed.prompt_tokens * 2 + failed.completion_tokens * 10) / 1_000_000;
    expect(Number(failed.cost_usd)).to.be.closeTo(usd, 0.000_001);

    ai.faults.clear();
    service.sandbox.addMessages('test', 'user:5002', [{ from: 5002, text: 'Or tomorrow?' }]);
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 1, errors: [] });
    const written = await newest();
    expect(written).to.include({ engine: 'model-of-the-operator', message_count: 3, reason: null });
    expect(written.prompt_tokens).to.be.above(failed.prompt_tokens);
    expect(Number(written.cost_usd)).to.be.above(Number(failed.cost_usd));
  });
});

describe('Rotating the encryption key', () => {
  after(stopServices);

  it('re-encrypts the credentials, so the old key is no longer needed', async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)];
    const env = { ENCRYPTION_KEY: old.toString('base64') };
    const service = await startService({ worlds: [world({ ...crowd(2) })], worker: false, env });
    const nora = await signIn(service, 'nora@example.com');
    const accountId = await connectMessenger(service, nora, owner.phone ?? '');
    const deps = { db: service.db, cipher: createCipher([fresh, old]) };
    expect(await resealCredentials(deps)).to.equal(1);
    expect(await resealCredentials(deps)).to.equal(1);
    const { credentials } = await service.db('messenger_accounts').where({ id: accountId }).first();
    expect(createCipher([fresh]).decrypt(credentials, `messenger account ${accountId}`)).to.have.length.above(100);
    expect(() => createCipher([old]).decrypt(credentials, `messenger account ${accountId}`)).to.throw(/not configured/);
  });
});
