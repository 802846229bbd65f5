import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { NOTE_ROWS } from '../../../src/features/outbox/notes/repo.ts';
import { NOTES } from '../../../src/features/outbox/notes/rules.ts';
import * as outbox from '../../../src/features/outbox/repo.ts';
import { TASK_ROWS } from '../../../src/features/outbox/tasks/repo.ts';
import { TASKS } from '../../../src/features/outbox/tasks/rules.ts';
import type { Db } from '../../../src/lib/db.ts';
import { signIn } from '../../support/people.ts';
import { startService, stopServices } from '../../support/service.ts';
import { PORTAL, type Rows, storeRows } from './rows.ts';

const COUNT = 250;
const LIMIT = 100;

for (const kind of [NOTES, TASKS]) {
  describe(`The outbox of ${kind.name}`, () => {
    let db: Db;
    let rows: Rows;

    before(async () => {
      const service = await startService({ worker: false });
      ({ db } = service);
      await signIn(service, 'nora@example.com');
      rows = await storeRows(db, kind, { email: 'nora@example.com', count: COUNT });
    });
    beforeEach(async () => {
      await db(kind.table).delete();
      await db(kind.table).insert(Array.from({ length: COUNT }, (_, n) => rows.rowOf(n)));
    });
    after(stopServices);

    const take = async () => {
      const claim = { userId: rows.userId, claim: randomUUID() };
      const which: { rows: outbox.ClaimedRows<{ id: string }> } = { rows: kind === NOTES ? NOTE_ROWS : TASK_ROWS };
      const taken = await outbox.claimRecords(db, kind, { ...claim, portalId: PORTAL, limit: LIMIT }, which);
      return { claim, ids: taken.map(({ id }) => id) };
    };
    const nextTry = () => outbox.findNextTry(db, kind, { userId: rows.userId, portalId: PORTAL });

    it('lets only one of several processes have each record', async () => {
      const taken = await Promise.all([take(), take(), take()]);
      const ids = taken.flatMap(one => one.ids);
      expect(new Set(ids).size).to.equal(ids.length).and.to.equal(COUNT);
      expect((await take()).ids).to.deep.equal([]);
    });

    it('gives the records of a process that died to another one once its claim is over, and not before', async () => {
      const dead = await take();
      await outbox.extendClaim(db, kind, dead.claim);
      const others = [...(await take()).ids, ...(await take()).ids];
      expect(others)
        .to.have.length(COUNT - LIMIT)
        .and.not.to.include.members(dead.ids.slice(0, 1));
      expect(await nextTry()).to.be.within(20, 30);
      await db(kind.table).where({ claim: dead.claim.claim }).update({ claimed_until: db.fn.now() });
      expect(await nextTry()).to.equal(0);
      expect((await take()).ids).to.have.members(dead.ids);
      // What it says when it comes to life again is too late.
      await outbox.releaseClaim(db, kind, dead.claim, { failure: 'CRM_TIMEOUT', pauseSeconds: 0 });
      expect(await db(kind.table).where({ failure: 'CRM_TIMEOUT' })).to.deep.equal([]);
    });

    it('leaves what is released alone for a while, and gives up what is refused for the third time', async () => {
      const paused = await take();
      await outbox.releaseClaim(db, kind, paused.claim, { failure: 'CRM_UNAVAILABLE', pauseSeconds: 5 });
      const refused = await take();
      expect(refused.ids).not.to.include.members(paused.ids.slice(0, 1));
      const refusal = { ids: refused.ids, failure: 'CRM_REFUSED', tries: 3, pauseSeconds: 0, mayBeThere: false };
      const states = async () => db(kind.table).whereIn('id', refused.ids).distinct('state', 'tries', 'failure');
      for (const tries of [1, 2, 3]) {
        await db(kind.table).whereIn('id', refused.ids).update({ claim: refused.claim.claim });
        await outbox.refuseRecords(db, kind, refused.claim, refusal);
        const state = tries < 3 ? 'waiting' : 'failed';
        expect(await states()).to.deep.equal([{ state, tries, failure: 'CRM_REFUSED' }]);
      }
      expect(await db(kind.table).whereNotNull('failed_at').pluck('id')).to.have.members(refused.ids);
    });
  });
}
