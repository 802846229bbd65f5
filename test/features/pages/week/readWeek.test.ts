import { expect } from 'chai';
import { upsertConfig } from '../../../../src/features/base/settings/repo.ts';
import type { WeekList } from '../../../../src/features/pages/week/schema.ts';
import { readWeek } from '../../../../src/features/pages/week/service.ts';
import type { Db } from '../../../../src/lib/db.ts';
import { testDatabase } from '../../../support/database.ts';
import { storeQuestion } from '../../promises/waiting/stored.ts';
import { storeAccount, storeDialog, storeDigest, storedItem } from '../today/stored.ts';

/** A Wednesday. */
const NOW = new Date('2026-11-25T10:00:00Z');

describe('A week', () => {
  let db: Db;
  let owner: { userId: string; accountId: string };
  let now = NOW;
  const clock = { now: () => now };

  before(async () => {
    ({ db } = await testDatabase());
    await db('users').insert([{ email: 'nora@example.com' }, { email: 'sam@example.com' }]);
    owner = await storeAccount(db, 'nora@example.com');
  });
  afterEach(async () => {
    now = NOW;
    for (const table of ['promises', 'digests', 'waiting_questions', 'dialogs', 'sync_configs']) await db(table).delete();
  });

  const promised = (dueDate: string, words = `For ${dueDate}`) => storedItem(words, { dueDate });
  const store = (day: string, actionItems: ReturnType<typeof storedItem>[], more: object = {}) =>
    storeDigest(db, owner, { day, structured: { actionItems }, ...more });
  const set = (words: string, changes: object) =>
    db('promises')
      .where({ words })
      .update({ changed_by: 'person', changed_at: NOW, ...changes });
  const liveIn = (timezone: string) => upsertConfig(db, owner.userId, { timezone }, NOW);
  const read = (asked: Partial<Parameters<typeof readWeek>[1]> = {}) =>
    readWeek({ db, clock }, { userId: owner.userId, promiseLimit: 10, ...asked });
  const wordsIn = ({ listed }: Awaited<ReturnType<typeof readWeek>>, list: WeekList) =>
    listed.filter(one => one.list === list).map(({ promise }) => promise.words);

  it('leaves out what is no longer needed, was no promise, is another’s, or has no day', async () => {
    const others = [
      storedItem('Theirs', { owner: 'contact', dueDate: '2026-11-24' }),
      storedItem('Theirs, kept', { owner: 'contact', dueDate: '2026-11-24' }),
      storedItem('Nobody’s', { owner: 'unknown', dueDate: '2026-11-24' }),
    ];
    const gone = ['Cancelled', 'Dismissed', 'Withdrawn'].map(words => promised('2026-11-24', words));
    await store('2026-11-24', [...others, ...gone, storedItem('No day')]);
    for (const words of ['Cancelled', 'Dismissed', 'Withdrawn']) await set(words, { state: words.toLowerCase() });
    await set('Theirs, kept', { state: 'done' });
    const week = await read();
    expect(week.counts).to.include({ due: 0, kept: 0, fresh: 1, theirsDue: 2, theirsKept: 1 });
    expect(week.listed.map(({ promise }) => promise.words)).to.deep.equal(['No day']);
  });

  it('is never a future one, nor one before the first that anything is known of', async () => {
    await store('2026-11-10', [promised('2026-10-01')]);
    for (const [week, monday] of [
      ['2026-12-07', '2026-11-23'],
      ['2026-10-01', '2026-11-09'],
    ])
      expect((await read({ week })).monday).to.equal(monday);
  });

  it('names the conversations with the most messages in it, with the newest summary', async () => {
    const { dialogId } = await store('2026-11-23', [], { name: 'Farid', messageCount: 30, summary: 'Asked.' });
    await store('2026-11-24', [], { dialogId, messageCount: 20, summary: 'Signed.' });
    await store('2026-11-20', [], { dialogId, messageCount: 900, summary: 'Before.' });
    for (const [name, messageCount] of [
      ['Claire', 46],
      ['Katrin', 40],
      ['Fourth', 3],
    ] as const)
      await store('2026-11-24', [], { name, messageCount });
    const { dialogId: mutedId } = await store('2026-11-24', [], { name: 'Group', messageCount: 999 });
    await db('dialogs').where({ id: mutedId }).update({ is_muted: true });
    await store('2026-11-24', [], { name: 'Failed', messageCount: 999, status: 'FAILED' });
    const { moved } = await read();
    expect(moved.map(({ peerName, messages }) => `${peerName} ${messages}`)).to.deep.equal([
      'Farid 50',
      'Claire 46',
      'Katrin 40',
    ]);
    expect(moved[0]).to.include({ summary: 'Signed.', dialogId });
  });

  it('tells who still waits for an answer since it, the longest first', async () => {
    for (const [name, askedAt] of [
      ['Ingrid', '2026-11-16T09:00:00Z'],
      ['Noor', '2026-11-22T23:30:00Z'],
      ['Olu', '2026-11-23T09:00:00Z'],
      ['Just now', '2026-11-25T09:00:00Z'],
    ]) {
      const dialogId = await storeDialog(db, owner, String(name));
      await storeQuestion(db, owner.userId, { dialogId, askedAt: String(askedAt) });
    }
    await store('2026-11-10', []);
    const names = async (week?: string) => (await read({ week })).waiting.waits.map(({ peerName }) => peerName);
    expect(await names()).to.deep.equal(['Ingrid', 'Noor', 'Olu']);
    expect(await names('2026-11-16')).to.deep.equal(['Ingrid', 'Noor']);
    expect(await names('2026-11-09')).to.deep.equal([]);
    await liveIn('Europe/Berlin');
    expect(await names('2026-11-16')).to.deep.equal(['Ingrid']);
  });

  it('begins and ends at midnight where the user lives', async () => {
    await store('2026-11-23', [promised('2026-11-29', 'On Sunday')]);
    now = new Date('2026-11-29T12:00:00Z');
    expect((await read()).monday).to.equal('2026-11-23');
    expect(wordsIn(await read(), 'next')).to.deep.equal([]);
    await liveIn('Pacific/Auckland');
    const week = await read();
    expect(week).to.include({ monday: '2026-11-30', today: '2026-11-30' });
    expect(wordsIn(await read({ week: '2026-11-23' }), 'late')).to.deep.equal(['On Sunday']);
  });

  it('is empty for a new user, and shows nothing of others', async () => {
    const { dialogId } = await store('2026-11-24', [promised('2026-11-24')]);
    await storeQuestion(db, owner.userId, { dialogId, askedAt: '2026-11-20T09:00:00Z' });
    expect((await read()).isBegun).to.equal(true);
    const { id: userId } = await db('users').where({ email: 'sam@example.com' }).first('id');
    const week = await read({ userId, week: '2026-11-09' });
    expect(week).to.include({ isBegun: false, isPresent: true });
    expect([week.listed, week.moved, week.waiting.waits]).to.deep.equal([[], [], []]);
    expect(Object.values(week.counts).every(count => count === 0)).to.equal(true);
    expect(week.chart).to.deep.equal([{ monday: '2026-11-23', due: 0, kept: 0 }]);
  });
});
