import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { ensureDatabase, type PostgresServer, startPostgres } from '../../sandbox/postgres.ts';
import { allGone, kill, postmasterPid } from '../support/bareMachine.ts';

describe('The PostgreSQL of the bare machine', () => {
  let folder: string;
  let dataDir: string;
  let server: PostgresServer;

  const start = (where = dataDir) => startPostgres({ dataDir: where, durable: true, log: () => {} });

  async function ask(url: string, statement: string): Promise<unknown> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query({ text: statement, rowMode: 'array' });
      return rows[0]?.[0];
    } finally {
      await client.end();
    }
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forenoon-postgres-'));
    dataDir = join(folder, 'postgres');
    server = await start();
    await ensureDatabase(server, 'kept');
    await ask(server.url('kept'), 'create table note as select 1 as value');
  });

  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('requires the password, which only its user can read', async () => {
    const url = new URL(server.url('postgres'));
    url.password = 'guessed';
    const refused = await ask(url.href, 'select 1').catch((error: unknown) => error);
    expect(refused).to.have.property('code', '28P01');
    expect(statSync(`${dataDir}.password`).mode & 0o077).to.equal(0);
  });

  it('is used again when it still runs', async () => {
    const again = await start();
    expect(again.port).to.equal(server.port);
    expect(await ask(again.url('kept'), 'select value from note')).to.equal(1);
  });

  it('recovers after it was killed itself', async () => {
    const pid = postmasterPid(folder);
    kill(pid);
    await allGone([pid ?? 0], 5_000);
    server = await start();
    expect(await ask(server.url('kept'), 'select value from note')).to.equal(1);
  });

  it('writes no failed statement into its log', async () => {
    await ask(server.url('kept'), "select 'private words'::int").catch(() => undefined);
    const written = readFileSync(join(dataDir, 'server.log'), 'utf8');
    expect(written).not.to.include('select');
  });
});
