import { expect } from 'chai';
import { addDays } from '../../../../src/lib/timezones.ts';
import { compact, expectNothingInline, headlineOf, listOf, post, promisesIn, wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { emptyTables, type Service, stopServices } from '../../../support/service.ts';
import { startStored, storeDigest, storedItem } from '../today/stored.ts';

/** A Wednesday. */
const NOW = new Date('2026-11-25T10:00:00Z');
const day = (days: number) => addDays('2026-11-25', days);
const SUNDAY_BEFORE = day(-3);

describe('The page of a week', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };

  before(async () => {
    ({ service, nora, owner } = await startStored(NOW));
  });
  after(stopServices);
  afterEach(() => emptyTables(service, 'promises', 'digests', 'waiting_questions', 'dialogs'));

  const due = (words: string, days: number) => storedItem(words, { dueDate: day(days) });
  const store = (actionItems: ReturnType<typeof storedItem>[], more: object = {}) =>
    storeDigest(service.db, owner, { day: SUNDAY_BEFORE, structured: { actionItems }, ...more });
  const page = async (path = '/week', agent = nora) => (await agent.get(path).expect(200)).text;
  const subOf = (html: string) => wordsOf(html.match(/<p class="sub">(.*?)<\/p>/s)?.[1] ?? '');
  const idOf = async (words: string) => (await service.db('promises').where({ words }).first('id')).id as string;
  const keep = async (...all: string[]) => {
    for (const words of all) await post(nora, `/promises/${await idOf(words)}`, { action: 'done', back: '/week' });
  };

  it('counts how much of what was due was kept, and lists what is behind each number', async () => {
    await store([due('Report', -2), due('Certificates', 5), due('Agreement', -1), due('Quote', 2)]);
    await store([due('Side letter', -1)], { day: day(-1), name: 'Marcus Feld' });
    await keep('Agreement', 'Side letter');
    const html = await page();
    expect(wordsOf(html)).to.include('Week of 23 November');
    expect(headlineOf(html)).to.equal('Kept so far this week: 2 of 3 promises.');
    expect(subOf(html)).to.equal(
      'One is past its day. One is still due this week. One new one came up. One is due next week.',
    );
    for (const [, id] of html.matchAll(/<a href="#(\w+)">[A-Z]/g)) expect(listOf(html, String(id)), id).not.to.equal('');
    expect(promisesIn(listOf(html, 'late'))).to.deep.equal(['Report']);
    expect(promisesIn(listOf(html, 'ahead'))).to.deep.equal(['Quote']);
    expect(promisesIn(listOf(html, 'next'))).to.deep.equal(['Certificates']);
    expect(wordsOf(listOf(html, 'fresh'))).to.equal('New 1 Marcus Feld Side letter kept');
    expect(wordsOf(listOf(html, 'kept'))).to.match(/^Kept 2 .*Agreement.*By you, today.*Undo/);
    expect(html.match(/class="late"/g)).to.have.length(1);
    expectNothingInline(html);
    await store([due('Put off', -1), due('Perhaps sent', -1), due('Perhaps paid', -1)]);
    await post(nora, `/promises/${await idOf('Put off')}`, { until: day(6), back: '/week' });
    await service.db('promises').whereLike('words', 'Perhaps %').update({ is_doubtful: true });
    for (const path of ['/week', '/today'])
      expect(wordsOf(await page(path)), path).to.include('Kept so far this week: 2 of 5 promises.');
  });

  it('says whether what came up is kept, due today, overdue or put off', async () => {
    await store([due('Kept', -1), due('Today', 0), due('Late', -9), due('Later', 1)], { day: day(0) });
    await keep('Kept');
    await post(nora, `/promises/${await idOf('Later')}`, { until: day(6), back: '/week' });
    const html = listOf(await page(), 'fresh');
    expect(wordsOf(html)).to.match(/Late was due Mon 16 Nov .*Kept kept .*Today today .*Later back on Tue 1 Dec$/);
    expect(html.match(/class="late"/g)).to.have.length(1);
    expect(html.match(/class="hl"/g)).to.have.length(1);
  });

  it('says in words that nothing is due, or what is', async () => {
    await storeDigest(service.db, owner, { day: day(0), messageCount: 0 });
    await service.db('dialogs').update({ is_muted: true });
    expect(wordsOf(await page())).to.match(/Nothing is due this week\..*No promises, and no one is waiting for you\./);
    await store([due('Today', 0), due('Sunday', 4)]);
    expect(headlineOf(await page())).to.equal('Two promises are due this week.');
    await keep('Today', 'Sunday');
    expect(headlineOf(await page())).to.equal('You kept 2 of 2 promises due this week.');
    await store([due('Long ago', -9)], { day: day(-10) });
    expect(headlineOf(await page('/week?week=2026-11-16'))).to.equal('The one promise that was due is open.');
    await keep('Long ago');
    expect(headlineOf(await page('/week?week=2026-11-16'))).to.equal('You kept the one promise that was due.');
  });

  it('draws promises kept by week, which a screen reader hears in a sentence and reads in a table', async () => {
    await store([due('One', -8), due('Two', -8), due('Three', -2), due('Four', -2)], { day: day(-15) });
    await keep('One', 'Three');
    const html = await page();
    const words = 'Promises kept by week over 3 weeks, from nothing due to 1 of 2. This week 1 promise is past its day.';
    expect(html).to.include(`role="img" aria-label="${words}"`);
    const table = compact(html).match(/<table.*?<\/table>/)?.[0] ?? '';
    expect(wordsOf(table)).to.equal('Week of Due Kept Not kept 23 Nov 2 1 1 16 Nov 2 1 1 9 Nov 0 0 0');
    expect(table)
      .to.include('<a href="/week?week=2026-11-16">16 Nov</a>')
      .and.match(/<th scope="row">/);
    const wide = html.match(/<svg class="wide".*?<\/svg>/s)?.[0] ?? '';
    expect(wide.match(/class="done"/g)).to.have.length(1);
    expect(wide.match(/class="done is-shown"/g)).to.have.length(1);
    expect(wide.match(/class="late is-shown"/g)).to.have.length(1);
    expect(wordsOf(wide)).to.equal('– 9 Nov 1 of 2 16 Nov 1 of 2 23 Nov');
    expectNothingInline(html);
  });

  it('lists many page by page behind a link', async () => {
    await store(Array.from({ length: 63 }, (_, n) => due(`Late ${n}`, -1)));
    const html = listOf(await page(), 'late');
    expect(promisesIn(html)).to.have.length(10);
    expect(html).to.include('href="/week?list=late"').and.include('53 more');
    const first = await page('/week?list=late');
    expect(promisesIn(first)).to.have.length(50);
    expect(compact(first)).to.match(/href="\/week\?list=late&amp;page=2">Show the next 13/);
    expect(compact(first)).to.match(/<a class="whole" href="\/week">/);
    expect(promisesIn(await page('/week?list=late&page=2'))).to.have.length(13);
    expect(wordsOf(await page('/week?list=late&page=900'))).to.include('Nothing more here.');
    expect(wordsOf(await page('/week?list=new'))).to.match(/Nothing more here\..*/);
  });
});
