import { expect } from 'chai';
import {
  countByWeek,
  countLists,
  findFirstDay,
  listBusiest,
  listWeek,
} from '../../../../src/features/pages/week/repo.ts';
import type { Db } from '../../../../src/lib/db.ts';
import { testDatabase } from '../../../support/database.ts';
import { fillConversations, planOf } from '../../../support/plans.ts';

const CONVERSATIONS = 100;
const PROMISES = 10_000;

/** One person with 10,000 promises of two years and as many digests, beside another with as many. */
describe('The queries of a week', () => {
  let db: Db;
  let asked: { userId: string; today: string; monday: string; sunday: string; nextSunday: string };

  before(async () => {
    ({ db } = await testDatabase());
    await fill(db);
    const { id: userId } = await db('users').where({ email: 'person1@example.com' }).first('id');
    asked = { userId, today: '2026-11-25', monday: '2026-11-23', sunday: '2026-11-29', nextSunday: '2026-12-06' };
  });

  it('read by indexes what the week has, not what there is', async () => {
    const { userId } = asked;
    const asks = {
      lists: () => listWeek(db, { ...asked, limit: 10, offset: 0 }),
      counts: () => countLists(db, asked),
      chart: () => countByWeek(db, { userId, since: '2026-10-05', until: asked.sunday }),
      first: () => findFirstDay(db, { userId }),
      busiest: () => listBusiest(db, { ...asked, limit: 3 }),
    };
    for (const [name, ask] of Object.entries(asks)) {
      const plan = await planOf(db, ask);
      expect(plan, name).not.to.match(/Seq Scan on (promises|digests)/);
    }
  });
});

async function fill(db: Db): Promise<void> {
  await fillConversations(db, { people: 2, conversations: CONVERSATIONS });
  await db.raw(
    `
    insert into promises (user_id, dialog_id, item_id, first_said_on, last_said_on, direction, words, due_date, state,
                          changed_at)
    select d.user_id, d.id, n::text, date '2026-11-25' - n * 7, date '2026-11-25' - n * 7,
      case when d.peer_id::int % 2 = 0 then 'mine' else 'theirs' end, 'Send it ' || n, date '2026-12-10' - n * 7 + d.peer_id::int % 7,
      case when d.peer_id::int % 3 = 0 then 'open' else 'done' end, now()
    from dialogs d, generate_series(1, ?::int) n`,
    [PROMISES / CONVERSATIONS],
  );
  await db.raw(
    `
    insert into digests (user_id, dialog_id, digest_date, status, message_count, after_message_id, last_message_id, summary)
    select d.user_id, d.id, date '2026-11-25' - n, 'COMPLETE', 7, n, n + 1, 'Wrote.'
    from dialogs d, generate_series(1, 100) n`,
  );
  await db.raw('vacuum analyze');
}
