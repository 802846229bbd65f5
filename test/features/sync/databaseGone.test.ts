import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { type DatabaseLine, lineTo } from '../../support/databaseLine.ts';
import { connectCrm, connectedNora, finished } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { makeRetriesDue, withoutPauses } from '../../support/skipPauses.ts';
import { crowd, world } from '../../support/worlds.ts';

const CONVERSATIONS = 40;

describe('A sync with repeated database outages', () => {
  let service: Service;
  let database: TestDatabase;
  let line: DatabaseLine;
  const unhandled: unknown[] = [];
  const note = (err: unknown) => void unhandled.push(err);

  before(async () => {
    database = await testDatabase();
    line = await lineTo(database.url);
    const worlds = [world({ ...crowd(CONVERSATIONS) })];
    service = await startService({ worlds, crm: [], env: { DATABASE_URL: line.url } });
    process.prependListener('unhandledRejection', note);
  });
  after(async () => {
    process.off('unhandledRejection', note);
    await stopServices();
    line.close();
  });

  /** Conversations are being read, and people looked up beside it. */
  const reading = async () => {
    while ((await database.db('digests').where({ is_started: true }).limit(1)).length === 0) {
      await makeRetriesDue(database.db);
      await sleep(10);
    }
  };
  const mostCrashes = async () => Number((await database.db('digests').max('crashes as most'))[0]?.most);

  it('leaves no promise without a handler, counts no crash and reads everything once @thorough', async () => {
    const nora = await connectedNora(service);
    await connectCrm(service, nora);
    // People are still being looked up while conversations are read.
    service.crm.faults.delay(500);
    service.sandbox.faults.delay(400, 'messages.GetHistory');
    const { body } = await nora.post('/api/sync/trigger').expect(200);
    for (let cuts = 0; cuts < 3; cuts++) {
      await reading();
      line.cut();
      await sleep(700);
      await line.restore();
      await reading();
      expect(await mostCrashes()).to.equal(0);
    }
    service.crm.faults.clear();
    service.sandbox.faults.delay(0, 'messages.GetHistory');
    const status = await withoutPauses(database.db, () => finished(nora, body.jobId));
    expect(status).to.deep.equal({
      state: 'completed',
      progress: 100,
      result: { dialogsProcessed: CONVERSATIONS, digestsCreated: CONVERSATIONS, notesCreated: 0, errors: [] },
    });
    expect(unhandled).to.deep.equal([]);
    expect(await database.db('digests').where({ status: 'COMPLETE' })).to.have.length(CONVERSATIONS);
    expect(await database.db('digests')).to.have.length(CONVERSATIONS);
  });
});
