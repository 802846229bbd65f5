import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { post } from '../../../support/pages.ts';
import { signIn, syncNow } from '../../../support/people.ts';
import { stopServices } from '../../../support/service.ts';
import { crowd, owner, world } from '../../../support/worlds.ts';
import { connectOnPage, MODEL, startWithModel } from './given.ts';

describe('Rewriting a digest', () => {
  after(stopServices);

  it('follows the consent of that moment, not that of the day', async () => {
    const { ai, service } = await startWithModel({ worlds: [world(crowd(1))] });
    const nora = await signIn(service, 'nora@example.com');
    const accountId = await connectOnPage(service, nora, { phone: owner.phone ?? '', writer: 'model' });
    await syncNow(nora);
    const digest = () => service.db('digests').first();
    expect((await digest()).engine).to.equal(MODEL);
    const rewriteAs = async (style: string) => {
      await post(nora, `/digests/${(await digest()).id}/regenerate`, { style }).expect(303);
      while ((await digest()).style !== style) await sleep(20);
      return (await digest()).engine;
    };
    await post(nora, `/settings/connections/${accountId}/writer`, { writer: 'built-in' }).expect(303);
    const calls = ai.calls();
    expect(await rewriteAs('DETAILED')).to.equal('built-in');
    expect(ai.calls()).to.equal(calls);
    await post(nora, `/settings/connections/${accountId}/writer`, { writer: 'model' }).expect(303);
    expect(await rewriteAs('MINIMAL')).to.equal(MODEL);
    await ai.stop();
  });
});
