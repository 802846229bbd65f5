import { expect } from 'chai';
import { compact, htmxPost, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectMessenger, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { crowd, owner, world } from '../../../support/worlds.ts';
import { storeDigest } from '../../pages/today/stored.ts';

const HOSTILE = '"><b>Eve</b>';

describe('Pinning and muting a conversation', () => {
  let service: Service;
  let nora: Agent;
  let claire: string;
  let eve: string;

  before(async () => {
    service = await startService({ worlds: [world(crowd(2))], worker: false });
    nora = await signIn(service, 'nora@example.com');
    await connectMessenger(service, nora, owner.phone ?? '');
    const { body } = await nora.get('/api/messenger/dialogs').expect(200);
    [claire, eve] = body.dialogs.map(({ id }: { id: string }) => id);
    await service.db('dialogs').where({ id: claire }).update({ peer_name: 'Claire Whitfield' });
    await service.db('dialogs').where({ id: eve }).update({ peer_name: HOSTILE });
  });
  beforeEach(() => service.db('dialogs').update({ is_pinned: false, is_muted: false, unreadable: null }));
  after(stopServices);

  const path = (id = claire) => `/conversations/${id}/prominence`;
  const choose = (choice: string, more: Record<string, string> = {}) => post(nora, path(), { choice, ...more });
  const flags = () => service.db('dialogs').where({ id: claire }).first('is_pinned', 'is_muted');
  const show = async (address: string) => (await nora.get(address).expect(200)).text;

  it('allows at most one of the two: pinning unmutes, and muting unpins', async () => {
    for (const [choice, is_pinned, is_muted] of [
      ['pinned', true, false],
      ['muted', false, true],
      ['pinned', true, false],
      ['pinned', true, false],
      ['normal', false, false],
    ] as const) {
      await choose(choice).expect(303);
      expect(await flags(), choice).to.deep.equal({ is_pinned, is_muted });
    }
    const both = service.db('dialogs').where({ id: claire }).update({ is_pinned: true, is_muted: true });
    expect(await both.then(() => 'stored').catch(() => 'rejected')).to.equal('rejected');
  });

  it('says which conversation it is about by its phone number, where it has no name', async () => {
    const nameless = { peer_name: '', peer_username: '', peer_phone: '+491713920012' };
    const before = await service.db('dialogs').where({ id: claire }).first(Object.keys(nameless));
    await service.db('dialogs').where({ id: claire }).update(nameless);
    const { headers } = await choose('muted', { back: `/conversations/${claire}` }).expect(303);
    expect(wordsOf(await show(String(headers.location)))).to.include('Muted: +49 171 3920012 Undo');
    await service.db('dialogs').where({ id: claire }).update(before);
  });

  it('says what was chosen, with Undo, on the page of the conversation', async () => {
    const { headers } = await choose('muted', { back: `/conversations/${claire}` }).expect(303);
    const told = await show(String(headers.location));
    expect(wordsOf(told)).to.include('Muted: Claire Whitfield Undo').and.include('only under Everything');
    const pressed = compact(told).match(/<button[^>]* name="choice"[^>]*aria-pressed="true"[^>]*>/g) ?? [];
    expect(pressed).to.have.length(1);
    expect(pressed[0]).to.include('value="normal"');
    expect(compact(told)).to.include('<input type="hidden" name="choice" value="normal">');
    await choose('normal', { from: 'toast', back: `/conversations/${claire}` })
      .expect(303)
      .expect('Location', `/conversations/${claire}`);
    expect(await flags()).to.deep.equal({ is_pinned: false, is_muted: false });
    expect(wordsOf(await show(String(headers.location)))).not.to.include('Muted: Claire');
  });

  it('undoes to what it was before, not to neither', async () => {
    await choose('pinned').expect(303);
    const { headers } = await choose('muted').expect(303);
    expect(compact(await show(String(headers.location)))).to.include('name="choice" value="pinned"');
  });

  it('offers both in the list of conversations and confirms the choice there', async () => {
    const { headers } = await choose('pinned', { back: '/conversations' }).expect(303);
    expect(headers.location).to.equal(`/conversations?was=${claire}.normal`);
    const html = await show(String(headers.location));
    expect(wordsOf(html)).to.include('Pinned: Claire Whitfield Undo');
    expect(compact(html))
      .to.include(`action="${path(eve)}"`)
      .and.include(`action="${path(claire)}"`);
    expect(html).not.to.include('<b>Eve</b>');
  });

  it('offers both at each digest on Today, and comes back there with Undo', async () => {
    const owned = await service.db('messenger_accounts').first('user_id', 'id');
    const today = { userId: owned.user_id, accountId: owned.id };
    await storeDigest(service.db, today, { dialogId: claire, structured: { urgency: 'high' } });
    const html = compact(await show('/today'));
    expect(html.match(new RegExp(`id="pin-${claire}"`, 'g'))).to.have.length(1);
    const { headers } = await choose('pinned', { back: '/today' }).expect(303);
    expect(wordsOf(await show(String(headers.location)))).to.include('Pinned: Claire Whitfield Undo');
    await choose('muted', { back: '/today' }).expect(303);
    expect(compact(await show('/today'))).not.to.include(`id="pin-${claire}"`);
    expect(compact(await show('/today?view=everything'))).to.include(`id="pin-${claire}"`);
  });

  it('answers htmx with the buttons, the line with Undo and what is read out', async () => {
    const { text } = await htmxPost(nora, path(), { choice: 'pinned', back: '/today' }).expect(200);
    expect(compact(text)).to.match(new RegExp(`<form class="pinning" id="pin-${claire}"[^>]*hx-swap-oob="true"`));
    expect(wordsOf(text)).to.include('Pinned: Claire Whitfield Undo').and.include('first on Today, always in full');
    const undone = await htmxPost(nora, path(), { choice: 'normal', back: '/today', from: 'toast' }).expect(200);
    expect(wordsOf(undone.text)).not.to.include('Undo');
    expect(wordsOf(undone.text)).to.include('Not pinned any more: Claire Whitfield');
  });

  it('redirects nowhere else', async () => {
    const { headers } = await choose('pinned', { back: 'https://evil.example/' }).expect(303);
    expect(headers.location).to.equal(`/conversations/${claire}?was=${claire}.normal`);
  });

  it('rejects an unknown choice, another user, an unknown conversation, and one that is never read', async () => {
    await choose('loud').expect(400);
    await post(nora, path(), {}).expect(400);
    const sam = await signIn(service, 'sam@example.com');
    await post(sam, path(), { choice: 'pinned' }).expect(404);
    expect((await sam.get(`/conversations?was=${claire}.pinned`).expect(200)).text).not.to.include('Claire');
    await post(nora, path('x'), { choice: 'pinned' }).expect(404);
    await service.db('dialogs').where({ id: claire }).update({ unreadable: 'bot' });
    await choose('pinned').expect(409);
    expect(await flags()).to.deep.equal({ is_pinned: false, is_muted: false });
    for (const was of ['x', `${claire}.loud`, `${claire}.`, '.pinned']) await show(`/conversations?was=${was}`);
  });

  it('is in the user’s export', async () => {
    await choose('pinned').expect(303);
    const { text } = await nora.get('/settings/account/export').buffer(true).expect(200);
    expect(text).to.match(/"isPinned":\s*true/);
  });
});
