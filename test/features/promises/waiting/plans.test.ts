import { expect } from 'chai';
import { listWaits, recordWaits } from '../../../../src/features/promises/waiting/repo.ts';
import type { Db } from '../../../../src/lib/db.ts';
import { testDatabase } from '../../../support/database.ts';
import { planOf } from '../../../support/plans.ts';

const CONVERSATIONS = 5000;

/** Two people with 5,000 conversations each, in all of which someone waits. */
describe('The queries of who waits', () => {
  let db: Db;
  let userId: string;
  let dialogId: string;

  before(async () => {
    ({ db } = await testDatabase());
    await fill(db);
    ({ id: userId } = await db('users').where({ email: 'person1@example.com' }).first('id'));
    ({ id: dialogId } = await db('dialogs').where({ user_id: userId }).first('id'));
  });

  it('read only what has waited long enough, by the index on the user', async () => {
    const wanted = { userId, before: new Date('2026-01-02'), newsSince: '2026-11-24', limit: 5, offset: 0 };
    const plan = await planOf(db, () => listWaits(db, wanted));
    expect(plan)
      .to.include('waiting_questions_user_id')
      .and.not.match(/Seq Scan on waiting_questions/);
    expect((await listWaits(db, wanted)).count).to.equal(2);
  });

  it('write by the key of the conversation', async () => {
    const questions = [{ messageId: 7, askedAt: new Date(), words: 'Asks.' }];
    const asked = [{ dialogId, firstMessageId: 5, settledBy: 0, questions }];
    const plan = await planOf(db, () => recordWaits(db, { userId }, asked));
    expect(plan).not.to.include('Seq Scan on waiting_questions');
  });
});

async function fill(db: Db): Promise<void> {
  await db.raw(`
    with users as (
      insert into users (email) select 'person' || n || '@example.com' from generate_series(1, 2) n returning id
    ), accounts as (
      insert into messenger_accounts (user_id, messenger_user_id, status, credentials, connected_at)
      select id, id::text, 'active', 'none', now() from users returning id, user_id
    ), dialogs as (
      insert into dialogs (user_id, account_id, peer_id, peer_type, peer_kind, peer_key, access_hash, peer_name)
      select user_id, id, n::text, 'user', 'user', n::text, '', 'Person ' || n
      from accounts, generate_series(1, ${CONVERSATIONS}) n returning id, user_id, peer_id
    )
    insert into waiting_questions (dialog_id, message_id, user_id, asked_at, words)
    select id, 1, user_id, timestamptz '2026-01-01' + peer_id::int * interval '12 hours', 'Asks.' from dialogs
  `);
  await db.raw('analyze');
}
