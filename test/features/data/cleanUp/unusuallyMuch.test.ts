import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { cleanUp, confirmCleanUp } from '../../../../src/features/data/cleanUp/cleanUp.ts';
import { CLEAN_UP_QUEUE } from '../../../../src/features/data/cleanUp/schema.ts';
import { signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

const DAY_MS = 86_400_000;

describe('A clean-up that would delete more than a tenth of all digests or promises', () => {
  let service: Service;

  before(async () => {
    service = await startService();
    await signIn(service, 'nora@example.com');
    await service.db.raw(`
      insert into messenger_accounts (user_id, messenger_user_id, status, connected_at)
        select id, '1', 'inactive', now() from users;
      insert into dialogs (user_id, account_id, peer_id, peer_type, peer_kind, peer_key, peer_name)
        select user_id, id, n, 'user', 'user', 'user:' || n, 'Anna' from messenger_accounts, generate_series(1, 10) n`);
  });
  after(stopServices);

  /** Spread over the last 350 days, each with a promise. */
  const fill = async (digests: number) => {
    await service.db.raw('truncate digests, promises, alerts cascade');
    const day = `current_date - (n * 3500 / ${digests})`;
    await service.db.raw(
      `insert into digests (user_id, dialog_id, digest_date, status, summary, after_message_id, last_message_id)
         select user_id, id, ${day}, 'COMPLETE', 'Said.', 0, 1 from dialogs, generate_series(1, ${digests / 10}) n;
       insert into promises (user_id, dialog_id, item_id, words, direction, first_said_on, last_said_on, changed_at)
         select user_id, id, 'item ' || n, 'Send it.', 'mine', ${day}, ${day}, ${day}
         from dialogs, generate_series(1, ${digests / 10}) n`,
    );
  };
  const ahead = (days: number) => ({ now: () => new Date(Date.now() + days * DAY_MS) });
  const run = (days: number, payload = {}) =>
    cleanUp({ ...service.worker(), clock: ahead(days) }, AbortSignal.timeout(20_000), payload);
  const count = async (table: string) => Number((await service.db(table).count())[0]?.count);
  const left = async () => [await count('digests'), await count('promises'), await count('user_sessions')];
  const confirm = (days: number, typed?: string) =>
    confirmCleanUp({ db: service.db, queue: service.worker().queue, clock: ahead(days) }, typed);
  const alert = () => service.db('alerts').where({ kind: 'CLEAN_UP_HELD' }).first();

  for (const days of [365, 3 * 365])
    it(`deletes nothing at all where the clock is ${days} days ahead, and alerts`, async () => {
      await fill(2000);
      await run(days);
      expect(await left()).to.deep.equal([2000, 2000, 1]);
      await until(async () => (await alert()) !== undefined);
      const { level, about } = await alert();
      expect({ level, ...about }).to.deep.include({ level: 'error', ofDigests: 2000, ofPromises: 2000 });
    });

  it('goes on as far as a tenth, and with fewer rows than a thousand', async () => {
    await fill(2000);
    await run(45);
    const [digests = 0, promises = 0] = await left();
    expect([digests, promises].every(rows => rows >= 1800 && rows < 2000)).to.equal(true);
    await fill(900);
    await run(400);
    expect((await left()).slice(0, 2)).to.deep.equal([0, 0]);
    expect(await alert()).to.equal(undefined);
  });

  it('goes on at once when the operator confirms that much, on that day only', async () => {
    await fill(2000);
    await run(400);
    expect(await confirm(400)).to.match(/would delete 2,000 digests and 2,000 promises.*\n.*-- 4000$/);
    expect(await confirm(400, '3999')).to.match(/-- 4000$/);
    expect(await confirm(30)).to.match(/^No clean-up waits on /);
    expect(await count('digests')).to.equal(2000);
    expect(await confirm(400, '4000')).to.match(/^Confirmed: 4,000 rows may be deleted on /);
    const [{ data: payload }, ...more] = await service.db('pgboss.job').where({ name: CLEAN_UP_QUEUE.name });
    expect(more).to.deep.equal([]);
    await run(401, payload);
    expect(await count('digests'), 'the next day').to.equal(2000);
    await run(400, { confirmed: { ...payload.confirmed, digests: 1999 } });
    expect(await count('digests'), 'more than was confirmed').to.equal(2000);
    await run(400, payload);
    expect((await left()).slice(0, 2)).to.deep.equal([0, 0]);
  });

  it('is confirmed by a command', async () => {
    await fill(2000);
    await service.db('digests').update({ digest_date: service.db.raw('digest_date - 400') });
    await run(0);
    const say = async (...args: string[]) => {
      const child = spawn(process.execPath, ['src/confirmCleanUp.ts', ...args], { env: { ...process.env, ...service.env } });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', chunk => {
          output += chunk;
        });
      }
      const [code] = await once(child, 'close');
      return { code, output };
    };
    const asked = await say();
    expect(asked.output).to.match(/2,000 digests and 0 promises/);
    expect(asked.code).to.equal(0);
    expect((await say('2000')).output).to.match(/^Confirmed/);
    await until(async () => (await count('digests')) === 0);
    expect(await count('promises')).to.equal(2000);
  });
});
