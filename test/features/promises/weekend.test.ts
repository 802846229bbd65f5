import { expect } from 'chai';
import { compact, htmxPost, wordsOf } from '../../support/pages.ts';
import { stopServices } from '../../support/service.ts';
import { startStored, storeDigest, storedItem } from '../pages/today/stored.ts';

const SATURDAY = '2026-11-28';
const DAY_MS = 86_400_000;

describe('The page of promises on a weekend', () => {
  after(stopServices);

  it('counts the whole next week as soon', async () => {
    const { service, nora, owner } = await startStored(new Date(`${SATURDAY}T10:00:00Z`));
    const days = ['2026-11-29', '2026-11-30', '2026-12-06', '2026-12-07'];
    const actionItems = days.map(dueDate => storedItem(`Due on ${dueDate}`, { dueDate }));
    await storeDigest(service.db, owner, { name: 'Claire', day: SATURDAY, structured: { actionItems } });
    const { text } = await nora.get('/promises').expect(200);
    const titles = [...compact(text).matchAll(/<h2 id="h-\w+">(.*?)<\/h2>/g)].map(([, title = '']) => wordsOf(title));
    expect(titles).to.deep.equal(['By the end of next week 3', 'Later 1']);
    expect(wordsOf(text)).to.include('Tomorrow Sun 29 Nov Next week Mon 30 Nov').and.not.include('Monday Mon 30 Nov');
    service.clock.advance(DAY_MS);
    const sunday = wordsOf((await nora.get('/promises').expect(200)).text);
    expect(sunday).to.include('Tomorrow Mon 30 Nov Next week Mon 7 Dec').and.not.include('Monday Mon 30 Nov');
    service.clock.advance(DAY_MS);
    const monday = wordsOf((await nora.get('/promises').expect(200)).text);
    expect(monday).to.include('Tomorrow Tue 1 Dec Next week Mon 7 Dec').and.not.include('Monday Mon 7 Dec');
  });

  it('tells a changed day without its year where that is the year of the person’s today', async () => {
    const { service, nora, owner } = await startStored(new Date('2026-12-31T12:00:00Z'));
    await nora.post('/api/settings').send({ timezone: 'Pacific/Kiritimati' }).expect(200);
    await storeDigest(service.db, owner, { day: '2026-12-31', structured: { actionItems: [storedItem('Late')] } });
    const { id } = await service.db('promises').first('id');
    const { text } = await htmxPost(nora, `/promises/${id}`, { until: '2027-01-04', back: '/promises' }).expect(200);
    expect(wordsOf(text)).to.include('Back on Mon 4 Jan: Late');
  });

  it('names the days of a week or weekend of which no day was said, in any language', async () => {
    const { service, nora, owner } = await startStored(new Date(`${SATURDAY}T10:00:00Z`));
    const said = ['next week', 'на следующей неделе', 'kommende Woche', 'am Wochenende', 'Friday next week', '下周五'];
    const actionItems = said.map(dueText => storedItem(`Do it ${dueText}`, { dueDate: '2026-12-04', dueText }));
    await storeDigest(service.db, owner, { name: 'Claire', day: SATURDAY, structured: { actionItems } });
    const text = wordsOf((await nora.get('/promises').expect(200)).text);
    const days = said.map(dueText => text.match(new RegExp(`Do it ${dueText} (.*? Dec)`))?.[1]);
    expect(days).to.deep.equal([...Array(3).fill('30 Nov – 6 Dec'), '5 – 6 Dec', 'by Fri 4 Dec', 'by Fri 4 Dec']);
  });
});
