import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { countPromises, listAgenda } from '../../../src/features/promises/agenda/repo.ts';
import { countDueGroups, listDueGroups, listPeers, listUndoablePromises } from '../../../src/features/promises/list/repo.ts';
import { listReadablePromises } from '../../../src/features/promises/repo.ts';
import type { Db } from '../../../src/lib/db.ts';
import { testDatabase } from '../../support/database.ts';
import { fillConversations, planOf } from '../../support/plans.ts';
import { until } from '../../support/until.ts';

const OPEN = 10_000;
const CONVERSATIONS = 50;

/** One person with 10,000 open promises and twice as many settled ones, beside another with as many. */
describe('The queries of promises', () => {
  let db: Db;
  let userId: string;
  const present = { today: '2026-11-22', timeOfDay: '10:00' };
  const { today } = present;

  before(async () => {
    ({ db } = await testDatabase());
    await fill(db);
    ({ id: userId } = await db('users').where({ email: 'person1@example.com' }).first('id'));
  });

  const asked = () => ({ userId, ...present, limit: 51 });

  it('list a page of what is open in the order of its index, also a page in the middle', async () => {
    const after = { due: '2026-11-20', id: randomUUID() };
    for (const more of [{}, { after }, { direction: 'mine' as const }]) {
      const plan = await planOf(db, () => listReadablePromises(db, { ...asked(), state: 'open', ...more }));
      expect(plan)
        .to.match(/Index Scan using promises_(open|agenda) on promises/)
        .and.not.match(/Seq Scan on promises|Sort/);
    }
  });

  it('show the page of promises by its indexes', async () => {
    const asking = { userId, ...present, weekEnd: today, limit: 50, offset: 0 };
    const asks = {
      promises_agenda: () => listDueGroups(db, { ...asking, list: 'yours' }),
      promises_put_off: () => listDueGroups(db, { ...asking, list: 'put-off' }),
      promises_closed: () => listDueGroups(db, { ...asking, list: 'closed' }),
      promises_dialog: () => listPeers(db, { userId, limit: 300 }),
      promises_pkey: () => listUndoablePromises(db, { userId, ...present, ids: [randomUUID()] }),
    };
    for (const [index, ask] of Object.entries(asks))
      expect(await planOf(db, ask))
        .to.include(index)
        .and.not.include('Seq Scan on promises');
    const bulk = await planOf(db, () => listUndoablePromises(db, { userId, ...present, at: new Date() }));
    expect(bulk).to.include('promises_changed_at').and.not.include('Seq Scan on promises');
  });

  it('show the promises of the present day by their index, of which counting reads nothing else', async () => {
    const asking = { userId, ...present };
    const listing = await planOf(db, () => listAgenda(db, asking));
    expect(listing).to.include('using promises_agenda').and.not.include('Seq Scan on promises');
    const counting = await planOf(db, () => countPromises(db, { ...asking, monday: '2026-11-16', sunday: today }));
    expect(counting).to.include('Index Only Scan using promises_agenda').and.not.include('Seq Scan on promises');
  });

  it('search what is open by the index of its words, however much was kept', async () => {
    const words = ['send', '7'];
    const asking = { userId, ...present, weekEnd: today, words };
    const asks = [
      () => listDueGroups(db, { ...asking, list: 'yours', limit: 50, offset: 0 }),
      () => countDueGroups(db, { ...asking, saidBefore: today }),
    ];
    for (const ask of asks)
      expect(await planOf(db, ask))
        .to.include('promises_search_live')
        .and.not.include('Seq Scan on promises');
  });
});

async function fill(db: Db): Promise<void> {
  await fillConversations(db, { people: 2, conversations: CONVERSATIONS });
  await db.raw(
    `
    insert into promises (user_id, dialog_id, item_id, first_said_on, last_said_on, direction, words, due_date, state,
                          changed_at)
    select d.user_id, d.id, n::text, date '2026-11-21' - n % 300, date '2026-11-21' - n % 300,
      case when n % 2 = 0 then 'mine' else 'theirs' end, 'Send it ' || n,
      case when n % 4 > 0 then date '2026-11-21' + n % 60 end, case when n % 3 = 0 then 'open' else 'done' end, now()
    from dialogs d, generate_series(1, ?::int) n`,
    [(3 * OPEN) / CONVERSATIONS],
  );
  // A transaction under way keeps rows from counting as visible to all, and an index alone from answering.
  await until(async () => {
    await db.raw('vacuum analyze');
    const { rows } = await db.raw(`select relallvisible = relpages as is_done from pg_class where relname = 'promises'`);
    return rows[0].is_done;
  });
}
