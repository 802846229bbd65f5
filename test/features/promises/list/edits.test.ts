import { expect } from 'chai';
import request from 'supertest';
import { formsOf } from '../../../support/forms.ts';
import { compact, expectNothingInline, htmxPost, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { startStored, storeAccount, storeDialog, storeDigest, storedItem } from '../../pages/today/stored.ts';

/** A Wednesday. */
const NOW = new Date('2026-11-25T10:00:00Z');
const TODAY = '2026-11-25';
const HOSTILE = '<img src=x onerror=alert(1)>" autofocus \u202e';

describe('The pages that add and edit promises', () => {
  let service: Service;
  let nora: Agent;
  let katrin: string;
  let digestId: string;
  let ofSam: string;

  const page = async (path: string, status = 200) => (await nora.get(path).expect(status)).text;
  const adding = (query: Record<string, string>) => page(`/promises/new?${new URLSearchParams(query)}`);
  /** What the form of a page would send. */
  function fieldsIn(html: string): Record<string, string> {
    const form = formsOf(html).find(({ action }) => /^\/promises\/(new|[\w-]+\/edit)$/.test(action));
    const chosen = [...compact(html).matchAll(/<select[^>]* name="(\w+)"[^>]*>(.*?)<\/select>/g)];
    const words = /<textarea[^>]*>([^<]*)</.exec(html)?.[1] ?? '';
    const selected = chosen.map(([, name = '', options = '']) => {
      return [name, /value="([^"]*)" selected/.exec(options)?.[1] ?? ''];
    });
    return { ...form?.fields, ...Object.fromEntries(selected), words };
  }
  const rowOf = (words: string) => service.db('promises').where({ words }).first();
  const add = async (fields: object, status = 303) =>
    post(nora, '/promises/new', { direction: 'mine', kind: 'promise', ...fields }).expect(status);

  before(async () => {
    const { owner, ...started } = await startStored(NOW);
    ({ service, nora } = started);
    await signIn(service, 'sam@example.com');
    const summary = 'Katrin asks for the offer. It rained.';
    const sources = {
      messages: [{ id: '41', sender: 'Katrin Vogel', senderId: 'user:1', fromUser: false, sentAt: NOW.toISOString() }],
      sentences: [{ from: 0, to: 26, messageIds: ['41'] }],
    };
    const items = [
      storedItem('Send the offer', { dueDate: TODAY, dueTime: '15:00' }),
      storedItem('Pay the deposit', { dueText: 'after the fair' }),
      storedItem('Closed long ago', { dueDate: TODAY }),
    ];
    const structured = { actionItems: items };
    const about = { name: 'Katrin Vogel', day: TODAY, summary, structured, sources };
    ({ dialogId: katrin, digestId } = await storeDigest(service.db, owner, about));
    await storeDialog(service.db, owner, 'Anna Berg');
    await storeDialog(service.db, owner, 'Anna Klein');
    await storeDialog(service.db, owner, HOSTILE);
    const other = await storeAccount(service.db, 'sam@example.com');
    ofSam = (await storeDigest(service.db, other, { name: 'Samspeer', structured: { actionItems: [storedItem('Sam’s')] } }))
      .dialogId;
    await service.db('promises').where({ words: 'Closed long ago' }).update({ state: 'done', changed_by: 'person' });
  });
  after(stopServices);

  it('ask for a line and a conversation first, and keep no other user’s among those', async () => {
    const html = await page('/promises/new?back=/today');
    expect(wordsOf(html)).to.include('What, and when').and.include('Continue');
    expect(html).to.include('Katrin Vogel').and.not.include('Samspeer');
    expect(html).to.include('href="/today"');
    expectNothingInline(html);
    await request(service.url).get('/promises/new').expect(302);
    await nora.get(`/promises/new?dialog=${ofSam}`).expect(404);
    await add({ dialogId: ofSam, words: 'For Sam' }, 404);
  });

  const LINES = [
    { text: 'Call Katrin tomorrow 9:00', words: 'Call Katrin', dueDate: '2026-11-26', dueTime: '09:00' },
    { text: 'zzz', words: 'zzz', dueDate: '', dueTime: '' },
  ];
  for (const { text, ...read } of LINES) {
    it(`show what was read from “${text}” before anything is saved`, async () => {
      const before = await service.db('promises');
      const fields = fieldsIn(await adding({ text }));
      const named = text === 'zzz' ? '' : katrin;
      expect(fields).to.include({ ...read, dialogId: named, direction: 'mine', who: '', kind: 'promise' });
      expect(await service.db('promises')).to.have.length(before.length);
    });
  }

  it('take a sentence of a digest with its conversation and its messages', async () => {
    for (const path of ['/today', `/conversations/${katrin}`]) {
      const html = await page(path);
      const panel = compact(html).match(new RegExp(`<div class="from" id="s-${digestId}-1"[^>]*>.*?</div>`))?.[0] ?? '';
      const link = panel.match(/href="(\/promises\/new[^"]*)">Add as a promise/)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const fields = fieldsIn(await page(link));
      const words = 'Katrin asks for the offer.';
      expect(fields, path).to.include({ words, dialogId: katrin, messages: '41', messagesOf: katrin, back: path });
    }
    await add({ words: 'Of a sentence', dialogId: katrin, messages: '41', messagesOf: katrin });
    expect((await rowOf('Of a sentence')).source_message_ids).to.deep.equal(['41']);
    const anna = (await service.db('dialogs').where({ peer_name: 'Anna Berg' }).first()).id;
    await add({ words: 'Of another', dialogId: anna, messages: '41', messagesOf: katrin });
    expect((await rowOf('Of another')).source_message_ids).to.deep.equal([]);
  });

  it('refuse an hour without a day, in place too, and keep what was typed', async () => {
    const typed = { words: 'Ring “Bo” & co', dialogId: katrin, dueDate: '', dueTime: '07:30', direction: 'theirs' };
    for (const send of [post, htmxPost]) {
      const { text } = await send(nora, '/promises/new', { ...typed, who: 'Bo', kind: 'deadline' }).expect(400);
      expect(wordsOf(text)).to.include('There is a problem An hour needs its day.');
      expect(text)
        .to.include('<title>Error: Add a promise')
        .and.match(/Ring “Bo” &amp; co/);
      expect(fieldsIn(text)).to.include({ dialogId: katrin, dueTime: '07:30', direction: 'theirs', who: 'Bo' });
      expect(fieldsIn(text)).to.include({ kind: 'deadline' });
    }
    const { text } = await add({ words: ' ', dialogId: '' }, 400);
    expect(wordsOf(text)).to.include('Say what is to be done. Choose a conversation.');
  });

  it('change only the fields that were edited, and give them back', async () => {
    const { id, who } = await rowOf('Send the offer');
    const html = await page('/promises');
    expect(compact(html)).to.match(new RegExp(`<a href="/promises/${id}/edit\\?back=%2Fpromises" data-key="e"`));
    const fields = fieldsIn(await page(`/promises/${id}/edit?back=/promises`));
    expect(fields).to.include({ words: 'Send the offer', dueDate: TODAY, dueTime: '15:00', direction: 'mine' });
    const { headers } = await post(nora, `/promises/${id}/edit`, { ...fields, words: 'Send the new offer' }).expect(303);
    expect(wordsOf(await page(headers.location ?? ''))).to.include('Saved: Send the new offer Undo');
    const stored = { edited: ['words'], due_time: '15:00', who };
    expect(await service.db('promises').where({ id }).first()).to.deep.include(stored);
    await post(nora, `/promises/${id}`, { action: 'undo', back: '/promises' }).expect(303);
    expect(await rowOf('Send the offer')).to.deep.include({ id, edited: [], due_time: '15:00' });
  });

  it('change nothing where nothing was edited, also what happened meanwhile', async () => {
    const { id } = await rowOf('Pay the deposit');
    const html = await page(`/promises/${id}/edit`);
    expect(wordsOf(html)).to.include('Said: “ after the fair ”');
    const fields = fieldsIn(html);
    await service.db('promises').where({ id }).update({ due_date: '2026-12-01' });
    await post(nora, `/promises/${id}/edit`, { ...fields, kind: 'deadline' }).expect(303);
    expect(await rowOf('Pay the deposit')).to.deep.include({
      edited: ['kind'],
      kind: 'deadline',
      due_text: 'after the fair',
    });
    const { changed_at: before } = await rowOf('Pay the deposit');
    await post(nora, `/promises/${id}/edit`, fieldsIn(await page(`/promises/${id}/edit`))).expect(303);
    expect((await rowOf('Pay the deposit')).changed_at).to.deep.equal(before);
  });
});
