import { expect } from 'chai';
import { recordPromises } from '../../../src/features/recording/repo.ts';
import { compact, expectNothingInline, htmxPost, post, wordsOf } from '../../support/pages.ts';
import { type Agent, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { dayAgo, storeAccount, storeDigest, storedItem } from '../today/stored.ts';

describe('What is still open from earlier days', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };
  let digestId: string;
  const late = storedItem('Send the case study', { dueDate: dayAgo(3) });
  const undated = storedItem('Ask legal about the clause');
  const theirs = storedItem('Countersign', { owner: 'contact', dueDate: dayAgo(9) });
  const fresh = storedItem('Answer today');

  const today = async (query = '') => compact((await nora.get(`/today${query}`).expect(200)).text);
  const block = async () => (await today()).match(/Still open from earlier[\s\S]*?<\/section>/)?.[0] ?? '';
  const record = () => recordPromises(service.db, { userId: owner.userId, digestIds: [digestId], now: new Date() });
  const labels = (html: string) => [...html.matchAll(/<label [^>]*>([^<]*)</g)].map(([, label]) => label);

  before(async () => {
    service = await startService({ worker: false });
    nora = await signIn(service, 'nora@example.com');
    owner = await storeAccount(service.db, 'nora@example.com');
    const day = { day: dayAgo(4), name: 'Olu Adeyemi', structured: { actionItems: [theirs, undated, late] } };
    ({ digestId } = await storeDigest(service.db, owner, day));
    await storeDigest(service.db, owner, { structured: { actionItems: [fresh] } });
  });
  after(stopServices);
  beforeEach(async () => {
    for (const { id } of [late, undated, theirs]) await post(nora, `/digests/${digestId}/actions/${id}/undone`);
  });

  it('is shown next to today, own items first, then by date', async () => {
    const html = await block();
    expect(labels(html)).to.deep.equal(['Send the case study', 'Ask legal about the clause', 'Countersign']);
    expect(wordsOf(html)).to.include('Olu Adeyemi · 3 days late').and.include('Olu Adeyemi · no date');
    expect(wordsOf(html)).to.match(/^Still open from earlier 3 /);
    expectNothingInline(html);
  });

  it('disappears when checked and returns with Undo', async () => {
    await post(nora, `/digests/${digestId}/actions/${late.id}/done`).expect(303);
    expect(labels(await block())).to.deep.equal(['Ask legal about the clause', 'Countersign']);
    await post(nora, `/digests/${digestId}/actions/${late.id}/undone`).expect(303);
    expect(labels(await block())).to.have.length(3);
  });

  it('answers htmx with the item beside the page and the new count', async () => {
    const { text } = await htmxPost(nora, `/digests/${digestId}/actions/${late.id}/done`, { back: '/today' });
    expect(text).to.include(`<li id="r-${digestId}-${late.id}" class="is-done" hx-swap-oob="true">`);
    expect(text).to.include('id="earlier-count" hx-swap-oob="true">2<');
  });

  it('follows when the digest of the day is written anew', async () => {
    const { structured } = await service.db('digests').where({ id: digestId }).first();
    await post(nora, `/digests/${digestId}/actions/${late.id}/done`);
    const actionItems = [late, storedItem('Something new')];
    await service
      .db('digests')
      .where({ id: digestId })
      .update({ structured: { ...structured, actionItems } });
    await record();
    expect(labels(await block())).to.deep.equal(['Something new']);
    await service.db('digests').where({ id: digestId }).update({ structured });
    await record();
  });

  it('has a page of its own once there is more than fits beside', async () => {
    const actionItems = Array.from({ length: 70 }, (_, index) => storedItem(`Item ${index}`));
    const more = await storeDigest(service.db, owner, { day: dayAgo(2), structured: { actionItems } });
    expect(wordsOf(await block())).to.include('All 73 open items');
    const first = await today('?view=earlier');
    const second = await today('?view=earlier&page=2');
    expect(wordsOf(first)).to.include('Still open from earlier 73').and.include('Page 1 of 2');
    expect([labels(first).length, labels(second).length]).to.deep.equal([60, 13]);
    await service.db('digests').where({ id: more.digestId }).delete();
    expect(wordsOf(await today('?view=earlier&page=9'))).to.include('Nothing is open from earlier days.');
  });

  it('rejects other users and requires sign-in', async () => {
    const sam = await signIn(service, 'sam@example.com');
    expect((await sam.get('/today?view=earlier').expect(200)).text).not.to.include('Send the case study');
    const nobody = await fetch(`${service.url}/today?view=earlier`, { redirect: 'manual' });
    expect(nobody.headers.get('location')).to.equal('/signin?callbackUrl=%2Ftoday%3Fview%3Dearlier');
  });

  it('is not there when nothing is open', async () => {
    for (const { id } of [late, undated, theirs]) await post(nora, `/digests/${digestId}/actions/${id}/done`);
    expect(await block()).to.equal('');
    expect(wordsOf(await today('?view=earlier'))).to.include('Nothing is open from earlier days.');
  });
});

describe('The days of Today', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worker: false });
    nora = await signIn(service, 'nora@example.com');
    const owner = await storeAccount(service.db, 'nora@example.com');
    for (const ago of [0, 1, 2, 3, 5, 8, 13, 40]) {
      const structured = { urgency: ago % 2 === 0 ? ('high' as const) : ('low' as const) };
      await storeDigest(service.db, owner, { name: `Person ${ago}`, day: dayAgo(ago), structured });
    }
  });
  after(stopServices);

  it('are drawn as 30 days with a sentence for those who do not see them', async () => {
    const { text } = await nora.get('/today');
    const plot = text.match(/<svg viewBox="0 0 296 96"[\s\S]*?<\/svg>/)?.[0] ?? '';
    expect(plot).to.include(
      'role="img" aria-label="Digests per day over the last 30 days, between 0 and 1 a day, on 7',
    );
    expect(plot.match(/class="tot"/g)).to.have.length(7);
    expect(plot.match(/class="urg"/g)).to.have.length(3);
    expectNothingInline(text);
  });

  it('stand in a table as well, with their addresses', async () => {
    const { text } = await nora.get('/today?view=table').expect(200);
    expect(text.match(/<th scope="row">/g)).to.have.length(7);
    expect(wordsOf(text)).to.include('Today 1 1 7').and.include('Yesterday 1 0 7');
    const older = (await nora.get('/today?view=table&page=2').expect(200)).text;
    expect(older)
      .to.include(`href="/today?day=${dayAgo(40)}"`)
      .and.not.include('Show the rest');
    expect(wordsOf((await nora.get('/today?view=table&page=3')).text)).to.include('No digests in these 30 days');
  });

  it('are few beside the page, and the table has the rest', async () => {
    const { text } = await nora.get('/today');
    const nav = compact(text).match(/aria-labelledby="d-h"[\s\S]*?<\/nav>/)?.[0] ?? '';
    expect(nav.match(/<a /g)).to.have.length(6);
    expect(nav).to.include('href="/today?view=table" hx-boost="false">Earlier');
  });

  it('are drawn only once there are two of them', async () => {
    const sam = await signIn(service, 'sam@example.com');
    const owner = await storeAccount(service.db, 'sam@example.com');
    await storeDigest(service.db, owner, {});
    expect((await sam.get('/today').expect(200)).text).not.to.include('Last 30 days');
  });
});
