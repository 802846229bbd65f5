import { loadConfig } from './config.ts';
import { resealTokens } from './features/crm/getFreshAccessToken.ts';
import { resealCredentials } from './features/messenger/service.ts';
import { createCipher } from './lib/crypto.ts';
import { createDatabase } from './lib/db.ts';
import { createLog } from './lib/log.ts';
import { runTask } from './lib/process.ts';

/*
 * Run this after putting a new key in front in ENCRYPTION_KEY: it reseals everything with it, so that the old one can
 * go. Safe to run while the service runs, and to run again.
 */

await runTask('rotate-keys', async () => {
  const config = loadConfig();
  const log = createLog({ level: config.logLevel, name: 'rotate-keys' });
  const db = createDatabase(config.databaseUrl, { pool: 1, patience: 'long' });
  const cipher = createCipher(config.encryptionKeys);
  const resealed = (await resealCredentials({ db, cipher })) + (await resealTokens({ db, cipher }));
  await db.destroy();
  log.info({ resealed }, 'credentials are sealed with the newest key');
});
