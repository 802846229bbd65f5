import { expect } from 'chai';
import * as promises from '../../../migrations/20261122180000_promises__create.ts';
import * as doubtful from '../../../migrations/20261122181000_promises__is_doubtful__add.ts';
import * as search from '../../../migrations/20261123000100_promises__search__add.ts';
import * as tasks from '../../../migrations/20261123010000_crm_tasks__create.ts';
import * as failure from '../../../migrations/20261123080000_crm_tasks__failure__rename.ts';
import * as shown from '../../../migrations/20261124110000_promises__shown__add.ts';
import * as hand from '../../../migrations/20261125100000_promises__hand__add.ts';
import * as saidBy from '../../../migrations/20261125110000_promises__said_by__add.ts';
import * as quotedAt from '../../../migrations/20261125112000_promises__quoted_at__add.ts';
import * as outbox from '../../../migrations/20261126160100_outbox_tasks__create.ts';
import { NOTHING_YET } from '../../../src/features/digests/schema.ts';
import type { Db } from '../../../src/lib/db.ts';
import { post } from '../../support/pages.ts';
import { type Agent, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { dayAgo, storeAccount, storeDialog, storedItem } from '../pages/today/stored.ts';

const DAYS = 31;

/** A month of one conversation in the schema before: an item of each owner a day, every second one of the user's ticked. */
describe('The upgrade to promises', () => {
  let service: Service;
  let db: Db;
  let nora: Agent;
  let dialogId: string;
  let owner: { userId: string; accountId: string };

  before(async () => {
    service = await startService({ worker: false });
    ({ db } = service);
    nora = await signIn(service, 'nora@example.com');
    owner = await storeAccount(db, 'nora@example.com');
    dialogId = await storeDialog(db, owner, 'Farid Nazari');
    await quotedAt.down(db);
    await saidBy.down(db);
    await hand.down(db);
    await shown.down(db);
    await outbox.down(db);
    await tasks.down(db);
    await promises.down(db);
    for (let ago = DAYS; ago >= 0; ago--) await fillDay(ago);
  });
  after(stopServices);

  async function fillDay(ago: number) {
    const repeated = storedItem('Send the signed contract', { id: 'repeated', sourceMessageIds: ['1'] });
    const actionItems = [
      storedItem(`Mine ${ago}`, { id: `mine-${ago}`, dueDate: dayAgo(ago), dueText: 'today', dueTime: '15:00' }),
      storedItem(`Theirs ${ago}`, { id: `theirs-${ago}`, owner: 'contact', ownerName: 'Farid' }),
      storedItem(`Whose ${ago}`, { id: `whose-${ago}`, owner: 'unknown', dueDate: '2026-02-30' }),
      ...(ago % 10 === 0 ? [repeated] : []),
    ];
    const [{ id }] = await db('digests')
      .insert({
        ...{ user_id: owner.userId, dialog_id: dialogId, digest_date: dayAgo(ago), status: 'COMPLETE' },
        ...{ after_message_id: 0, last_message_id: 1, summary: 'They wrote.' },
        structured: JSON.stringify({ ...NOTHING_YET, actionItems }),
      })
      .returning('id');
    if (ago % 2 === 0) {
      await db.raw('select from set_tick(?, ?, ?, ?)', [owner.userId, id, `mine-${ago}`, new Date('2026-11-01')]);
    }
  }

  const tables = async () => ({
    open: await db('open_items').orderBy(['dialog_id', 'item_id']),
    ticks: await db('action_ticks').orderBy(['dialog_id', 'item_id']),
  });

  it('carries over every open item and every tick, even one of an item that is gone, and can be reverted', async () => {
    const gone = { user_id: owner.userId, dialog_id: dialogId, item_id: 'gone', done_at: new Date('2026-11-02') };
    await db('action_ticks').insert(gone);
    const before = await tables();
    expect(before.open.length).to.equal(3 * (DAYS + 1) + 1 - before.ticks.length + 1);

    await promises.up(db);
    const open = await db('promises').where({ state: 'open' }).orderBy(['dialog_id', 'item_id']);
    const done = await db('promises').where({ state: 'done' }).orderBy(['dialog_id', 'item_id']);
    expect(open.map(({ item_id, last_digest_id }) => [item_id, last_digest_id])).to.deep.equal(
      before.open.map(({ item_id, digest_id }) => [item_id, digest_id]),
    );
    expect(done.map(row => ({ ...gone, item_id: row.item_id, done_at: row.changed_at }))).to.deep.equal(before.ticks);
    expect(done.every(row => row.changed_by === 'person' && row.is_touched)).to.equal(true);

    await promises.down(db);
    expect(await tables()).to.deep.equal(before);
    await promises.up(db);
    await doubtful.up(db);
    await search.up(db);
    await tasks.up(db);
    await failure.up(db);
    await outbox.up(db);
    await shown.up(db);
    await hand.up(db);
    await saidBy.up(db);
    await quotedAt.up(db);
  });

  it('keeps what each item says, and from when to when it was said', async () => {
    const saidOn = db.raw(`to_char(first_said_on, 'YYYY-MM-DD') as first, to_char(last_said_on, 'YYYY-MM-DD') as last,
      to_char(due_date, 'YYYY-MM-DD') as due`);
    const rows = await db('promises').select('*', saidOn);
    const of = (id: string) => rows.find(({ item_id }) => item_id === id);
    expect(of('mine-3')).to.include({ direction: 'mine', words: 'Mine 3', due: dayAgo(3), due_time: '15:00' });
    expect(of('theirs-3')).to.include({ direction: 'theirs', who: 'Farid', due: null, state: 'open' });
    expect(of('whose-3')).to.include({ direction: 'unassigned', due: '2026-03-02' });
    expect(of('repeated')).to.include({ first: dayAgo(30), last: dayAgo(0) });
    expect(of('repeated').source_message_ids).to.deep.equal(['1']);
  });

  it('shows the ticks as before, and they can still be taken away', async () => {
    const done = async () => {
      const { text } = await nora.get(`/promises?view=closed&dialog=${dialogId}`).expect(200);
      return text.match(/data-row/g)?.length;
    };
    // Of three owners.
    expect(await done()).to.equal(17);
    const { id } = await db('promises').where({ item_id: 'mine-0' }).first('id');
    await post(nora, `/promises/${id}`, { action: 'undo' }).expect(303);
    expect(await done()).to.equal(16);
    expect(await db('promises').where({ item_id: 'mine-0' }).first()).to.include({ state: 'open', is_touched: false });
  });

  it('is one statement, however many days there are', async () => {
    const said: string[] = [];
    db.on('query', ({ sql }: { sql: string }) => said.push(sql));
    await quotedAt.down(db);
    await saidBy.down(db);
    await shown.down(db);
    await outbox.down(db);
    await tasks.down(db);
    await promises.down(db);
    said.length = 0;
    await promises.up(db);
    expect(said.filter(sql => /^\s*(insert|update|delete)/i.test(sql))).to.have.length(1);
  });
});
