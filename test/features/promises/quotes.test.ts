import { expect } from 'chai';
import type { SourceMessage } from '../../../src/features/digests/schema.ts';
import { compact, listOf, post, wordsOf } from '../../support/pages.ts';
import { type Agent, connectedNora, syncNow } from '../../support/people.ts';
import { emptyTables, type Service, startService, stopServices } from '../../support/service.ts';
import { dialog, message, person, world } from '../../support/worlds.ts';
import { dayAgo, startStored, storeDigest, storedItem } from '../pages/today/stored.ts';

const CLAIRE = 'Claire Whitfield';
const ASKED = 'could you send the recall procedure before monday noon?';
const ANSWER = 'yes, you have it on monday';
const REQUEST = { words: ASKED, messageId: '1', who: 'Claire', fromUser: false };

const sent = (id: string, sender: string, fromUser = false): SourceMessage => ({
  ...{ id, sender, fromUser, sentAt: `${dayAgo(1)}T10:0${id}:00Z` },
});
const SOURCES = { sentences: [], messages: [sent('1', CLAIRE), sent('2', 'Nora Lind', true), sent('3', 'Jan Petersen')] };

type QuoteOptions = { name?: string; dialogId?: string; isModels?: boolean };

describe('Promises in people’s own words', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };

  before(async () => {
    ({ service, nora, owner } = await startStored());
  });
  after(stopServices);
  afterEach(() => emptyTables(service, 'promises', 'digests', 'dialogs'));

  /** As the digest of a day without a model says it; `isModels` leaves out what tells the two apart. */
  const store = (item: Parameters<typeof storedItem>, { name = CLAIRE, isModels = false, ...more }: QuoteOptions = {}) =>
    storeDigest(service.db, owner, {
      ...{ name, sources: SOURCES, ...more },
      structured: { actionItems: [storedItem(...item)], ...(!isModels && { exchanges: [] }) },
    });
  const answered = () => store([ANSWER, { dueDate: dayAgo(0), request: REQUEST, sourceMessageIds: ['1', '2'] }]);
  const page = async (path: string) => (await nora.get(path).expect(200)).text;
  /** What a list says of each promise, in order. */
  const saidIn = (html: string) =>
    [...html.matchAll(/<span class="w"[^>]*>([\s\S]*?)<\/span>\s*(?=<span class="(?:due|m)")/g)].map(([, said = '']) =>
      wordsOf(said),
    );
  const saidOn = async (path: string) => saidIn(await page(path));
  const idOf = async () => (await service.db('promises').first('id')).id as string;

  it('show what they answer, then the words that bind, each with who wrote it, wherever they are rows', async () => {
    const { dialogId } = await answered();
    for (const path of ['/promises', '/today', '/week', `/conversations/${dialogId}`]) {
      expect(await saidOn(path), path).to.deep.equal([`Claire: ${ASKED} You: ${ANSWER}`]);
    }
    const row = compact(listOf(await page('/today'), 'due'));
    expect(wordsOf(row)).to.match(/said \w{3} \d+ \w{3}(?: \d{4})?, 10:02/);
    expect(row).to.include(`<bdi class="by">Claire:</bdi><q>${ASKED}</q>`);
    expect(row).to.match(/<span class="q a o"> ?<svg [^>]*aria-hidden="true"[^>]*>.*?<\/svg> ?<bdi class="by">You:/);
  });

  it('are named only where the row does not say who wrote them', async () => {
    const said = async (words: string, details: Parameters<typeof storedItem>[1], more = {}, view = '') => {
      await store([words, details], more);
      const [one] = await saidOn(`/promises${view}`);
      await emptyTables(service, 'promises', 'digests', 'dialogs');
      return one;
    };
    const theirs = { owner: 'contact' } as const;
    const group = { name: 'Kälteforum Nord' };
    const [byClaire, byNora, byJan] = ['1', '2', '3'].map(id => ({ sourceMessageIds: [id] }));
    expect(await said('I’ll call them', { ...byNora })).to.equal('I’ll call them');
    expect(await said('can you call them?', { ...byClaire })).to.equal('Claire: can you call them?');
    expect(await said('I’ll call', { ...theirs, ...byClaire }, {}, '?view=theirs')).to.equal('I’ll call');
    expect(await said('you call?', { ...theirs, ...byNora }, {}, '?view=theirs')).to.equal('You: you call?');
    const jans = { ...theirs, ownerName: 'Jan', ...byJan };
    expect(await said('I’ll call', jans, group, '?view=theirs')).to.equal('I’ll call');
    const ofBohm = { ...jans, ownerName: 'Böhm' };
    expect(await said('Böhm calls', ofBohm, group, '?view=theirs')).to.equal('Jan Petersen: Böhm calls');
    const unknown = { owner: 'unknown', ...byClaire } as const;
    expect(await said('who calls?', unknown, {}, '?view=unassigned')).to.equal('Claire: who calls?');
    // Its message was not kept.
    expect(await said('can you call?', { sourceMessageIds: ['9'] })).to.equal('can you call?');
  });

  it('are plain where a model or the user wrote them, and quotes again after the undo of an edit', async () => {
    await store([ANSWER, { request: REQUEST, sourceMessageIds: ['1', '2'] }], { isModels: true });
    expect(await saidOn('/promises')).to.deep.equal([ANSWER]);
    await service.db('promises').delete();
    const { dialogId } = await answered();
    const id = await idOf();
    await nora.patch(`/api/promises/${id}/fields`).send({ words: 'Send the procedure' }).expect(200);
    expect(await saidOn('/promises')).to.deep.equal(['Send the procedure']);
    await nora.patch(`/api/promises/${id}`).send({ action: 'undo' }).expect(200);
    expect(await saidOn('/promises')).to.deep.equal([`Claire: ${ASKED} You: ${ANSWER}`]);
    await service.db('promises').delete();
    await nora.post('/api/promises').send({ dialogId, words: 'Order paper' }).expect(200);
    expect(await saidOn('/promises')).to.deep.equal(['Order paper']);
  });

  it('are escaped, and the API lists them as before', async () => {
    const words = '<b>yes</b>';
    const request = { ...REQUEST, words: '<script>alert(1)</script>', who: '<i>Claire</i>' };
    await store([words, { dueDate: dayAgo(0), request, sourceMessageIds: ['1', '2'] }]);
    const html = await page('/today');
    expect(html).not.to.match(/<script>alert|<i>Claire|<b>yes/);
    expect(html).to.include('&lt;i&gt;Claire&lt;/i&gt;:');
    const { promises } = (await nora.get('/api/promises').expect(200)).body;
    expect(promises[0]).to.include({ words }).and.not.have.any.keys('request', 'saidBy');
  });
});

describe('A promise that was read without a model', () => {
  after(stopServices);

  it('is shown with what it answers, in the words of the messages', async () => {
    const claire = person(2001, { firstName: 'Claire', lastName: 'Whitfield' });
    const messages = [message(11, { from: claire.id, text: ASKED }), message(12, { text: ANSWER })];
    const worlds = [world({ users: [claire], dialogs: [dialog(`user:${claire.id}`, messages)] })];
    const service = await startService({ worlds });
    const nora = await connectedNora(service);
    await syncNow(nora);
    const { text } = await nora.get('/promises').expect(200);
    expect(wordsOf(text)).to.include(`Claire: ${ASKED} You: ${ANSWER}`);
    const { id } = await service.db('promises').where({ words: ANSWER }).first('id');
    await post(nora, `/promises/${id}`, { action: 'done', back: '/settings' }).expect(303);
    expect(wordsOf((await nora.get('/settings').expect(200)).text)).to.include(`Kept ${ASKED}`);
  });
});
