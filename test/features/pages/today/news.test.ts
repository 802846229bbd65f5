import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { expectNothingInline, wordsOf } from '../../../support/pages.ts';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { startStored, storeAccount, storeDigest } from './stored.ts';

/** The address a page asks for the sync panel, as the panel has it. */
const pollOf = (html: string) => html.match(/hx-get="(\/sync\?[^"]*)"/)?.[1]?.replaceAll('&amp;', '&') ?? '';
const newsIn = (html: string) => wordsOf(html.match(/<div id="news"[\s\S]*?<\/div>/)?.[0] ?? '');

describe('The bar for new digests', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };
  let jobId: string;
  let firstJobId: string;

  const now = () => service.clock.now();
  const job = (change: object) => service.db('sync_jobs').where({ id: jobId }).update(change);
  const today = async (query = '') => (await nora.get(`/today${query}`).expect(200)).text;
  const poll = (path: string) => nora.get(path).set('HX-Request', 'true').expect(200);

  before(async () => {
    ({ service, nora, owner } = await startStored());
    await storeDigest(service.db, owner, { name: 'Seen Before' });
    firstJobId = (await nora.post('/api/sync/trigger').expect(200)).body.jobId;
  });
  beforeEach(async () => {
    jobId = firstJobId;
    await service.db('sync_jobs').whereNot({ id: jobId }).delete();
    await job({ state: 'active', started_at: now(), conversations_total: 40, conversations_done: 10 });
    await job({ digests_created: 2, dialogs_processed: 10, errors: '[]', finished_at: null });
  });
  after(stopServices);

  it('says how many came while the page was open, each number once', async () => {
    const before = pollOf(await today());
    await job({ digests_created: 5 });
    const told = (await poll(before)).text;
    expect(newsIn(told)).to.equal('3 new digests: Show');
    expect(told).to.include(`href="/today?new=${encodeURIComponent(jobId)}"`);
    expectNothingInline(told);
    expect(newsIn((await poll(pollOf(told))).text)).to.equal('');
    await job({ digests_created: 6 });
    expect(newsIn((await poll(pollOf(told))).text)).to.equal('4 new digests: Show');
  });

  it('leads to the page with new digests marked', async () => {
    const { digestId } = await storeDigest(service.db, owner, { name: 'Just Come' });
    await service.db('digests').where({ id: digestId }).update({ job_id: jobId });
    const html = await today(`?new=${encodeURIComponent(jobId)}`);
    expect(html.match(/class="new">New</g)).to.have.length(1);
    const row = html.match(/<details class="line"[\s\S]*?<\/details>/g)?.find(one => one.includes('class="new"'));
    expect(row).to.include(`id="d-${digestId}"`);
    expect(await today()).not.to.include('class="new"');
  });

  it('announces the result when the sync ends', async () => {
    await job({ digests_created: 6 });
    const before = pollOf(await today());
    const first = (await poll(before)).text;
    expect(first).not.to.include('id="say"');
    await job({ state: 'completed', digests_created: 9, finished_at: now() });
    const last = (await poll(pollOf(first))).text;
    expect(newsIn(last)).to.equal('3 new digests: Show');
    expect(last).to.include('Sync finished.').and.include('hx-trigger="every 60s');
  });

  it('comes onto a page that lay open when a later sync begins, and only then is anything sent', async () => {
    await job({ state: 'completed', finished_at: now() });
    const idle = pollOf(await today());
    expect(idle).to.match(/idle=1$/);
    const nothing = await nora.get(idle).set('HX-Request', 'true').expect(204);
    expect(nothing.text).to.equal('');
    jobId = `sync:${owner.userId}:daily:2026-01-01`;
    const waiting = { id: jobId, user_id: owner.userId, kind: 'daily', state: 'waiting', created_at: now() };
    await service.db('sync_jobs').insert({ ...waiting, queue_id: randomUUID() });
    const begun = (await poll(idle)).text;
    expect(begun).to.include('Sync starts in a moment').and.include('Sync started').and.include('every 3s');
    await job({ state: 'completed', digests_created: 4, dialogs_processed: 4, finished_at: now() });
    expect(newsIn((await poll(pollOf(begun))).text)).to.equal('4 new digests: Show');
    const missed = (await poll(idle)).text;
    expect(newsIn(missed)).to.equal('4 new digests: Show');
    expect(missed).to.include('Sync finished.');
    await nora.get(pollOf(missed)).set('HX-Request', 'true').expect(204);
  });

  it('shows nothing of someone else’s sync', async () => {
    const sam = await signIn(service, 'sam@example.com');
    const mine = await storeAccount(service.db, 'sam@example.com');
    await storeDigest(service.db, mine, {});
    const { text } = await sam.get(`/today?new=${encodeURIComponent(jobId)}`).expect(200);
    expect(text).not.to.include('class="new"');
    const polled = await sam
      .get(`/sync?job=${encodeURIComponent(jobId)}`)
      .set('HX-Request', 'true')
      .expect(200);
    expect(polled.text).not.to.include('new digests');
  });
});
