import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createAiSlots } from '../../../../src/features/base/aiSlots/service.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { dropOpenDatabases, type TestDatabase, testDatabase } from '../../../support/database.ts';

const NEVER = new AbortController().signal;

describe('Slots at the AI service', () => {
  let database: TestDatabase;
  const log = createLog({ level: 'silent', name: 'test' });

  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.db('leases').delete());
  after(dropOpenDatabases);

  /** Each is what one process has. */
  const slots = (most: number, more: { leaseSeconds?: number } = {}) =>
    createAiSlots({ db: database.db, log, maxSlots: most, ...more });
  const heldUntil = async () => (await database.db('leases').first('held_until'))?.held_until.getTime();

  it('are never more than allowed, over processes, and everyone gets one', async () => {
    let [now, most, done] = [0, 0, 0];
    const work = async () => {
      now += 1;
      most = Math.max(most, now);
      await sleep(20);
      now -= 1;
      done += 1;
    };
    const processes = [slots(2), slots(2), slots(2)];
    await Promise.all(processes.flatMap(inSlot => Array.from({ length: 6 }, () => inSlot(work, NEVER))));
    expect({ most, done }).to.deep.equal({ most: 2, done: 18 });
    expect(await database.db('leases')).to.deep.equal([]);
  });

  it('are freed when the work fails, whose error reaches the caller', async () => {
    const inSlot = slots(1);
    const failed = await inSlot(() => Promise.reject(new Error('no')), NEVER).catch(error => error.message);
    expect(failed).to.equal('no');
    expect(await slots(1)(async () => 'next', NEVER)).to.equal('next');
  });

  it('are given up by callers that stop waiting, even behind others', async () => {
    const [inSlot, held] = [slots(1), Promise.withResolvers<void>()];
    const holding = inSlot(() => held.promise, NEVER);
    const first = inSlot(async () => 'first', NEVER);
    const stop = new AbortController();
    const second = inSlot(async () => 'second', stop.signal).catch(error => error.name);
    const third = inSlot(async () => 'third', NEVER);
    stop.abort();
    expect(await second).to.equal('AbortError');
    held.resolve();
    await holding;
    expect(await Promise.all([first, third])).to.deep.equal(['first', 'third']);
  });

  it('expire when they could not be freed, even while the process still uses others', async () => {
    const inSlot = slots(2, { leaseSeconds: 0.3 });
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const freed = inSlot(() => first.promise, NEVER);
    const holding = inSlot(() => second.promise, NEVER);
    while ((await database.db('leases')).length < 2) await sleep(5);
    await database.db.raw(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger refusing before delete on leases execute function refuse();
    `);
    first.resolve();
    await freed;
    await database.db.raw('drop function refuse cascade');
    expect(await database.db('leases')).to.have.length(2);
    expect(await inSlot(async () => 'next', AbortSignal.timeout(30_000))).to.equal('next');
    second.resolve();
    await holding;
  });

  it('are kept as long as the work lasts', async () => {
    const held = Promise.withResolvers<void>();
    const holding = slots(1, { leaseSeconds: 1 })(() => held.promise, NEVER);
    while (!(await heldUntil())) await sleep(5);
    const before = await heldUntil();
    while ((await heldUntil()) === before) await sleep(5);
    held.resolve();
    await holding;
    expect(await database.db('leases')).to.deep.equal([]);
  });

  it('are free again when the process that held one was killed', async () => {
    const script = fileURLToPath(new URL('./holdSlot.ts', import.meta.url));
    const holder = spawn(process.execPath, [script, database.url, '2'], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    const [taken] = await database.db('leases');
    const next = slots(1)(async () => database.db('leases').first(), NEVER);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const row = await next;
    expect(row.name).to.equal(taken.name);
    expect(row.holder).to.not.equal(taken.holder);
  });
});
