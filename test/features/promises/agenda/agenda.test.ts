import { expect } from 'chai';
import { presentListed } from '../../../../src/features/promises/agenda/present.ts';
import { getAgenda } from '../../../../src/features/promises/agenda/service.ts';
import { addDays } from '../../../../src/lib/timezones.ts';
import {
  compact,
  expectNothingInline,
  headlineOf,
  htmxPost,
  listOf,
  post,
  promisesIn,
  wordsOf,
} from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { emptyTables, type Service, stopServices } from '../../../support/service.ts';
import { startStored, storeDigest, storedItem } from '../../pages/today/stored.ts';

/** A Wednesday. */
const NOW = new Date('2026-11-25T10:00:00Z');
const TODAY = '2026-11-25';
const day = (days: number) => addDays(TODAY, days);
const due = (words: string, days: number, dueTime?: string) =>
  storedItem(words, { dueDate: day(days), ...(dueTime && { dueTime }) });
const theirs = (words: string, days: number) => storedItem(words, { owner: 'contact', dueDate: day(days) });

describe('The promises of the present day', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };

  before(async () => {
    ({ service, nora, owner } = await startStored(NOW));
  });
  after(stopServices);
  afterEach(() => emptyTables(service, 'promises', 'digests', 'dialogs', 'crm_connections'));

  const store = (name: string, actionItems: ReturnType<typeof storedItem>[], details: object = {}) =>
    storeDigest(service.db, owner, { name, day: TODAY, structured: { actionItems, ...details } });
  const page = async (path = '/today') => (await nora.get(path).expect(200)).text;
  const idOf = async (words: string) => (await service.db('promises').where({ words }).first('id')).id as string;
  const decide = async (words: string, form: Record<string, string>) =>
    post(nora, `/promises/${await idOf(words)}`, { back: '/today', ...form }).expect(303);

  it('are listed by the hour, then what is overdue since earlier, and counted by the headline', async () => {
    await store('Claire', [due('At three', 0, '15:00'), due('Any time', 0), due('At noon', 0, '12:00')]);
    await store('Amélie', [due('At five', 0, '05:00'), due('At four', 0, '04:00')]);
    await store('Katrin', [due('Late', -2, '12:00'), due('Later', -1), due('To come', 1), theirs('Theirs', 0)]);
    const html = await page();
    expect(headlineOf(html)).to.equal('Three promises are due today. Four are overdue.');
    const ofToday = ['At four', 'At five', 'At noon', 'At three', 'Any time'];
    expect(promisesIn(listOf(html, 'due'))).to.deep.equal([...ofToday, 'Later', 'Late']);
    expect(wordsOf(listOf(html, 'due')))
      .to.match(/^Today 7 All 8 promises/)
      .and.include('was due Mon 12:00');
    expect(listOf(html, 'due')).to.include('<span class="hl"><b>today</b>, 12:00</span>');
    expect(listOf(html, 'due').match(/class="late"/g)).to.have.length(4);
    expectNothingInline(html);
  });

  it('are at most seven rows, two of them for what is overdue, with a link to the rest', async () => {
    await store(
      'Claire',
      Array.from({ length: 9 }, (_, n) => due(`Late ${n}`, n - 20)),
    );
    await store(
      'Katrin',
      Array.from({ length: 5 }, (_, n) => due(`Due ${n}`, 0, `1${n}:00`)),
    );
    const html = listOf(await page(), 'due');
    expect(promisesIn(html)).to.deep.equal(['Due 0', 'Due 1', 'Due 2', 'Due 3', 'Due 4', 'Late 8', 'Late 7']);
    expect(compact(html)).to.match(/href="\/promises">7 more overdue/);
  });

  it('include what the other side says cannot wait, even without a day', async () => {
    await store('Farid', [storedItem('Switch it on')], { urgency: 'high' });
    await store('Calm', [storedItem('Some day')]);
    const evening = storedItem('Send weights', { dueText: 'in the evening' });
    await store('Aigul', [evening, storedItem('Call about the box')], { urgency: 'high' });
    const structured = { actionItems: [storedItem('Settled since')], urgency: 'high' as const };
    const { dialogId: calmed } = await storeDigest(service.db, owner, { day: day(-1), structured });
    await storeDigest(service.db, owner, { dialogId: calmed });
    const jonas = [storedItem('Order the cake'), due('Text Jonas', 1)];
    const { dialogId } = await store('Jonas', jonas, { urgency: 'high' });
    const html = await page();
    expect(headlineOf(html)).to.equal('One promise is urgent.');
    expect(promisesIn(listOf(html, 'due'))).to.deep.equal(['Switch it on']);
    expect(wordsOf(listOf(html, 'due'))).to.match(/Switch it on Urgent Farid/);
    await service.db('promises').where({ dialog_id: dialogId }).delete();
    service.clock.advance(2 * 86_400_000);
    expect(promisesIn(listOf(await page(), 'due'))).to.deep.equal([]);
    service.clock.advance(-2 * 86_400_000);
  });

  it('are marked where two of the user’s own appointments are within an hour', async () => {
    const meet = (words: string, dueTime: string | null, details: object = {}) =>
      storedItem(words, { kind: 'appointment', dueDate: TODAY, dueTime, ...details });
    await store('Farid', [meet('Kick-off', '15:00'), meet('All day', null)]);
    await store('Claire', [meet('Visit Claire', '15:30'), meet('Dinner', '19:00')]);
    await store('Callum', [meet('Callum in Aberdeen', '19:00', { owner: 'contact', ownerName: 'Callum' })]);
    // The same dinner, told of to someone else, is no clash.
    await store('Ben', [meet('Eat with Claire', '19:00')]);
    const rows = listOf(await page(), 'due')
      .split('<li ')
      .map(wordsOf);
    const clashes = rows.flatMap(
      row => /(Kick-off|Visit).*Appointment, clashes with \P{L}?(\w+).?, (15:\d0)/u.exec(row)?.slice(1) ?? [],
    );
    expect(clashes).to.deep.equal(['Kick-off', 'Claire', '15:30', 'Visit', 'Farid', '15:00']);
  });

  it('exclude those that are put off, settled, somebody else’s or nobody’s', async () => {
    const whose = storedItem('Whose', { owner: 'unknown', dueDate: day(-1) });
    await store('Claire', [due('Put off', 0), due('Kept', 0), whose]);
    await decide('Put off', { until: day(1) });
    await decide('Kept', { action: 'done' });
    const html = await page();
    expect(headlineOf(html)).to.equal('Nothing is due today. No one is waiting for you.');
    expect(promisesIn(listOf(html, 'due'))).to.deep.equal([]);
  });

  it('show the next two where nothing is due, as proof that nothing is missing', async () => {
    await store('Claire', [due('Third', 9), due('First', 1), due('Second', 3), storedItem('No day')]);
    const html = await page();
    expect(headlineOf(html)).to.equal('Nothing is due today. No one is waiting for you.');
    expect(promisesIn(listOf(html, 'next'))).to.deep.equal(['First', 'Second']);
    expect(wordsOf(listOf(html, 'next'))).to.include('2 more promises');
    expect(wordsOf(html)).to.match(/Coming up Thu 26 Nov First Claire Sat 28 Nov Second/);
  });

  it('name what others owe only below, in red, with the rest behind a link', async () => {
    await store('Marcus', [theirs('Term sheet', -5), theirs('Deck', 2), theirs('Slides', 3)]);
    await store('Darren', [theirs('Gateways', -1)]);
    const html = await page();
    expect(headlineOf(html)).to.equal('Nothing is due today. No one is waiting for you.');
    expect(wordsOf(html)).to.match(/Two owe you something ?\. 2 digests/);
    expect(html).to.include('href="#owed"');
    expect(promisesIn(listOf(html, 'owed'))).to.deep.equal(['Term sheet', 'Gateways']);
    expect(listOf(html, 'owed').match(/class="late"/g)).to.have.length(2);
    expect(compact(listOf(html, 'owed'))).to.match(/href="\/promises\?view=theirs">2 more\b/);
  });

  it('name the company of the conversation’s person beside what is theirs alone, and that person once', async () => {
    const owed = (words: string, ownerName: string) => storedItem(words, { owner: 'contact', ownerName, dueDate: day(-1) });
    const { dialogId } = await store('Rafael Azevedo', [owed('Read the draft', 'Rafael'), owed('Pay', 'Ines Prado')]);
    const { userId } = owner;
    const about = { userId, today: TODAY, timeOfDay: '12:00', timezone: 'UTC', crm: { portalId: '' } as never };
    const agenda = await getAgenda(service, { ...about, hasClosed: false });
    const links = new Map([[dialogId, { kind: 'linked', words: 'FrioSul', href: '/' } as const]]);
    const rows = presentListed({ ...agenda, links }, { today: TODAY, now: NOW, timezone: 'UTC' }, 9, () => true);
    expect(rows.map(row => [row.words, row.owner, row.company])).to.have.deep.members([
      ['Read the draft', '', 'FrioSul'],
      ['Pay', 'Ines Prado', ''],
    ]);
  });

  it('can be decided in place, updating the counts of Today and the screen reader’s message, but nothing of other pages', async () => {
    const { dialogId } = await store('Claire', [due('Send it', 0), due('<b>Call', 0)]);
    const path = `/promises/${await idOf('Send it')}`;
    const done = (await htmxPost(nora, path, { action: 'done', back: '/today' }).expect(200)).text;
    expect(compact(done)).to.include('<h1 id="headline" hx-swap-oob="true">One promise is due today.</h1>');
    expect(compact(done)).to.include('<span class="count" id="due-count" hx-swap-oob="true">1</span>');
    expect(done).to.include('Done: Send it. Undo with Z').and.include('data-key="z"').and.include(`hx-post="${path}"`);
    expectNothingInline(done);
    const undone = (await htmxPost(nora, path, { action: 'undo', back: '/today' }).expect(200)).text;
    expect(compact(undone)).to.include('<div id="toast" hx-swap-oob="innerHTML"></div>').and.include('Two promises are');
    expect(undone).to.include('Open again: Send it');
    const elsewhere = { action: 'done', back: `/conversations/${dialogId}` };
    const hostile = (await htmxPost(nora, `/promises/${await idOf('<b>Call')}`, elsewhere).expect(200)).text;
    expect(hostile).to.include('Done: &lt;b&gt;Call').and.not.include('id="headline"').and.not.include('<b>Call');
  });
});
