import { expect } from 'chai';
import { wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { dayAgo, startStored, storeDigest } from './stored.ts';

describe('Digests of messages from several days', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };

  before(async () => {
    ({ service, nora, owner } = await startStored());
  });
  after(stopServices);
  afterEach(() => service.db('digests').delete());

  const page = async (path: string) => (await nora.get(path).expect(200)).text;

  it('say in the table since when their messages are, as a row of digests does', async () => {
    for (const [name, since, messageCount] of [
      ['Ada', 0, 5],
      ['Bo', 9, 40],
    ] as const) {
      const { digestId } = await storeDigest(service.db, owner, { name, messageCount });
      await service
        .db('digests')
        .where({ id: digestId })
        .update({ first_message_at: `${dayAgo(since)}T07:00:00Z` });
    }
    await storeDigest(service.db, owner, { name: 'Cy', day: dayAgo(3), messageCount: 8 });
    const words = wordsOf(await page('/today?view=table'));
    expect(words).to.match(/Today 2 0 45 since \d{1,2} \p{L}{3,4} /u);
    expect(words.match(/ since /g)).to.have.length(1);
  });

  it('are news the more, the greater the news of their conversation was in the three days before', async () => {
    const { dialogId: outage } = await storeDigest(service.db, owner, {
      name: 'Outage',
      day: dayAgo(2),
      structured: { news: 270 },
    });
    await storeDigest(service.db, owner, { name: 'Outage', dialogId: outage, structured: { news: 110 } });
    const { dialogId: old } = await storeDigest(service.db, owner, {
      name: 'Old',
      day: dayAgo(4),
      structured: { news: 270 },
    });
    await storeDigest(service.db, owner, { name: 'Old', dialogId: old, structured: { news: 120 } });
    await storeDigest(service.db, owner, { name: 'Discount', structured: { news: 165 } });
    const words = wordsOf(await page('/today'));
    const places = ['Outage wrote.', 'Discount wrote.', 'Old wrote.'].map(summary => words.indexOf(summary));
    expect(places)
      .to.deep.equal(places.toSorted((a, b) => a - b))
      .and.not.include(-1);
  });
});
