import { expect } from 'chai';
import { compact, post } from '../../../support/pages.ts';
import { type Agent, connectedNora } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { crowd, world } from '../../../support/worlds.ts';

const HOSTILE = '"><b>Eve</b>';

describe('Pinning and muting a conversation', () => {
  let service: Service;
  let nora: Agent;
  let claire: string;
  let eve: string;

  before(async () => {
    service = await startService({ worlds: [world(crowd(2))], worker: false });
    nora = await connectedNora(service);
    const { body } = await nora.get('/api/messenger/dialogs').expect(200);
    [claire, eve] = body.dialogs.map(({ id }: { id: string }) => id);
    await service.db('dialogs').where({ id: claire }).update({ peer_name: 'Claire Whitfield' });
    await service.db('dialogs').where({ id: eve }).update({ peer_name: HOSTILE });
  });
  beforeEach(() => service.db('dialogs').update({ is_pinned: false, is_muted: false, unreadable: null }));
  after(stopServices);

  const path = (id = claire) => `/conversations/${id}/prominence`;
  const choose = (choice: string, more: Record<string, string> = {}) => post(nora, path(), { choice, ...more });
  const flags = () => service.db('dialogs').where({ id: claire }).first('is_pinned', 'is_muted');
  const show = async (address: string) => (await nora.get(address).expect(200)).text;

  it('allows at most one of the two: pinning unmutes, and muting unpins', async () => {
    for (const [choice, is_pinned, is_muted] of [
      ['pinned', true, false],
      ['muted', false, true],
      ['pinned', true, false],
      ['pinned', true, false],
      ['normal', false, false],
    ] as const) {
      await choose(choice).expect(303);
      expect(await flags(), choice).to.deep.equal({ is_pinned, is_muted });
    }
    const both = service.db('dialogs').where({ id: claire }).update({ is_pinned: true, is_muted: true });
    expect(await both.then(() => 'stored').catch(() => 'rejected')).to.equal('rejected');
  });

  it('undoes to what it was before, not to neither', async () => {
    await choose('pinned').expect(303);
    const { headers } = await choose('muted').expect(303);
    expect(compact(await show(String(headers.location)))).to.include('name="choice" value="pinned"');
  });
});
