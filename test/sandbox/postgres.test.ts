import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

  it('listens on loopback only', async () => {
    expect(await ask(server.url('postgres'), 'show listen_addresses')).to.equal('127.0.0.1');
    expect(await ask(server.url('postgres'), 'show unix_socket_directories')).to.equal('');
  });

  it('compares and lowers text of every script the same on every machine', async () => {
    expect(await ask(server.url('kept'), "select lower('ÄÖÜ ЖЯ ΩΣ')")).to.equal('äöü жя ωσ');
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

  it('ignores a pid file whose number belongs to another process', async () => {
    await server.stop();
    writeFileSync(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n0\n1\n`);
    server = await start();
    expect(await ask(server.url('kept'), 'select value from note')).to.equal(1);
  });

  it('does not use the server of the checkout it was copied from', async () => {
    const copy = join(folder, 'copy');
    cpSync(dataDir, copy, { recursive: true });
    cpSync(`${dataDir}.password`, `${copy}.password`);
    chmodSync(copy, 0o700);
    const other = await start(copy);
    try {
      expect(other.port).not.to.equal(server.port);
    } finally {
      await other.stop();
    }
    expect(existsSync(join(dataDir, 'postmaster.pid'))).to.equal(true);
  });

  it('says in words when the folder was made by another version', async () => {
    const old = join(folder, 'old');
    cpSync(dataDir, old, { recursive: true });
    writeFileSync(join(old, 'PG_VERSION'), '17\n');
    const error = await start(old).catch((error: unknown) => error);
    expect(error)
      .to.have.property('message')
      .that.matches(/made by PostgreSQL 17/);
  });

  it('reports a missing password', async () => {
    const bare = join(folder, 'bare');
    cpSync(dataDir, bare, { recursive: true });
    const error = await start(bare).catch((error: unknown) => error);
    expect(error)
      .to.have.property('message')
      .that.matches(/bare\.password is missing/);
  });

  it('writes no failed statement into its log', async () => {
    await ask(server.url('kept'), "select 'private words'::int").catch(() => undefined);
    const written = readFileSync(join(dataDir, 'server.log'), 'utf8');
    expect(written).not.to.include('select');
  });
});
