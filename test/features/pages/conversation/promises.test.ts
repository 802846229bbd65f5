import { expect } from 'chai';
import { addDays } from '../../../../src/lib/timezones.ts';
import { compact, expectNothingInline, post, promisesIn, wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { startStored, storeDigest, storedItem, UNDECIDED } from '../today/stored.ts';

/** A Wednesday, so that the week has days to come. */
const NOW = new Date('2026-11-25T10:00:00Z');
const TODAY = '2026-11-25';
const day = (days: number) => addDays(TODAY, days);
const HOSTILE = '<img src=x onerror=alert(1)>';

const ITEMS = [
  storedItem('Write the sentence on invoice dates', { dueDate: TODAY, dueTime: '15:00', sourceMessageIds: ['1', '2'] }),
  storedItem('Name a trainer', { dueDate: day(2) }),
  storedItem('Get the form signed', { owner: 'contact', ownerName: 'Farid', dueDate: day(5), sourceMessageIds: ['1'] }),
  storedItem('Answer the questionnaire', { dueDate: TODAY }),
];
const MESSAGES = [
  { id: '1', sender: 'Farid Nazari', fromUser: false, sentAt: '2026-11-23T11:02:00Z' },
  { id: '2', sender: 'Nora', fromUser: true, sentAt: '2026-11-24T17:45:00Z' },
];

describe('The promises on the page of a conversation', () => {
  let service: Service;
  let nora: Agent;
  let farid: string;
  let owner: { userId: string; accountId: string };

  before(async () => {
    ({ service, nora, owner } = await startStored(NOW));
    const about = { name: 'Farid Nazari', day: TODAY, summary: 'Farid asked for a sentence.' };
    const sources = { sentences: [], messages: MESSAGES };
    const structured = { actionItems: ITEMS };
    ({ dialogId: farid } = await storeDigest(service.db, owner, { ...about, sources, structured }));
  });
  beforeEach(async () => {
    await service.db('promises').update({ ...UNDECIDED, state: 'open', evidence: null, is_doubtful: false });
    const previous = JSON.stringify({ state: 'open', is_user_decided: false });
    const closed = { state: 'done', changed_by: 'automatic', previous };
    const evidence = { who: 'You', when: '2026-11-25T08:20:00Z', words: `all 86 ${HOSTILE}`, messageIds: ['7'] };
    await set('Answer the questionnaire', { ...closed, evidence: JSON.stringify(evidence) });
    await service.db('dialogs').where({ id: farid }).update({ peer_kind: 'user', peer_username: '' });
  });
  after(stopServices);

  const set = (words: string, change: object) => service.db('promises').where({ words }).update(change);
  const idOf = async (words: string) => (await service.db('promises').where({ words }).first('id')).id as string;
  const show = async (path = `/conversations/${farid}`, agent = nora) => (await agent.get(path).expect(200)).text;
  const titles = (html: string) =>
    [...compact(html).matchAll(/<h2 id="h-\w+">(.*?)<\/h2>/g)].map(([, h = '']) => wordsOf(h));

  it('lists what each side owes, then what is closed, then the days', async () => {
    const html = await show();
    expectNothingInline(html);
    expect(titles(html)).to.deep.equal(['You owe Farid 2', 'Farid owes you 1', 'Closed 1']);
    expect(promisesIn(html)).to.deep.equal(['Write the sentence on invoice dates', 'Name a trainer', 'Get the form signed']);
    expect(compact(html)).to.include('<span class="hl"><b>today</b>, 15:00</span>');
    expect(html.indexOf('id="h-closed"')).to.be.below(html.indexOf('class="timeline"'));
  });

  it('says who said it and when, what became of it, and where the chat opens', async () => {
    await service.db('dialogs').where({ id: farid }).update({ peer_username: 'farid_b' });
    await set('Write the sentence on invoice dates', { moved_from: day(-1) });
    const words = wordsOf(await show());
    expect(words).to.include('Farid Nazari Mon 23 Nov, 11:02 You Tue 24 Nov, 17:45 Open chat in Telegram');
    expect(words).to.include('Promised for Tue 24 Nov').and.include('Moved from Tue 24 Nov to Wed 25 Nov');
  });

  it('shows the evidence of what was closed, as text, and takes it back', async () => {
    const html = await show();
    expect(wordsOf(html)).to.match(/Kept on the day\. You ?, today, 08:20 ?: all 86/);
    expect(html).not.to.include('<img src=x');
    const path = `/promises/${await idOf('Answer the questionnaire')}`;
    expect(compact(html)).to.match(new RegExp(`formaction="${path}" name="action" value="undo"`));
    const { headers } = await post(nora, path, { action: 'undo', back: `/conversations/${farid}` }).expect(303);
    expect(headers.location).to.equal(`/conversations/${farid}`);
    expect(titles(await show())).to.deep.equal(['You owe Farid 3', 'Farid owes you 1']);
  });

  it('never lists the promises of a day a second time: the day says how many it has', async () => {
    const html = await show();
    const timeline = html.slice(html.indexOf('class="timeline"'));
    for (const { text } of ITEMS) expect(timeline).not.to.include(text);
    expect(compact(timeline)).to.match(new RegExp(`href="/conversations/${farid}#open">.*?4 promises, 1 closed</a>`));
  });
});
