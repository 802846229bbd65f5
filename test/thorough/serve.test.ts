import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { allGone, childrenOf, isAlive, kill } from '../support/bareMachine.ts';
import { freePort } from '../support/freePort.ts';
import { administer, testServer, urlOf } from '../support/server.ts';
import { until } from '../support/until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DATABASE = `forenoon_serve_${process.pid}`;

describe('npm run serve', () => {
  let folder: string;
  let adminUrl: string;
  let env: Record<string, string>;
  let children: ChildProcess[];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forenoon-serve-'));
    ({ adminUrl } = await testServer());
    await administer(adminUrl, `create database ${DATABASE}`);
    const secret = (name: string, value: string) => {
      writeFileSync(join(folder, name), `${value}\n`);
      return { [`${name}_FILE`]: join(folder, name) };
    };
    const port = String(await freePort());
    env = {
      ...{ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', PORT: port, LOG_LEVEL: 'info' },
      ...{ APP_URL: `http://127.0.0.1:${port}`, MAIL_FROM: 'hello@forenoon.example', MAIL_URL: 'smtp://127.0.0.1:9' },
      ...{ MESSENGER_API_ID: '1', MESSENGER_API_HASH: 'hash', NODE_ENV: 'production' },
      ...secret('DATABASE_URL', urlOf(adminUrl, DATABASE)),
      ...secret('SESSION_SECRET', randomBytes(32).toString('hex')),
      ...secret('ENCRYPTION_KEY', randomBytes(32).toString('base64')),
    };
  });
  beforeEach(() => {
    children = [];
  });
  afterEach(() => {
    for (const { pid } of children) if (pid && isAlive(pid)) kill(pid);
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await administer(adminUrl, `drop database if exists ${DATABASE} with (force)`);
  });

  function start(file: string, variables: Record<string, string>) {
    const child = spawn(process.execPath, [file], { cwd: ROOT, env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', chunk => {
        output += chunk;
      });
    }
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    return { pid: child.pid ?? 0, output: () => output, ended };
  }

  async function readyAt(address: string): Promise<boolean> {
    const end = Date.now() + 40_000;
    while (Date.now() < end) {
      const answer = await fetch(`${address}/readyz`).catch(() => undefined);
      if (answer?.ok) return true;
      await sleep(100);
    }
    return false;
  }

  for (const file of ['src/serve.ts', 'sandbox/start.ts']) {
    it(`migrates, serves and takes jobs on the given database, and stops gracefully, as ${file} in production`, async () => {
      const group = start(file, env);
      const isReady = await readyAt(env.APP_URL ?? '');
      expect(isReady, group.output()).to.equal(true);
      await until(() => group.output().includes('worker takes jobs'));
      expect(group.output()).to.include('the database is up to date').and.include('worker takes jobs');
      const processes = childrenOf(group.pid);
      expect(processes.map(({ command }) => /src\/(\w+)\.ts$/.exec(command)?.[1])).to.have.members(['web', 'worker']);
      process.kill(group.pid, 'SIGTERM');
      expect(await group.ended).to.equal(0);
      expect(
        await allGone(
          processes.map(({ pid }) => pid),
          0,
        ),
      ).to.equal(true);
    });

    it(`says once what is missing and starts nothing, as ${file} in production`, async () => {
      const { SESSION_SECRET_FILE: _, ...without } = env as Record<string, string>;
      const group = start(file, without as Record<string, string>);
      expect(await group.ended).to.equal(1);
      expect(group.output()).to.equal(
        "serve: Forenoon can't start with this configuration:\n  SESSION_SECRET: is required\n",
      );
    });
  }

  it('exits with code 1 when the database cannot be reached', async () => {
    const { DATABASE_URL_FILE: _, ...without } = env as Record<string, string>;
    const group = start('src/serve.ts', { ...without, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' });
    expect(await group.ended).to.equal(1);
    expect(group.output())
      .to.include('migrations failed')
      .and.not.match(/\n {4}at |nobody/);
  });
});
