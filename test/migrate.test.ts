import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createDatabase } from '../src/lib/db.ts';
import { isUpToDate, withReleaseLock } from '../src/lib/migrations.ts';
import { administer, testServer, urlOf } from './support/server.ts';

const MIGRATE = fileURLToPath(new URL('../src/migrate.ts', import.meta.url));
const DATABASE = `forenoon_releases_${process.pid}`;

describe('A release', () => {
  let url: string;
  let adminUrl: string;

  before(async () => {
    ({ adminUrl } = await testServer());
    await administer(adminUrl, `create database ${DATABASE}`);
    url = urlOf(adminUrl, DATABASE);
  });
  after(() => administer(adminUrl, `drop database if exists ${DATABASE} with (force)`));

  const release = async () => {
    const env = { ...process.env, ...VARIABLES, DATABASE_URL: url };
    const child = spawn(process.execPath, [MIGRATE], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { code, said };
  };

  it('waits for another one, and both succeed', async () => {
    expect(await Promise.all([release(), release()])).to.deep.equal([
      { code: 0, said: '' },
      { code: 0, said: '' },
    ]);
    const db = createDatabase(url, { pool: 1 });
    expect(await isUpToDate(db)).to.equal(true);
    // As one leaves it that is killed in the middle.
    await db('knex_migrations_lock').update({ is_locked: 1 });
    await db.destroy();
    expect(await release()).to.deep.equal({ code: 0, said: '' });
  });

  it('does not wait forever @thorough', async () => {
    const first = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const holding = withReleaseLock(url, () => {
      begun.resolve();
      return first.promise;
    });
    await begun.promise;
    const second = await withReleaseLock(url, async () => 'done', 200).catch((err: Error) => err.message);
    expect(second).to.match(/another release is still at work/);
    first.resolve();
    await holding;
  });
});

const VARIABLES = {
  NODE_ENV: 'test',
  APP_URL: 'http://127.0.0.1:3000',
  SESSION_SECRET: 'x'.repeat(32),
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  MESSENGER_API_ID: '1',
  MESSENGER_API_HASH: 'test',
};
