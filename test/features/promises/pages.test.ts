import { expect } from 'chai';
import { addDays } from '../../../src/lib/timezones.ts';
import { compact, expectNothingInline, post, promisesIn, wordsOf } from '../../support/pages.ts';
import { type Agent, signIn } from '../../support/people.ts';
import { type Service, stopServices } from '../../support/service.ts';
import { startStored, storeAccount, storeDigest, storedItem, UNDECIDED } from '../pages/today/stored.ts';

/** A Wednesday, so that the week has days to come. */
const NOW = new Date('2026-11-25T10:00:00Z');
const TODAY = '2026-11-25';
const day = (days: number) => addDays(TODAY, days);
const HOSTILE = '<img src=x onerror=alert(1)>" autofocus \u202e';

describe('The page of promises', () => {
  let service: Service;
  let nora: Agent;
  let sam: Agent;
  let claire: string;
  let owner: { userId: string; accountId: string };

  const show = async (path = '/promises', agent = nora) => (await agent.get(path).expect(200)).text;
  const titles = (html: string) =>
    [...compact(html).matchAll(/<h2 id="h-\w+">(.*?)<\/h2>/g)].map(([, h = '']) => wordsOf(h));
  const idOf = async (words: string) => (await service.db('promises').where({ words }).first('id')).id as string;
  const decide = async (words: string, form: Record<string, string>, { as = nora, status = 303 } = {}) =>
    post(as, `/promises/${await idOf(words)}`, { back: '/promises', ...form }).expect(status);
  /** The page a form leads to. */
  const follow = async (answer: { headers: Record<string, string> }) => show(answer.headers.location);

  before(async () => {
    ({ service, nora, owner } = await startStored(NOW));
    sam = await signIn(service, 'sam@example.com');
    const actionItems = [
      storedItem('No day'),
      storedItem('Next month', { dueDate: day(30) }),
      storedItem('On Friday', { dueDate: day(2) }),
      storedItem('On Sunday', { dueDate: day(4), dueTime: '09:00' }),
      storedItem('Today', { dueDate: TODAY, dueTime: '15:00', dueText: 'by three' }),
      storedItem('Late', { dueDate: day(-2), dueTime: '12:00' }),
      storedItem('Theirs', { owner: 'contact', ownerName: 'Claire', dueDate: day(-9) }),
      storedItem('Whose', { owner: 'unknown', dueDate: day(-1) }),
    ];
    const about = { name: 'Claire Whitfield', day: TODAY, structured: { actionItems } };
    ({ dialogId: claire } = await storeDigest(service.db, owner, about));
    const hostile = { actionItems: [storedItem(HOSTILE, { dueText: HOSTILE })] };
    await storeDigest(service.db, owner, { name: HOSTILE, day: TODAY, structured: hostile });
    const ofSam = await storeAccount(service.db, 'sam@example.com');
    const other = { actionItems: [storedItem('Of Sam')] };
    await storeDigest(service.db, ofSam, { name: 'Samspeer', day: TODAY, structured: other });
  });
  after(stopServices);
  beforeEach(async () => {
    await service.db('promises').update({ ...UNDECIDED, state: 'open', evidence: null, is_doubtful: false });
  });

  it('groups what the user owes by due day', async () => {
    const html = await show();
    expect(titles(html)).to.deep.equal(['Overdue 1', 'Today 1', 'This week 2', 'Later 1', 'No day 2']);
    expect(promisesIn(html).slice(0, 5)).to.deep.equal(['Late', 'Today', 'On Friday', 'On Sunday', 'Next month']);
    const words = wordsOf(html);
    expect(words).to.match(/Late was due Mon 12:00 Claire Whitfield/);
    expect(words).to.include('You owe 7, one of them overdue. Others owe you 1.');
    expect(words).to.include('was due Mon 12:00').and.include('Sun 29 Nov, 09:00').and.include('Fri 25 Dec');
    expect(compact(html)).to.include('<span class="hl"><b>today</b>, 15:00</span>');
    expect(html.match(/class="late"/g)).to.have.length(1);
    expectNothingInline(html);
  });

  it('shows a single conversation, and none of other users', async () => {
    const html = await show(`/promises?dialog=${claire}`);
    expect(promisesIn(html)).to.have.length(6).and.include('Late');
    expect(wordsOf(html)).to.include('Later 1');
    await sam.get(`/promises?dialog=${claire}`).expect(404);
    expect(promisesIn(await show('/promises', sam))).to.deep.equal(['Of Sam']);
  });
  it('lists what is put off and what is closed, and opens it again from there', async () => {
    await decide('Late', { until: day(5) });
    await decide('Today', { action: 'dismiss' });
    const later = wordsOf(await show('/promises?view=put-off'));
    expect(later).to.include('Put off 1').and.include('back on Mon 30 Nov');
    expect(wordsOf(await show('/promises?view=closed'))).to.include('Not a task, today');
    await decide('Late', { action: 'reopen', back: '/promises?view=put-off' });
    await decide('Today', { action: 'undo', back: '/promises?view=closed' });
    expect(promisesIn(await show())).to.include.members(['Late', 'Today']);
  });

  it('shows the evidence of what was closed automatically, and of what may have been kept', async () => {
    const evidence = JSON.stringify({ who: 'Claire', when: '2026-11-24T14:20:00Z', words: HOSTILE, messageIds: ['1'] });
    await service.db('promises').where({ words: 'Late' }).update({ state: 'done', changed_by: 'automatic', evidence });
    await service.db('promises').where({ words: 'Today' }).update({ is_doubtful: true, evidence });
    const closed = await show('/promises?view=closed');
    expect(wordsOf(closed)).to.include('Closed automatically: Claire yesterday, 14:20');
    expect(wordsOf(await show()))
      .to.include('Settled?')
      .and.match(/Yes ?, settled: Today No ?, still open: Today/);
    expect(closed).not.to.include('<img src=x');
  });

  it('decides about all selected ones together, and undoes them together', async () => {
    const html = await show('/promises?select=week&all=1');
    expect(
      compact(html).match(/<input class="pick" type="checkbox" name="ids"[^>]* form="bulk"[^>]* checked>/g),
    ).to.have.length(2);
    const words = ['On Friday', 'On Sunday'];
    const ids = await Promise.all(words.map(idOf));
    for (const [form, told] of [
      [{ action: 'done' }, '2 promises done'],
      [{ action: 'dismiss' }, 'Not a task: 2 promises'],
      [{ until: day(1) }, 'Back on Thu 26 Nov: 2 promises'],
    ] as const) {
      service.clock.advance(1000);
      const answer = await nora
        .post('/promises')
        .type('form')
        .send({ ids, back: '/promises', ...form })
        .expect(303);
      const shown = await follow(answer);
      expect(wordsOf(shown)).to.include(`${told} Undo`);
      expect(promisesIn(shown)).not.to.include.members(words);
      const [, at = ''] = shown.match(/name="at" value="(\d+)"/) ?? [];
      const undone = await follow(await post(nora, '/promises', { action: 'undo', at, back: '/promises' }).expect(303));
      expect(wordsOf(undone)).to.include('Undone 2 promises.');
      expect(promisesIn(undone)).to.include.members(words);
    }
    const none = await follow(await post(nora, '/promises', { action: 'done' }));
    expect(wordsOf(none)).to.include('No promise was selected.');
  });

  it('searches the words of promises and the names of conversations, folded and by their beginning as on Today', async () => {
    for (const q of ['friday', 'ÓN+frid', 'whitfield+friday'])
      expect(promisesIn(await show(`/promises?q=${q}`)), q).to.deep.equal(['On Friday']);
    expect(promisesIn(await show('/promises?q=riday'))).to.deep.equal([]);
    expect(promisesIn(await show('/promises?q=whitfield'))).to.have.length(6);
    expect(wordsOf(await show('/promises?q=%25'))).to.include('No promises found for “%”.');
    expect(wordsOf(await show('/promises?q=%00'))).to.include('Promises');
    expect(wordsOf(await show('/promises?q=samspeer'))).to.include('No promises found');
  });

  it('shows 50 of each group, and the rest of 10,000 page by page', async () => {
    const [dialog] = await service.db('dialogs').where({ id: claire }).select('*');
    await service.db.raw(
      `insert into promises (user_id, dialog_id, item_id, first_said_on, last_said_on, direction, words, due_date, changed_at)
       select ?, ?, 'many-' || n, '2026-11-20', '2026-11-20', 'theirs', 'Promise ' || n, '2026-12-10', now()
       from generate_series(1, 10000) n`,
      [owner.userId, dialog.id],
    );
    const html = await show('/promises?view=theirs');
    expect(titles(html)).to.deep.equal(['Overdue 1', 'Later 10,000']);
    expect(promisesIn(html)).to.have.length(51);
    expect(wordsOf(html)).to.include('Show the next 50');
    const first = await show('/promises?view=theirs&group=later');
    const last = await show('/promises?view=theirs&group=later&page=200');
    expect(promisesIn(last)).to.have.length(50);
    expect(new Set([...promisesIn(first), ...promisesIn(last)]).size).to.equal(100);
    expect(last).not.to.include('Show the next');
    await service.db('promises').where('item_id', 'like', 'many-%').delete();
  });
});
