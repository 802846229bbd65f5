import { expect } from 'chai';
import { wordsOf } from '../../support/pages.ts';
import type { Agent } from '../../support/people.ts';
import { type Service, stopServices } from '../../support/service.ts';
import { startStored, storePromise } from '../pages/today/stored.ts';

const DAY = 24 * 3600 * 1000;

/** As rewrites left them before what was shown stayed open, and still leave what no one has seen. */
describe('A promise that a rewrite of its digest left out', () => {
  let service: Service;
  let nora: Agent;
  let promiseId: string;

  const withdraw = (daysAgo: number) =>
    service
      .db('promises')
      .where({ id: promiseId })
      .update({
        state: 'withdrawn',
        previous: JSON.stringify({ state: 'open', is_user_decided: false }),
        changed_at: new Date(service.clock.now().getTime() - daysAgo * DAY),
      });
  const show = async (path: string) => (await nora.get(path).expect(200)).text;

  beforeEach(async () => {
    const { owner, ...started } = await startStored();
    ({ service, nora } = started);
    ({ promiseId } = await storePromise(service.db, owner, 'Send the signed contract'));
  });
  afterEach(stopServices);

  it('is offered below the closed ones for thirty days, folded away', async () => {
    expect(await show('/promises?view=closed')).to.not.include('withdrawn');
    await withdraw(29);
    const closed = await show('/promises?view=closed');
    expect(wordsOf(closed)).to.include('No longer in a digest 1').and.include('Send the signed contract');
    expect(closed).to.match(/<details class="group withdrawn">/);
    await withdraw(32);
    expect(await show('/promises?view=closed')).to.not.include('withdrawn');
  });
});
