import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as notes from '../../../migrations/20261126160000_outbox_notes__create.ts';
import * as tasks from '../../../migrations/20261126160100_outbox_tasks__create.ts';
import { NOTES } from '../../../src/features/outbox/notePlan/rules.ts';
import { claimDue, refuse } from '../../../src/features/outbox/repo.ts';
import { TASKS } from '../../../src/features/outbox/taskPlan/rules.ts';
import type { Db } from '../../../src/lib/db.ts';
import { signIn } from '../../support/people.ts';
import { startService, stopServices } from '../../support/service.ts';
import { PORTAL, type Rows, storeRows } from './rows.ts';

/** The names in the release before. */
const BEFORE = [
  { kind: NOTES, migration: notes, table: 'crm_notes', crmId: 'crm_note_id', failure: 'trouble', of: 'digest_id' },
  { kind: TASKS, migration: tasks, table: 'crm_tasks', crmId: 'crm_task_id', failure: 'failure', of: 'promise_id' },
] as const;
const STATES = ['waiting', 'written', 'outdated', 'unwanted', 'failed'];

for (const { kind, migration, table, crmId, failure, of } of BEFORE) {
  describe(`The upgrade to one outbox, for ${kind.name}`, () => {
    let db: Db;
    let rows: Rows;

    before(async () => {
      const service = await startService({ worker: false });
      ({ db } = service);
      await signIn(service, 'nora@example.com');
      rows = await storeRows(db, kind, { email: 'nora@example.com', count: STATES.length + 2 });
    });
    after(stopServices);

    const claimed = `with due as (
        select n.id from ${table} n left join users on users.id = n.user_id
        where n.user_id = :userId and n.state = 'waiting' and (n.claimed_until is null or n.claimed_until <= now())
        order by n.created_at, n.id limit 1 for update of n skip locked)
      update ${table} n set claim = :claim, claimed_until = now() + 30 * interval '1 second' from due where n.id = due.id
      returning n.*`;

    it('keeps every row as it was, and can be reverted', async () => {
      await migration.down(db);
      const stored = STATES.map((state, place) => ({
        ...{ ...rows.rowOf(place), state, [crmId]: state === 'waiting' ? null : `${place}` },
        ...(state === 'failed' && { [failure]: 'CRM_REFUSED', tries: 3 }),
      }));
      await db(table).insert(stored);
      const before = await db(table).orderBy('id');
      await migration.up(db);
      const named = (row: Record<string, unknown>) => {
        const { [crmId]: crm_id, [failure]: why, ...rest } = row;
        return { failed_at: null, ...rest, crm_id, failure: why };
      };
      expect(await db(kind.table).orderBy('id')).to.deep.equal(before.map(named));
      expect(await db(table).orderBy('id')).to.deep.equal(before);
      await migration.down(db);
      expect(await db(table).orderBy('id')).to.deep.equal(before);
      await migration.up(db);
    });

    it('lets processes of the release before go on, on the same rows', async () => {
      const { userId } = rows;
      const place = STATES.length;
      const [{ id }] = await db(table).insert(rows.rowOf(place)).returning('id');
      await db.raw(
        `insert into ${table} (user_id, portal_id, ${of}, crm_contact_id, state ${kind === NOTES ? ', dialog_id' : ''})
        select user_id, portal_id, ${of}, '501', 'waiting' ${kind === NOTES ? ', dialog_id' : ''} from ${table} n where n.id = ?
        on conflict do nothing`,
        [id],
      );
      expect(await db(table).where({ [of]: rows.ofIds[place] })).to.have.length(1);
      await db(table).whereNot({ id }).delete();

      const claim = randomUUID();
      const { rows: mine } = await db.raw(claimed, { userId, claim });
      expect(mine).to.have.length(1);
      expect(mine[0]).to.include({ id, claim, [crmId]: null });
      // Claimed there, it is not ours here, and the other way round.
      const ours = { userId, portalId: PORTAL, claim: randomUUID(), limit: 100 };
      await claimDue(db, kind, ours, {});
      expect(await db(kind.table).where({ claim: ours.claim })).to.deep.equal([]);
      await db.raw(
        `update ${table} n set ${failure} = 'CRM_TIMEOUT', claim = null, claimed_until = null
        from users where users.id = n.user_id and n.user_id = :userId and n.claim = :claim`,
        { userId, claim },
      );
      expect(await db(kind.table).where({ id }).first()).to.include({ failure: 'CRM_TIMEOUT', claim: null });
      await claimDue(db, kind, ours, {});
      expect((await db.raw(claimed, { userId, claim })).rows).to.deep.equal([]);
      const refusal = { ids: [id], failure: 'CRM_REFUSED', tries: 1, pauseSeconds: 0, mayBeThere: false };
      await refuse(db, kind, ours, refusal);
      expect(await db(table).where({ id }).first()).to.include({ state: 'failed', [failure]: 'CRM_REFUSED', tries: 1 });

      await db(table)
        .where({ id })
        .update({ state: 'written', [crmId]: '77', [failure]: null });
      expect(await db(kind.table).where({ id }).first()).to.include({ state: 'written', crm_id: '77', failure: null });
      await db(table).where({ id, user_id: userId }).delete();
      expect(await db(kind.table)).to.deep.equal([]);
    });
  });
}
