import { expect } from 'chai';
import { cleanUp } from '../../../../src/features/data/cleanUp/cleanUp.ts';
import { KEPT_DAYS } from '../../../../src/features/data/cleanUp/rules.ts';
import { ANNA, type NoteWorld, startNotes } from '../../../support/noteWorld.ts';
import { type Agent, syncNow } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

const DAY_MS = 86_400_000;

describe('The daily clean-up', () => {
  let service: Service;
  let nora: Agent;
  let userId: string;
  let notes: NoteWorld;

  before(async () => {
    notes = await startNotes();
    ({ service, nora, userId } = notes);
    await notes.link(notes.anna, '101');
    await syncNow(nora);
  });
  after(stopServices);

  const run = (atOnce = 1000) =>
    cleanUp({ ...service.worker(), clock: service.clock }, AbortSignal.timeout(20_000), { atOnce });
  const count = async (table: string, where = {}) => Number((await service.db(table).where(where).count())[0]?.count);
  const daysAgo = (days: number) => new Date(service.clock.now().getTime() - days * DAY_MS);

  it('deletes everything after its retention, and not a day earlier', async () => {
    const { db } = service;
    const [{ id: dialogId }] = await db('dialogs').select('id').limit(1);
    const ofUser = { user_id: userId, dialog_id: dialogId };
    const told = { level: 'info', source: 'sync', kind: 'OLD', about: '{}', count: 1, is_repeat: false, state: 'sent' };
    const job = { user_id: userId, queue_id: userId, kind: 'daily', state: 'completed' };
    const promise = { ...ofUser, words: 'Old.', direction: 'mine', first_said_on: daysAgo(400) };
    const digest = { ...ofUser, status: 'COMPLETE', summary: 'Old.', after_message_id: 0, last_message_id: 1 };
    const link = { email: 'x@example.com', callback_url: '/' };
    const old: Record<string, [days: number, rowOf: (at: Date, name: string) => object]> = {
      promises: [KEPT_DAYS.promises, (at, name) => ({ ...promise, item_id: name, last_said_on: at, changed_at: at })],
      alerts: [KEPT_DAYS.alerts, (at, name) => ({ ...told, kind_key: name, first_at: at, last_at: at, due_at: at })],
      sync_jobs: [KEPT_DAYS.syncJobs, (at, name) => ({ ...job, id: name, created_at: at, finished_at: at })],
      payment_events: [KEPT_DAYS.paymentEvents, (at, id) => ({ id, type: 'x', created_at: at, received_at: at })],
      closed_accounts: [KEPT_DAYS.paymentEvents, (at, name) => ({ account_hash: name, closed_at: at })],
      sign_in_tokens: [
        KEPT_DAYS.signInTokens,
        (at, name) => ({ ...link, token_hash: name, created_at: at, expires_at: at }),
      ],
      messenger_logins: [
        KEPT_DAYS.messengerLogins,
        (at, name) => ({ token_hash: name, user_id: userId, step: 'code', expires_at: at }),
      ],
      digests: [KEPT_DAYS.digests, at => ({ ...digest, digest_date: at })],
      waiting_questions: [
        KEPT_DAYS.questions,
        (at, words) => ({ ...ofUser, words, message_id: words.length, asked_at: at }),
      ],
    };
    for (const [table, [days, rowOf]] of Object.entries(old)) {
      const before = await count(table);
      await db(table).insert([rowOf(daysAgo(days - 0.5), 'younger'), rowOf(daysAgo(days + 1.5), 'older')]);
      expect(await count(table), table).to.equal(before + 2);
      await run();
      expect(await count(table), table).to.equal(before + 1);
    }
    expect(KEPT_DAYS).to.deep.include({ digests: 365, promises: 365, syncJobs: 30, alerts: 30 });
    expect(KEPT_DAYS).to.deep.include({ paymentEvents: 90, signInTokens: 1 });
  });

  it('keeps a promise for a year after it was closed, or while open after its day, however long ago it was mentioned', async () => {
    const [{ id }] = await service.db('dialogs').select('id').limit(1);
    const said = { words: 'Old.', direction: 'mine', first_said_on: daysAgo(500), last_said_on: daysAgo(400) };
    const open = { state: 'open', changed_at: daysAgo(100) };
    const rows = [
      { item_id: 'closed lately', state: 'done', changed_at: daysAgo(100), due_date: daysAgo(399) },
      { item_id: 'closed long ago', state: 'done', changed_at: daysAgo(370), due_date: daysAgo(-9) },
      { item_id: 'changed lately', ...open },
      { item_id: 'due long ago', ...open, due_date: daysAgo(370) },
      { item_id: 'due within a year', ...open, due_date: daysAgo(360) },
      { item_id: 'put off', ...open, state: 'snoozed', due_date: daysAgo(399), snoozed_until: daysAgo(-9) },
    ].map(row => ({ user_id: userId, dialog_id: id, ...said, due_date: null, snoozed_until: null, ...row }));
    const promises = () => service.db('promises').where({ words: 'Old.', first_said_on: said.first_said_on });
    await service.db('promises').insert(rows);
    await run();
    expect(await promises().orderBy('item_id').pluck('item_id')).to.deep.equal([
      'closed lately',
      'due within a year',
      'put off',
    ]);
  });

  it('keeps how far conversations were read when their digests go, and writes no note twice', async () => {
    expect(service.crm.notes()).to.have.length(1);
    const cursors = () => service.db('dialogs').orderBy('id').select('id', 'cursor_message_id', 'crm_contact_id');
    const before = await cursors();
    await service.db('digests').update({ digest_date: service.db.raw('digest_date - 400') });
    await run();
    expect(await count('digests')).to.equal(0);
    expect(await cursors()).to.deep.equal(before);
    expect(await count('outbox_notes', { state: 'written', digest_id: null })).to.equal(1);

    notes.write(ANNA, 'One more thing.');
    const { result } = await syncNow(nora);
    expect(result).to.include({ dialogsProcessed: 1, digestsCreated: 1, notesCreated: 1 });
    const [digest] = await service.db('digests');
    expect(digest).to.include({ message_count: 1 });
    expect(service.crm.notes()).to.have.length(2);
  });

  it('still removes the notes of deleted digests when the conversation is ignored', async () => {
    await nora.patch('/api/crm/contacts/search').send({ dialogId: notes.anna, action: 'ignore' }).expect(200);
    await until(() => service.crm.notes().length === 0);
  });

  it('deletes unwritten notes with their digest', async () => {
    const [{ id: dialogId }] = await service.db('dialogs').select('id').limit(1);
    const note = { user_id: userId, dialog_id: dialogId, portal_id: '1', crm_contact_id: '501' };
    await service.db('outbox_notes').insert([
      { ...note, state: 'waiting' },
      { ...note, state: 'failed' },
      { ...note, state: 'outdated', crm_id: '9' },
      { ...note, state: 'waiting', claim: dialogId, claimed_until: new Date(Date.now() + 60_000) },
    ]);
    await run();
    const left = await service.db('outbox_notes').where({ portal_id: '1' }).orderBy('state').select('state', 'crm_id');
    expect(left).to.deep.equal([
      { state: 'waiting', crm_id: null },
      { state: 'written', crm_id: '9' },
    ]);
  });

  it('goes on after a step that fails, and is tried again', async () => {
    const { db } = service;
    const link = { email: 'x@example.com', callback_url: '/', created_at: daysAgo(99), expires_at: daysAgo(98) };
    await db('sign_in_tokens').insert({ ...link, token_hash: 'much older' });
    await db.raw('alter table alerts rename to gone');
    const failure = await run().catch(err => err.message);
    await db.raw('alter table gone rename to alerts');
    expect(failure).to.equal('clean-up: 2 steps failed');
    expect(await count('sign_in_tokens', { token_hash: 'much older' })).to.equal(0);
  });

  it('works in small steps, even in two workers at once', async () => {
    await service.db.raw(
      `insert into payment_events (id, type, created_at, received_at)
       select 'many ' || n, 'x', now(), now() - interval '200 days' from generate_series(1, 2500) as n`,
    );
    const before = await count('payment_events');
    await Promise.all([run(100), run(100), run(70)]);
    expect(await count('payment_events')).to.equal(before - 2500);
  });
});
