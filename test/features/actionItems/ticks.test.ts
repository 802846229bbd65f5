import { expect } from 'chai';
import { recordPromises } from '../../../src/features/recording/repo.ts';
import { compact, expectNothingInline, htmxPost, post } from '../../support/pages.ts';
import { type Agent, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { dayAgo, storeAccount, storeDigest, storedItem } from '../today/stored.ts';

const HOSTILE = 'Send it "><script>alert(1)</script>';

describe('The ticks of action items', () => {
  let service: Service;
  let nora: Agent;
  let digestId: string;
  let owner: { userId: string; accountId: string };
  const mine = storedItem('Send the agreement');
  const other = storedItem('Book the call');
  const theirs = storedItem('Countersign', { owner: 'contact' });
  const hostile = storedItem(HOSTILE);

  const pathOf = (verb: 'done' | 'undone', itemId = mine.id, id = digestId) =>
    `/digests/${id}/actions/${itemId}/${verb}`;

  before(async () => {
    service = await startService({ worker: false });
    nora = await signIn(service, 'nora@example.com');
    owner = await storeAccount(service.db, 'nora@example.com');
    ({ digestId } = await storeDigest(service.db, owner, {
      name: 'Farid Nazari',
      structured: { urgency: 'high', actionItems: [mine, other, theirs] },
    }));
    await storeDigest(service.db, owner, { name: 'Hostile', structured: { actionItems: [hostile] } });
  });
  after(stopServices);
  beforeEach(() => service.db('promises').update({ state: 'open', previous: null, is_touched: false }));
  const ticked = () => service.db('promises').where({ state: 'done' });

  it('answer htmx with the item, the headline of Today, the line with Undo and what a screen reader says', async () => {
    const { text } = await htmxPost(nora, pathOf('done'), { back: '/today' }).expect(200);
    expect(compact(text)).to.include(`<li id="a-${digestId}-${mine.id}" class="is-done" hx-swap-oob="true">`);
    expect(text).to.include('Done: Send the agreement. Undo with Z');
    expect(text)
      .to.include('data-key="z"')
      .and.include(`hx-post="${pathOf('undone')}"`);
    expect(text).to.include('id="headline" hx-swap-oob="true">');
    expectNothingInline(text);
  });

  it('are idempotent when set or removed twice', async () => {
    await Promise.all([1, 2, 3].map(() => htmxPost(nora, pathOf('done')).expect(200)));
    expect(await ticked()).to.have.length(1);
    await Promise.all([1, 2].map(() => htmxPost(nora, pathOf('undone')).expect(200)));
    expect(await ticked()).to.have.length(0);
  });

  it('return the focus to the item after Undo', async () => {
    await htmxPost(nora, pathOf('done'));
    const undone = await htmxPost(nora, pathOf('undone'), { back: '/today', from: 'toast' }).expect(200);
    expect(undone.text).to.include('autofocus').and.include('Open again: Send the agreement');
    expect(compact(undone.text)).to.include('<div id="toast" hx-swap-oob="innerHTML"></div>');
  });

  it('do not show Today’s confirmation on another page', async () => {
    const { text } = await htmxPost(nora, pathOf('done'), { back: '/conversations/1' }).expect(200);
    expect(text).to.include('is-done').and.not.include('id="headline"');
    await post(nora, pathOf('done'), { back: '/conversations/1' })
      .expect(303)
      .expect('Location', /^\/conversations\/1\?/);
  });

  it('redirect only within this service', async () => {
    for (const back of ['https://evil.example/', '//evil.example', 'javascript:alert(1)', 'x'.repeat(3000)]) {
      const { headers } = await post(nora, pathOf('done'), { back }).expect(303);
      expect(headers.location).to.match(/^\/today\?done=/);
    }
  });

  it('survive a rewrite of the digest', async () => {
    await post(nora, pathOf('done'));
    const { structured } = await service.db('digests').where({ id: digestId }).first();
    await service
      .db('digests')
      .where({ id: digestId })
      .update({ structured: { ...structured, topics: ['New'] } });
    const { user_id: userId } = await service.db('digests').where({ id: digestId }).first();
    await recordPromises(service.db, { userId, digestIds: [digestId], now: new Date() });
    expect(await ticked()).to.have.length(1);
  });

  it('do not change the API’s answers', async () => {
    await post(nora, pathOf('done'));
    const { body } = await nora.get('/api/digests').expect(200);
    const items = body.digests.find(({ id }: { id: string }) => id === digestId).structuredData.action_items;
    expect(items).to.deep.equal([mine, other, theirs]);
  });

  it('show what others wrote as text', async () => {
    const path = pathOf('done', hostile.id, (await service.db('digests').whereNot({ id: digestId }).first('id')).id);
    const { text } = await htmxPost(nora, path);
    expect(text).to.include('&lt;script&gt;').and.not.include('<script>');
  });

  it('require sign-in', async () => {
    const nobody = await fetch(`${service.url}${pathOf('done')}`, { method: 'POST', redirect: 'manual' });
    expect(nobody.status).to.equal(302);
    expect(nobody.headers.get('location')).to.equal('/signin?callbackUrl=%2Ftoday');
  });

  it('reject other users', async () => {
    const sam = await signIn(service, 'sam@example.com');
    for (const verb of ['done', 'undone'] as const) {
      await post(sam, pathOf(verb)).expect(404);
      await htmxPost(sam, pathOf(verb)).expect(404);
    }
    expect(await ticked()).to.have.length(0);
    await sam.get(`/today?done=${digestId}.${mine.id}`).expect(200);
  });

  it('are not found with invalid ids', async () => {
    const wrong = ['nonsense', '00000000-0000-0000-0000-000000000000', "1' or 1=1", '%00'];
    for (const id of wrong) await post(nora, pathOf('done', mine.id, id)).expect(404);
    for (const id of [...wrong, '..%2F..']) await post(nora, pathOf('done', id)).expect(404);
    for (const done of wrong) await nora.get(`/today?done=${encodeURIComponent(done)}.${done}`).expect(200);
  });

  it('are not found, and not set, in another digest of the conversation', async () => {
    const { dialog_id: dialogId } = await service.db('digests').where({ id: digestId }).first();
    const other = await storeDigest(service.db, owner, { dialogId, day: dayAgo(1) });
    await post(nora, pathOf('done', mine.id, other.digestId)).expect(404);
    expect(await ticked()).to.have.length(0);
  });
});
