import { expect } from 'chai';
import { closePastOfAllUsers } from '../../../../src/features/promises/repo.ts';
import { addDays } from '../../../../src/lib/timezones.ts';
import { compact, headlineOf, listOf, post, promisesIn, wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { emptyTables, type Service, stopServices } from '../../../support/service.ts';
import { startStored, storeDigest, storedItem } from '../../pages/today/stored.ts';

/** A Wednesday. */
const NOW = new Date('2026-11-25T10:00:00Z');
const TODAY = '2026-11-25';
const day = (days: number) => addDays(TODAY, days);

describe('Appointments and deadlines', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };

  before(async () => {
    ({ service, nora, owner } = await startStored(NOW));
  });
  after(stopServices);
  afterEach(() => emptyTables(service, 'promises', 'digests', 'dialogs'));

  const dated = (words: string, days: number, more: object = {}) =>
    storedItem(words, { owner: 'unknown', kind: 'appointment', dueDate: day(days), ...more });
  const store = (...actionItems: ReturnType<typeof storedItem>[]) =>
    storeDigest(service.db, owner, { name: 'Claire', day: TODAY, structured: { actionItems } });
  const page = async (path: string) => (await nora.get(path).expect(200)).text;

  const navigationCount = (html: string) => Number(/id="due-side"[^>]*>(\d+)</.exec(compact(html))?.[1] ?? 0);

  it('are on Today on their day, by the hour, although no one owes them', async () => {
    await store(
      storedItem('Send the offer', { dueDate: TODAY, dueTime: '12:00' }),
      dated('Kick-off', 0, { dueTime: '10:00' }),
      dated('Comments', 0, { kind: 'deadline' }),
      dated('Visit of Marcus', 0, { owner: 'contact', dueTime: '11:00' }),
      storedItem('Whose', { owner: 'unknown', dueDate: TODAY }),
    );
    const html = await page('/today');
    expect(promisesIn(listOf(html, 'due'))).to.deep.equal(['Kick-off', 'Visit of Marcus', 'Send the offer', 'Comments']);
    expect(headlineOf(html)).to.equal('One promise is due today. Three dates are set for today.');
    expect(wordsOf(listOf(html, 'due'))).to.match(/^Today 4 /);
    await service.db('promises').where({ words: 'Visit of Marcus' }).update({ is_doubtful: true });
    expect(promisesIn(await page('/promises?view=theirs'))).to.deep.equal(['Visit of Marcus']);
  });

  it('ask about what this server read once its day is past, until its person says that it is still open', async () => {
    const due = { dueDate: day(-1), dueTime: '09:00', sourceMessageIds: ['7'] };
    const owed = storedItem('Mail it', { ...due, owner: 'contact' as const });
    const ofToday = storedItem('Call Ada', { ...due, dueDate: TODAY, sourceMessageIds: ['8'] });
    const structured = { actionItems: [storedItem('Call Marcus', due), owed, ofToday], exchanges: [] };
    await storeDigest(service.db, owner, { name: 'Claire', day: TODAY, structured });
    const html = await page('/today');
    expect(headlineOf(html)).to.include('One promise is due today.').and.not.to.include('overdue');
    expect(navigationCount(html)).to.equal(1);
    expect(html).not.to.include('class="late"');
    const listed = wordsOf(listOf(html, 'due'));
    expect(listed).to.match(/was due 09:00 .*Call Ada .*was due Tue 09:00 .*Call Marcus Settled\?/);
    expect(listed.match(/Settled\?/g)).to.have.length(1);
    expect(wordsOf(listOf(html, 'owed'))).to.match(/was due Tue .*Mail it Settled\?/);
    expect(wordsOf(await page('/promises'))).to.match(/You owe 2\..* Settled\? 1 .*Call Marcus/);
    const { id } = await service.db('promises').where({ words: 'Call Marcus' }).first('id');
    await post(nora, `/promises/${id}`, { back: '/today', action: 'reopen' }).expect(303);
    const after = await page('/today');
    expect(headlineOf(after)).to.equal('One promise is due today. One is overdue.');
    expect(navigationCount(after)).to.equal(2);
    expect(wordsOf(listOf(after, 'due'))).not.to.include('Settled?');
    expect(await service.db('promises').where({ id }).first('is_user_decided')).to.deep.equal({ is_user_decided: false });
  });

  it('ask at once about what messages seem to have settled, and about three at most', async () => {
    const due = (words: string, days = 0) => storedItem(words, { dueDate: day(days) });
    const call = storedItem('Sent for a call', { kind: 'appointment', dueDate: TODAY, dueTime: '12:00' });
    await store(due('Still due'), due('Sent before', 1), call, ...['A', 'B', 'C'].map(letter => due(`Sent ${letter}`)));
    await service.db('promises').whereLike('words', 'Sent%').update({ is_doubtful: true });
    const html = await page('/today');
    expect(headlineOf(html)).to.equal('One promise is due today.');
    expect(wordsOf(listOf(html, 'due'))).to.match(/Today 1 .*Still due(?:.* Settled\?){3}.* 1 more perhaps settled/);
    expect(promisesIn(listOf(html, 'due'))).to.have.length(4);
    expect(navigationCount(html)).to.equal(1);
    expect(wordsOf(await page('/promises'))).to.match(/Today 1 .*Still due.* Settled\? 4 .*Sent A/);
  });

  it('ask on Today about the last seven days only, and on the list of promises about all', async () => {
    const due = (words: string, days: number) => storedItem(words, { dueDate: day(days), sourceMessageIds: ['7'] });
    const structured = { actionItems: [due('Call Marcus', -7), due('Mail it', -8)], exchanges: [] };
    await storeDigest(service.db, owner, { name: 'Claire', day: TODAY, structured });
    const html = await page('/today');
    expect(wordsOf(listOf(html, 'due')))
      .to.include('Call Marcus')
      .and.not.to.include('Mail it');
    expect(wordsOf(html)).to.include('One promise is perhaps settled');
    expect(wordsOf(await page('/promises'))).to.match(/ Settled\? 2 .*Mail it.*Call Marcus/);
  });

  it('are never overdue, and once past still in a list until they are closed', async () => {
    await store(
      dated('Past one', -1),
      dated('Own past one', -1, { owner: 'user' }),
      dated('Put off', -1, { owner: 'user' }),
      storedItem('Late', { dueDate: day(-1) }),
    );
    const { id } = await service.db('promises').where({ words: 'Put off' }).first('id');
    const later = { action: 'snooze', until: day(2) };
    await nora.patch(`/api/promises/${id}`).send(later).expect(200);
    const html = await page('/today');
    expect(headlineOf(html)).to.equal('One promise is overdue.');
    expect(promisesIn(listOf(html, 'due'))).to.deep.equal(['Late']);
    const yours = wordsOf(await page('/promises'));
    expect(yours)
      .to.match(/You owe 2, one of them overdue/)
      .and.match(/Overdue 1 .*Late.* Past 1 .*Own past one was Tue 24 Nov/);
    expect(wordsOf(await page('/promises?view=unassigned'))).to.match(/Past 1 .*Past one was Tue 24 Nov/);
    await nora.post('/api/settings').send({ timezone: 'UTC' }).expect(200);
    // Node knows AET, but PostgreSQL does not: the days are those of UTC.
    for (const timezone of ['Pacific/Pago_Pago', 'AET']) {
      await service.db('sync_configs').where({ user_id: owner.userId }).update({ timezone });
      await closePastOfAllUsers(service.db, service.clock.now());
      const past = await service.db('promises').where({ state: 'done' }).count();
      expect(past, timezone).to.deep.equal([{ count: timezone === 'AET' ? '2' : '0' }]);
    }
    await service.db('sync_configs').update({ timezone: 'UTC' });
    expect(wordsOf(await page('/promises'))).to.match(/You owe 1, overdue/);
    expect(wordsOf(await page('/promises?view=closed'))).to.match(/Past one.*Appointment, past/);
    expect(wordsOf(await page('/promises?view=put-off'))).to.match(/Put off.*back on Fri 27 Nov/);
  });

  it('leave promises to be overdue past their hour, wherever the hour is shown', async () => {
    const due = (words: string, dueTime: string) => storedItem(words, { dueDate: TODAY, dueTime });
    const { dialogId } = await store(due('Call Farid', '09:00'), due('Send the offer', '12:00'));
    expect(headlineOf(await page('/today'))).to.equal('One promise is due today. One is overdue.');
    for (const path of ['/today', '/promises', `/conversations/${dialogId}`])
      expect(wordsOf(await page(path)), path)
        .to.match(/Call Farid was due 09:00 /)
        .and.match(/Send the offer today ?, 12:00/);
    expect(wordsOf(await page('/promises'))).to.match(/Overdue 1 .*Call Farid .*Today 1 .*Send the offer/);
  });
});
