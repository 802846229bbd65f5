import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { honestModel } from '../../support/ai/model.ts';
import { type AiSandbox, startAiSandbox } from '../../support/ai/server.ts';
import { connectMessenger, signIn, syncNow } from '../../support/people.ts';
import { startService, stopServices } from '../../support/service.ts';
import { crowd, owner, world } from '../../support/worlds.ts';

const PHONE = owner.phone ?? '';

describe('The limits of an AI service', () => {
  let ai: AiSandbox;

  beforeEach(async () => {
    ai = await startAiSandbox();
  });
  afterEach(async () => {
    await stopServices();
    await ai.stop();
  });

  async function start(conversations: number, limits: Record<string, string>) {
    const env = { AI_MODEL: 'model', AI_API_URL: ai.url, ...limits };
    const service = await startService({ worlds: [world({ ...crowd(conversations) })], env });
    const nora = await signIn(service, 'nora@example.com');
    await connectMessenger(service, nora, PHONE);
    return { service, nora };
  }

  it('let one request through at a time, and lose no digest, without a key', async () => {
    let [now, most] = [0, 0];
    ai.script(async request => {
      now += 1;
      most = Math.max(most, now);
      await sleep(20);
      now -= 1;
      return honestModel(request);
    });
    const { service, nora } = await start(6, { AI_CONCURRENCY: '1' });
    const { result } = await syncNow(nora);
    expect(result).to.deep.include({ digestsCreated: 6, errors: [] });
    expect({ most, calls: ai.calls() }).to.deep.equal({ most: 1, calls: 6 });
    expect(await service.db('ai_places')).to.deep.equal([]);
  });

  it('end a request after the seconds of AI_TIMEOUT', async () => {
    ai.faults.always({ isSilent: true });
    const { nora, service } = await start(1, { AI_TIMEOUT: '1' });
    const { digestsCreated, errors } = (await syncNow(nora)).result;
    expect(digestsCreated).to.equal(1);
    expect(errors.map(({ code }) => code)).to.deep.equal(['TIMEOUT']);
    expect(await service.db('digests').pluck('engine')).to.deep.equal(['built-in']);
    expect(ai.calls()).to.equal(1);
  });
});
