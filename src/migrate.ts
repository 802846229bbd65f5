import { loadConfig } from './config.ts';
import { createDatabase, migrateToLatest } from './lib/db.ts';
import { createLog } from './lib/log.ts';
import { installQueue } from './lib/queue.ts';

const config = loadConfig();
const log = createLog({ level: config.logLevel, name: 'migrate' });
const db = createDatabase(config.databaseUrl, { pool: 1 });
const migrations = await migrateToLatest(db);
await db.destroy();
await installQueue(config.databaseUrl, log);
log.info({ migrations }, 'the database is up to date');
