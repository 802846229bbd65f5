import { expect } from 'chai';
import { recordStored } from '../../../bench/support/recordStored.ts';
import { foldWords, searchDigests } from '../../../src/features/digests/repo.ts';
import { EMPTY_CONTENT } from '../../../src/features/digests/schema.ts';
import { addMissing } from '../../../src/features/outbox/notes/repo.ts';
import type { Db } from '../../../src/lib/db.ts';
import { testDatabase } from '../../support/database.ts';
import { fillConversations, planOf } from '../../support/plans.ts';

const PEOPLE = 4;
const CONVERSATIONS = 50;
const DAYS = 60;

/** 12,000 digests of four people: enough for the planner to prefer its indexes, as at 100,000. */
describe('The queries of Today', () => {
  let db: Db;
  let userId: string;

  before(async () => {
    ({ db } = await testDatabase());
    await fill(db);
    ({ id: userId } = await db('users').first('id'));
  });

  it('search through the index of words, for one person’s digests alone', async () => {
    const words = await foldWords(db, 'thing17');
    const plan = await planOf(db, () => searchDigests(db, { userId, words, since: '2000-01-01', limit: 240 }));
    expect(plan).to.include('Bitmap Index Scan on digests_search').and.include(userId);
    expect(plan).not.to.include('Seq Scan on digests');
  });

  it('search for a word of most digests among the newest, and read no others', async () => {
    const search = (word: string) => searchDigests(db, { userId, words: [word], since: '2000-01-01', limit: 240 });
    const plan = await planOf(db, () => search('procurement'), 'explain (analyze, costs off)');
    expect(plan).to.match(/One-Time Filter.*\n.*\(never executed\)|never executed\).*\n.*digests_search/);
    const days = (await search('procurement')).map(({ digestDate }) => digestDate);
    expect(days).to.have.length(240).and.to.deep.equal(days.toSorted().reverse());
  });

  it('plan notes from indexes alone, however many digests a person has', async () => {
    const { rows } = await db.raw(`select id as "dialogId", '9' as "contactId" from dialogs where user_id = ?`, [userId]);
    const scope = { userId, portalId: '1', dialogIds: undefined };
    const plan = await planOf(db, () => addMissing(db, scope, rows));
    expect(plan)
      .to.match(/Index Only Scan using digests_ready/)
      .and.match(/Index Only Scan using outbox_notes_standing/);
  });
});

async function fill(db: Db): Promise<void> {
  await fillConversations(db, { people: PEOPLE, conversations: CONVERSATIONS });
  await db.raw(
    `
    insert into digests (user_id, dialog_id, digest_date, status, message_count, after_message_id, last_message_id,
                         last_message_at, summary, structured, engine)
    select d.user_id, d.id, current_date - day, 'COMPLETE', 18, 0, 18, now() - day * interval '1 day',
      'Procurement moved the deadline of thing' || (ascii(d.peer_key) + day) % 97 || ' up to Monday.',
      ?::jsonb || jsonb_build_object('actionItems', jsonb_build_array(jsonb_build_object('id', d.id::text || day, 'text',
        'Send it', 'owner', 'user', 'ownerName', null, 'dueDate', null, 'dueText', null,
        'sourceMessageIds', '[]'::jsonb))), 'built-in'
    from dialogs d, generate_series(0, ?::int - 1) day`,
    [JSON.stringify(EMPTY_CONTENT), DAYS],
  );
  for (const userId of await db('users').pluck('id')) {
    const digestIds = await db('digests').where({ user_id: userId }).pluck('id');
    await recordStored(db, { userId, digestIds, now: new Date() });
  }
  await db.raw(`update promises set state = 'done' where last_said_on < current_date - 20`);
  await db.raw('vacuum analyze');
}
