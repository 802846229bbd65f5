import { loadConfig } from './config.ts';
import { confirmCleanUp } from './features/data/cleanUp/cleanUp.ts';
import { createDatabaseClock } from './lib/clock.ts';
import { createDatabase } from './lib/db.ts';
import { createLog } from './lib/log.ts';
import { runTask } from './lib/process.ts';
import { createQueue } from './lib/queue.ts';

/*
 * Says how much a clean-up would delete where that is unusually much, and begins it when given the number that it said:
 * for this day, and for no more than that.
 */

await runTask('confirm-clean-up', async () => {
  const { databaseUrl, logLevel } = loadConfig();
  const log = createLog({ level: logLevel, name: 'confirm-clean-up' });
  const db = createDatabase(databaseUrl, { pool: 1, patience: 'page' });
  const queue = createQueue({ url: databaseUrl, works: false, pool: 1, log });
  try {
    await queue.start();
    const deps = { db, queue, clock: await createDatabaseClock(db) };
    process.stdout.write(`${await confirmCleanUp(deps, process.argv[2])}\n`);
  } finally {
    await queue.stop({ graceful: false });
    await db.destroy();
  }
});
process.exit();
