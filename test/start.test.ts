import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { z } from 'zod';
import {
  allGone,
  type BareMachine,
  childrenOf,
  freePorts,
  isAlive,
  kill,
  postmasterPid,
  startMachine,
} from './support/bareMachine.ts';
import { until } from './support/until.ts';

const READY =
  /^ready: (\d+) digests, \d+ notes\. .* open (\S+) and sign in as (\S+@\S+)\. Sign-in codes, and a button to simulate a new day: (\S+)$/m;
const codesOnPage = z.object({ accounts: z.array(z.object({ codes: z.array(z.object({ code: z.string() })) })) });
const arrivalSchema = z.object({ messages: z.number() });
const DAY_MS = 86_400_000;

describe('npm start on a bare machine', () => {
  let folder: string;
  let dataDir: string;
  let env: Record<string, string>;
  let machine: BareMachine;
  let digests: number;
  const started: number[] = [];

  function start(args: string[] = []): BareMachine {
    const fresh = startMachine(env, args);
    if (fresh.child.pid) started.push(fresh.child.pid);
    return fresh;
  }

  function processIds(): number[] {
    return childrenOf(machine.child.pid ?? 0).map(child => child.pid);
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forenoon-start-'));
    // For root, Postgres runs as someone who must be able to pass through.
    chmodSync(folder, 0o755);
    dataDir = join(folder, 'data');
    env = { ...(await freePorts()), FORENOON_DATA_DIR: dataDir };
  });

  after(() => {
    for (const pid of started.filter(isAlive)) kill(pid);
    const postmaster = postmasterPid(dataDir);
    if (postmaster && isAlive(postmaster)) process.kill(postmaster, 'SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  it('lists its options and rejects unknown ones', async () => {
    const help = start(['--help']);
    expect(await help.ends()).to.equal(0);
    expect(help.output()).to.include('--export FILE');
    const unknown = start(['--exprot', 'file']);
    expect(await unknown.ends()).to.equal(1);
    expect(unknown.output()).to.include("Unknown option '--exprot'").and.not.include('    at ');
  });

  it('exits with a sentence before anything starts when the export is malformed', async () => {
    const file = join(folder, 'result.json');
    writeFileSync(file, '{"chats": {"list": [{"id": "x"}]}}');
    machine = start(['--export', file]);
    expect(await machine.ends()).to.equal(1);
    expect(machine.output()).to.include('chats.list[0].id').and.not.include('    at ');
    expect(readdirSync(dataDir)).to.deep.equal([]);
  });

  it('stops its Postgres after an uncaught error', async () => {
    const file = join(folder, 'failing.mjs');
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    writeFileSync(
      file,
      `import { existsSync } from 'node:fs';
       const failOnce = () => {
         if (!existsSync(${JSON.stringify(pidFile)})) return;
         clearInterval(looking);
         throw new RangeError('nobody caught this');
       };
       const looking = process.argv[1]?.endsWith('start.ts') ? setInterval(failOnce, 50) : undefined;`,
    );
    env = { ...env, NODE_OPTIONS: `--import ${file}` };
    machine = start();
    const { NODE_OPTIONS: _, ...without } = env as { NODE_OPTIONS: string };
    env = without;
    expect(await machine.ends()).to.equal(1);
    expect(machine.output()).to.include('nobody caught this');
    expect(postmasterPid(dataDir)).to.equal(undefined);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  it('starts everything, does the main job for a demo user and reports that it is ready', async () => {
    machine = start();
    const [, count, appUrl, email, pageUrl] = await machine.says(READY);
    digests = Number(count);
    expect(digests).to.be.greaterThan(20);
    expect(email).to.equal('lena@forenoon.test');
    expect(appUrl).to.equal(`http://127.0.0.1:${env.PORT}`);
    expect((await fetch(`${appUrl}/signin`)).status).to.equal(200);
    const page = await fetch(`${pageUrl}/state`);
    expect(codesOnPage.parse(await page.json()).accounts).to.have.length(2);
    const crm = await fetch(`http://127.0.0.1:${env.SANDBOX_CRM_PORT}`);
    expect(await crm.text()).to.include('Farid Nazari');
    expect(machine.output()).to.include('Connecting the CRM of nordkelvin.example');
    const mails = await fetch(`http://127.0.0.1:${env.SANDBOX_MAIL_PORT}`);
    expect(await mails.text()).to.include('Mail sandbox');
    const firstPage = await fetch(`${appUrl}/signin`).then(answer => answer.text());
    expect(firstPage).to.include('Send me a sign-in link').and.include(`href="${pageUrl}/own"`);
  });

  it("runs exactly the Procfile's web and worker", () => {
    const procfile = readFileSync(new URL('../Procfile', import.meta.url), 'utf8').split('\n');
    const wanted = procfile.filter(line => /^(web|worker):/.test(line)).map(line => line.replace(/^\w+: /, ''));
    expect(childrenOf(machine.child.pid ?? 0).map(child => child.command)).to.have.members(wanted);
  });

  it('keeps what a person wrote and login codes out of the logs', () => {
    const logs = readdirSync(join(dataDir, 'logs')).map(name => readFileSync(join(dataDir, 'logs', name), 'utf8'));
    const written = [...logs, readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8')].join('\n');
    expect(written).to.include('"process":"web"').and.include('"process":"worker"');
    expect(written).not.to.match(/777000|login code|forenoon-demo/i);
  });

  it('says so when it is already running', async () => {
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

  it('leaves nothing running after Ctrl-C', async () => {
    const everything = [...processIds(), postmasterPid(dataDir) ?? 0];
    machine.child.kill('SIGINT');
    expect(await machine.ends()).to.equal(0);
    expect(await allGone(everything, 0)).to.equal(true);
    expect(postmasterPid(dataDir)).to.equal(undefined);
  });

  it('starts a second time with what is there', async () => {
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
