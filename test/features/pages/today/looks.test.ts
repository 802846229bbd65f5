import { expect } from 'chai';
import { wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { startStored, storeDigest } from './stored.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('What came since the person last looked on an earlier day', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };

  const today = async () => (await nora.get('/today').expect(200)).text;
  const daysAgo = (days: number) => new Date(service.clock.now().getTime() - days * DAY_MS);
  const lookedYesterday = () => service.db('today_visits').update({ visited_at: daysAgo(1), previous_visit_at: null });

  before(async () => {
    ({ service, nora, owner } = await startStored());
    await storeDigest(service.db, owner, { name: 'First' });
  });
  after(stopServices);

  it('is not marked on the first day', async () => {
    expect(await today())
      .not.to.include('class="new"')
      .and.not.include('All new');
    expect(await today()).not.to.include('All new');
  });

  it('is told once where all of it is new, and stays so for the day', async () => {
    await lookedYesterday();
    expect(wordsOf(await today())).to.include('All new since yesterday');
    expect(wordsOf(await today())).to.include('All new since yesterday');
  });

  it('is marked in its row where some of it is not', async () => {
    const { digestId } = await storeDigest(service.db, owner, { name: 'Seen Before' });
    await service
      .db('digests')
      .where({ id: digestId })
      .update({ created_at: daysAgo(2) });
    const html = await today();
    expect(html).not.to.include('All new');
    expect(html.match(/class="new">New</g)).to.have.length(1);
  });
});
