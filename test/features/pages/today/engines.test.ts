import { expect } from 'chai';
import { wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { dayAgo, startStored, type storeAccount, storeDigest } from './stored.ts';

describe('The pages of digests', () => {
  let service: Service;
  let nora: Agent;
  let dialogId: string;
  let owner: Awaited<ReturnType<typeof storeAccount>>;
  const page = async (path: string) => wordsOf((await nora.get(path).expect(200)).text);
  const written = (engine: string) => service.db('digests').update({ engine });

  before(async () => {
    ({ service, nora, owner } = await startStored());
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
    const loud = await storeDigest(service.db, owner, { name: 'Loud', structured: { urgency: 'high' } });
    await service.db('dialogs').where('id', loud.dialogId).update({ is_muted: true });
    await written('some-model');
    expect(await page('/today'), 'counts a muted one').to.match(/2 digests(?!.*of them urgent)/);
    await service.db('digests').where('id', loud.digestId).delete();
  });

  it('are stamped with the message that their first sentence rests on', async () => {
    const message = (id: string, hour: string) => ({
      ...{ id, sender: 'Zoe', senderId: '1', fromUser: false },
      sentAt: `${dayAgo(0)}T${hour}:00.000Z`,
    });
    const summary = 'Zoe signed. She thanks you.';
    const sentences = [
      { from: 0, to: 11, messageIds: ['11'] },
      { from: 12, to: 27, messageIds: ['12'] },
    ];
    const sources = { messages: [message('11', '06:30'), message('12', '08:00')], sentences };
    await storeDigest(service.db, owner, { name: 'Zoe', summary, sources });
    const { text } = await nora.get('/today').expect(200);
    const row = text.split('<details').find(one => one.includes('Zoe signed.')) ?? '';
    const [line = ''] = row.split('</summary>');
    expect(wordsOf(line)).to.include('06:30').and.not.include('08:00');
    await service.db('digests').where({ summary }).delete();
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
