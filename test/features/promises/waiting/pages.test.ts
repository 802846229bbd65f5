import { expect } from 'chai';
import { expectNothingInline, post, wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { startStored, storeDigest, storedItem } from '../../pages/today/stored.ts';
import { storeQuestion } from './stored.ts';

const NOW = new Date('2026-11-25T10:00:00Z');
const HOSTILE = '<img src=x onerror=alert(1)>" autofocus \u202e';
const BOARD = '/promises?view=waiting';

describe('The list of who waits', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };
  let ingrid: string;
  let lastMessageId: string;

  const show = async (path = BOARD, agent = nora) => (await agent.get(path).expect(200)).text;
  const names = (html: string) => [...html.matchAll(/data-key="o"><bdi>([^<]*)</g)].map(([, name]) => name);
  const decide = (form: Record<string, string>, { as = nora, back = BOARD } = {}) =>
    post(as, `/waiting/${ingrid}`, { back, lastMessageId, ...form });

  before(async () => {
    ({ service, nora, owner } = await startStored(NOW));
    ({ dialogId: ingrid } = await storeDigest(service.db, owner, { name: 'Ingrid Solberg', day: '2026-11-23' }));
    await service.db('dialogs').where({ id: ingrid }).update({ peer_username: 'ingridsolberg' });
    const { dialogId: other } = await storeDigest(service.db, owner, { name: HOSTILE, day: '2026-11-16' });
    const asks = { words: HOSTILE, dialogId: other, askedAt: '2026-11-16T10:12:00Z' };
    await storeQuestion(service.db, owner.userId, asks);
    const words = 'Asks whether the tags survive a blast freezer.';
    const askedAt = '2026-11-23T10:12:00Z';
    lastMessageId = await storeQuestion(service.db, owner.userId, { dialogId: ingrid, words, askedAt });
  });
  after(stopServices);
  beforeEach(() => service.db('waiting_questions').update({ dismissed_at: null }));

  it('shows name, question and since when, with a link to reply in Telegram', async () => {
    const html = await show();
    const words = wordsOf(html);
    expect(words).to.include('Waiting for you 2 no answer for 1 working day or more');
    expect(words).to.match(/Ingrid Solberg Asks whether the tags survive a blast freezer\. since Monday 10:12 Reply to/);
    expect(words).to.include('since Mon 16 Nov').and.include('Waiting 2');
    expect(html).to.include('href="https://t.me/ingridsolberg"').and.include(`href="/conversations/${ingrid}"`);
    expect(html).not.to.include('<img src=x');
    expectNothingInline(html);
    expect(names(await show(`${BOARD}&dialog=${ingrid}`))).to.deep.equal(['Ingrid Solberg']);
    expect(names(await show(`${BOARD}&q=freezer`))).to.deep.equal(['Ingrid Solberg']);
    expect(wordsOf(await show(`${BOARD}&q=nobody`))).to.include('No one found for “nobody”.');
  });

  it('is on Today after what is due, counted in the headline, and not on an earlier day', async () => {
    const html = await show('/today');
    expect(wordsOf(html)).to.include('Nothing is due today. Two people are waiting for you.');
    expect(html).to.include('<section class="group" id="waiting"');
    expect(names(html)).to.have.length(2);
    expect(names(await show('/today?day=2026-11-23'))).to.deep.equal([]);
    const { text } = await decide({ action: 'dismiss' }, { back: '/today' }).set('HX-Request', 'true').expect(200);
    expect(wordsOf(text)).to.include('Nothing is due today. One person is waiting for you.');
    await service.db('waiting_questions').update({ dismissed_at: new Date() });
    expect(wordsOf(await show('/today'))).to.include('Nothing is due today. No one is waiting for you.');
    const actionItems = [storedItem('Send it', { dueDate: '2026-11-25' })];
    await storeDigest(service.db, owner, { name: 'Marcus', day: '2026-11-25', structured: { actionItems } });
    await service.db('waiting_questions').update({ dismissed_at: null });
    const busy = await show('/today');
    expect(wordsOf(busy)).to.include('One promise is due today. Two people are waiting for you');
    expect(busy).to.include('<a href="#waiting">Two people are waiting for you</a>');
    for (const query of ['view=everything', 'q=Marcus'])
      expect(await show(`/today?${query}`), query).to.include('<a href="/today#waiting">Two people');
  });
});
