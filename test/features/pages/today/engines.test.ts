import { expect } from 'chai';
import { wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { dayAgo, startStored, storeDigest } from './stored.ts';

describe('The pages of digests', () => {
  let service: Service;
  let nora: Agent;
  let dialogId: string;
  const page = async (path: string) => wordsOf((await nora.get(path).expect(200)).text);
  const written = (engine: string) => service.db('digests').update({ engine });

  before(async () => {
    const { owner, ...started } = await startStored();
    ({ service, nora } = started);
    const structured = { sentiment: 'positive' } as const;
    ({ dialogId } = await storeDigest(service.db, owner, { name: 'Farid', day: dayAgo(0), structured }));
    await storeDigest(service.db, owner, { dialogId, day: dayAgo(1), structured });
  });
  after(stopServices);

  it('show moods and say that nothing was urgent where a model wrote them', async () => {
    await written('some-model');
    expect(await page('/today?view=everything')).to.include('Positive');
    expect(await page('/today')).to.include('none of them urgent');
    expect(await page(`/today?day=${dayAgo(1)}`)).to.include('Nothing was urgent.');
    expect(await page(`/conversations/${dialogId}`))
      .to.include('Mood')
      .and.include('Positive');
    expect(await page(`/conversations/${dialogId}?view=table`)).to.include('Mood');
  });

  it('say neither without a model', async () => {
    await written('built-in');
    for (const path of ['/today?view=everything', '/today', `/today?day=${dayAgo(1)}`])
      expect(await page(path), path)
        .to.include('Farid')
        .and.not.match(/Positive|of them urgent|was urgent/);
    for (const query of ['', '?view=table'])
      expect(await page(`/conversations/${dialogId}${query}`))
        .to.include('in 30 days')
        .and.not.match(/Mood|Positive/);
  });
});
