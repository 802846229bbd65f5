import { loadConfig } from './config.ts';
import { createDatabase } from './lib/db.ts';
import { createLog } from './lib/log.ts';
import { migrateToLatest, withReleaseLock } from './lib/migrations.ts';
import { runTask } from './lib/process.ts';
import { installQueue } from './lib/queue.ts';

await runTask('migrate', async () => {
  const config = loadConfig();
  const log = createLog({ level: config.logLevel, name: 'migrate' });
  const migrations = await withReleaseLock(config.databaseUrl, async () => {
    const db = createDatabase(config.databaseUrl, { pool: 1, patience: 'long' });
    const names = await migrateToLatest(db);
    await db.destroy();
    await installQueue(config.databaseUrl, log);
    return names;
  });
  log.info({ migrations }, 'the database is up to date');
});
