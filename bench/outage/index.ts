import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { queueDailySyncs } from '../../src/features/sync/queueDailySyncs.ts';
import { SPREAD_SECONDS } from '../../src/features/sync/rules.ts';
import { prepareQueues } from '../../src/jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db.ts';
import { createLog } from '../../src/lib/log.ts';
import { createQueue } from '../../src/lib/queue.ts';
import { lineTo } from '../../test/support/databaseLine.ts';
import { print, spawnScript, withGround } from '../support/ground.ts';
import { accountOf, connectAll, startMessenger } from '../support/messenger.ts';

/*
 * The messenger is unreachable from the daily hour of all users on. Once it is back, every digest of the day must be
 * written, each once, without anybody asking for it. `--scale 60` makes everything sixty times shorter, including the
 * patience.
 *
 *   node bench/outage/index.ts --minutes 15
 *   node bench/outage/index.ts --minutes 15 --scale 60 --silent
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    scale: { type: 'string', default: '1' },
    users: { type: 'string', default: '50' },
    workers: { type: 'string', default: '1' },
    silent: { type: 'boolean', default: false },
  },
});
const SCALE = Number(values.scale);
const OUTAGE_SECONDS = (Number(values.minutes) * 60) / SCALE;
const PATIENCE_SECONDS = Math.max(1, Math.round(300 / SCALE));
const CONVERSATIONS = 5;
/** Longer than the longest pause between two syncs. */
const MOST_SECONDS_AFTER = Math.max(60, 13 * PATIENCE_SECONDS);

await withGround(async ground => {
  const worlds = Array.from({ length: Number(values.users) }, (_, n) => accountOf(n, CONVERSATIONS, 4));
  const sandbox = await startMessenger(ground, worlds, 10);
  const people = await connectAll(ground, sandbox);
  const line = await lineTo(`tcp://${sandbox.host}:${sandbox.port}`);
  const queue = createQueue({
    ...{ url: ground.url, works: false, pool: 2 },
    log: createLog({ level: 'fatal', name: 'bench' }),
  });
  await queue.start();
  await prepareQueues(queue);
  await makeDue(
    ground.db,
    people.map(({ userId }) => userId),
  );

  if (values.silent) line.mute();
  else line.cut();
  const begun = Date.now();
  const spreadSeconds = Math.ceil(SPREAD_SECONDS / SCALE);
  await queueDailySyncs({ db: ground.db, queue, clock: systemClock }, { spreadSeconds });
  const env = {
    ...ground.env,
    MESSENGER_SERVER: new URL(line.url).host,
    OUTAGE_PATIENCE: String(PATIENCE_SECONDS),
    LOG_LEVEL: 'fatal',
  };
  const workers = Array.from({ length: Number(values.workers) }, () => spawnScript(['src/worker.ts'], env));
  await sleep(OUTAGE_SECONDS * 1000);
  const { jobs: before } = await count(ground.db);
  await line.restore();
  const restoredAt = Date.now();

  const expected = people.length * CONVERSATIONS;
  while (Date.now() - restoredAt < MOST_SECONDS_AFTER * 1000 && (await count(ground.db)).complete < expected)
    await sleep(200);
  const found = await count(ground.db);
  for (const worker of workers) worker.kill('SIGKILL');
  print(
    `${people.length} users, ${OUTAGE_SECONDS} s of outage (${values.silent ? 'silent' : 'refused'}), begun ${new Date(begun).toISOString()}`,
  );
  print(`${before} syncs began during the outage, ${found.jobs} in all`);
  print(`${seconds(restoredAt)} s after it the last digest was written`);
  print(
    `${found.complete} of ${expected} digests complete, ${found.otherDay} of another day, ${found.digests - expected} too many`,
  );
  print(`${found.messages} of ${expected * 4} messages in them`);
  const isWell = found.complete === expected && found.digests === expected && found.otherDay === 0;
  if (!isWell || found.messages !== expected * 4) process.exitCode = 1;
  await queue.stop({ graceful: false });
  line.close();
  await sandbox.stop();
});

function seconds(since: number): string {
  return ((Date.now() - since) / 1000).toFixed(1);
}

/** Sets every user's daily time to this minute. */
async function makeDue(db: Db, userIds: string[]): Promise<void> {
  const config = { sync_time: '07:00', timezone: 'UTC', include_groups: false, min_messages: 1 };
  await db('sync_configs').insert(
    userIds.map(user_id => ({
      ...config,
      ...{ user_id, summary_style: 'BUSINESS', auto_create_contacts: false },
      ...{ next_sync_at: new Date(), next_sync_day: new Date().toISOString().slice(0, 10) },
    })),
  );
}

async function count(db: Db) {
  const { rows } = await db.raw(`
    select (select count(*) from sync_jobs where started_at is not null)::int as jobs,
      count(*)::int as digests,
      count(*) filter (where status = 'COMPLETE' and summary <> '')::int as complete,
      coalesce(sum(message_count) filter (where status = 'COMPLETE'), 0)::int as messages,
      count(*) filter (where digest_date <> (
        select digest_date from sync_jobs where kind = 'daily' and sync_jobs.user_id = digests.user_id))::int as "otherDay"
    from digests`);
  return rows[0] as Record<'jobs' | 'digests' | 'complete' | 'messages' | 'otherDay', number>;
}
