import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { z } from 'zod';
import {
  allGone,
  type BareFolder,
  type BareMachine,
  bareFolder,
  childrenOf,
  isAlive,
  kill,
  postmasterPid,
  READY,
} from '../support/bareMachine.ts';
import { until } from '../support/until.ts';

const arrivalSchema = z.object({ messages: z.number() });
const DAY_MS = 86_400_000;

describe('npm start, again and in other ways,', () => {
  let bare: BareFolder;
  let dataDir: string;
  let machine: BareMachine;
  let digests: number;

  const start = (...how: Parameters<BareFolder['start']>) => bare.start(...how);

  function processIds(): number[] {
    return childrenOf(machine.child.pid ?? 0).map(child => child.pid);
  }

  before(async () => {
    bare = await bareFolder();
    ({ dataDir } = bare);
  });
  after(() => bare.remove());

  it('says so when it is already running', async () => {
    machine = start();
    const [, count] = await machine.says(READY);
    digests = Number(count);
    const second = start();
    expect(await second.ends()).to.equal(1);
    expect(second.output()).to.include(`already running here (process ${machine.child.pid})`);
  });

  it('restarts a dead child process', async () => {
    const worker = childrenOf(machine.child.pid ?? 0).find(child => child.command.endsWith('src/worker.ts'));
    kill(worker?.pid);
    await machine.says(/^worker ended \(SIGKILL\): starting it again in 0\.5 s$/m);
    const end = Date.now() + 10_000;
    while (processIds().length < 2 && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 100));
    expect(processIds()).to.have.length(2).and.not.include(worker?.pid);
  });

  it('starts a second time with what is there', async () => {
    machine.child.kill('SIGINT');
    expect(await machine.ends()).to.equal(0);
    machine = start();
    const [, count] = await machine.says(READY);
    expect(Number(count)).to.equal(digests);
    expect(machine.output()).not.to.include('Connecting');
  });

  it('leaves no child process when killed, and resumes at the next start', async () => {
    const children = processIds();
    const postmaster = postmasterPid(dataDir);
    machine.child.kill('SIGKILL');
    expect(await allGone(children, 5_000)).to.equal(true);
    expect(isAlive(postmaster ?? 0)).to.equal(true);

    machine = start();
    const [, count] = await machine.says(READY);
    expect(Number(count)).to.equal(digests);
    expect(postmasterPid(dataDir)).to.equal(postmaster);
    machine.child.kill('SIGTERM');
    expect(await machine.ends()).to.equal(0);
    expect(isAlive(postmaster ?? 0)).to.equal(false);
  });

  it('lets a day pass for its service and its database, runs what is due then, and stays on that day', async () => {
    machine = start();
    const [, , , , pageUrl] = await machine.says(READY);
    const arrival = await fetch(`${pageUrl}/new-day`, { method: 'POST' });
    expect(arrivalSchema.parse(await arrival.json()).messages).to.be.greaterThan(20);
    const hours = `extract(epoch from now() - '${new Date().toISOString()}') / 3600 as hours`;
    const daily = `(select count(*)::int from sync_jobs where id like '%:daily:%' and created_at > now() - interval '1 hour')`;
    await until(async () => (await asked(`select ${daily} as daily`)).daily === 1);
    const shown = await fetch(pageUrl ?? '').then(answer => answer.text());
    expect(shown).to.include(storyDay(new Date(Date.now() + DAY_MS)));

    machine.child.kill('SIGTERM');
    await machine.ends();
    machine = start();
    const [, count] = await machine.says(READY);
    expect(Number((await asked(`select ${hours}`)).hours)).to.be.closeTo(24, 0.1);
    expect(Number(count)).to.be.greaterThan(digests);
    machine.child.kill('SIGTERM');
    expect(await machine.ends()).to.equal(0);
  });

  async function asked(sql: string): Promise<Record<string, unknown>> {
    const port = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
    const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim();
    const client = new pg.Client(`postgres://forenoon:${password}@127.0.0.1:${port}/forenoon`);
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows[0];
  }
});

function storyDay(date: Date): string {
  const form = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'Europe/Berlin' } as const;
  return date.toLocaleDateString('en-GB', form);
}
