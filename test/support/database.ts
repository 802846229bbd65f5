import { randomBytes } from 'node:crypto';
import { createDatabase, type Db } from '../../src/lib/db.ts';
import { administer, testServer, urlOf } from './server.ts';

export type TestDatabase = { url: string; db: Db };

const open: { adminUrl: string; name: string; db: Db }[] = [];

/**
 * A database of its own with the whole schema and nothing in it, a copy of the run's template.
 * Call it in `before`; it is dropped after the file's last test, whoever is still connected.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const { adminUrl, template } = await testServer();
  const name = `forenoon_test_${process.env.MOCHA_WORKER_ID ?? 'serial'}_${randomBytes(4).toString('hex')}`;
  await administer(adminUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = urlOf(adminUrl, name);
  // Filling it with many rows may take longer on a busy machine than a statement of the product may.
  const db = createDatabase(url, { pool: 4, patience: 'long' });
  open.push({ adminUrl, name, db });
  return { url, db };
}

export async function dropOpenDatabases(): Promise<void> {
  for (const { adminUrl, name, db } of open.splice(0)) {
    await db.destroy();
    await administer(adminUrl, `drop database if exists ${name} with (force)`);
  }
}
