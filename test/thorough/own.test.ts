import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import request from 'supertest';
import { type MessengerSandbox, startMessengerSandbox } from '../../sandbox/messenger/server.ts';
import { type BareMachine, freePorts, isAlive, kill, postmasterPid, startMachine } from '../support/bareMachine.ts';
import { freePort } from '../support/freePort.ts';
import { connectMessenger, syncNow } from '../support/people.ts';
import { crowd, owner, world } from '../support/worlds.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OWNER = 'nora@example.com';
const READY = /^ready: open (http:\/\/localhost:\d+) and sign in with a link: npm run sign-in-link$/m;

describe('npm start with your own settings', () => {
  let folder: string;
  let ownDir: string;
  let messenger: MessengerSandbox;
  let env: Record<string, string>;
  let machine: BareMachine;
  const started: number[] = [];

  function start(args: string[] = [], more: Record<string, string> = {}): BareMachine {
    const fresh = startMachine({ ...env, ...more }, args);
    if (fresh.child.pid) started.push(fresh.child.pid);
    return fresh;
  }

  async function signInLink(): Promise<{ code: number; said: string; refused: string }> {
    const child = spawn(process.execPath, ['sandbox/signInLink.ts'], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, refused, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code, said, refused };
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forenoon-own-'));
    chmodSync(folder, 0o755);
    ownDir = join(folder, 'data', 'own');
    mkdirSync(ownDir, { recursive: true });
    const stateDir = join(folder, 'messenger');
    messenger = await startMessengerSandbox({ port: await freePort(), stateDir, worlds: [world(crowd(2))] });
    env = {
      ...{ PORT: (await freePorts()).PORT, FORENOON_DATA_DIR: join(folder, 'data'), OUTAGE_PATIENCE: '3' },
      MESSENGER_SERVER: `${messenger.host}:${messenger.port}`,
      MESSENGER_SERVER_KEY: Buffer.from(messenger.publicKeyPem).toString('base64'),
    };
  });

  after(async () => {
    for (const pid of started.filter(isAlive)) kill(pid);
    const postmaster = postmasterPid(ownDir);
    if (postmaster && isAlive(postmaster)) process.kill(postmaster, 'SIGQUIT');
    await messenger.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  /** A script in place of a person: opens the address that the terminal shows. */
  async function openSetup() {
    machine = start(['--setup']);
    const [, address = ''] = await machine.says(/^Set up Forenoon in your browser: (\S+)$/m);
    const { origin, pathname, search, searchParams } = new URL(address);
    expect(origin).to.equal(`http://127.0.0.1:${env.PORT}`);
    const agent = request.agent(origin);
    await agent.get(`${pathname}${search}`).expect(303);
    await request(origin).get(`${pathname}${search}`).expect(403);
    const answer = (step: string, fields: object) => agent.post(`/setup/${step}`).type('form').send(fields).expect(303);
    return { agent, answer, token: searchParams.get('token') ?? '' };
  }

  it('asks for them on a page, and saves each step', async () => {
    const { answer } = await openSetup();
    await answer('telegram', { apiId: '2814417', apiHash: 'a1b2c3d4'.repeat(4) });
    for (const step of ['writer', 'crm', 'address']) await answer(step, { action: 'later' });
    expect(statSync(join(ownDir, 'settings.env')).mode & 0o777).to.equal(0o600);
    const second = start(['--setup']);
    expect(await second.ends()).to.equal(1);
    expect(second.output()).to.include('already running here');
    machine.child.kill('SIGINT');
    expect(await machine.ends()).to.equal(0);
  });

  it('says what is missing before anything starts', async () => {
    machine = start();
    expect(await machine.ends()).to.equal(1);
    expect(machine.output())
      .to.match(/^ {2}MAIL_URL: is required/m)
      .and.include('npm start -- --setup')
      .and.not.include('    at ');
    expect(readdirSync(ownDir)).to.deep.equal(['settings.env']);
  });

  it('resumes the setup where it stopped, and completes it', async () => {
    const { agent, answer } = await openSetup();
    await answer('owner', { email: OWNER });
    await agent.post('/setup/finish').expect(200);
    expect(await machine.ends()).to.equal(0);
    expect(machine.output()).to.include(`✓ Only ${OWNER} can sign in`).and.not.include('a1b2c3d4');
  });

  it('serves in production with the embedded database, on loopback, and nothing of the sandbox', async () => {
    machine = start();
    const [, appUrl = ''] = await machine.says(READY);
    expect(appUrl).to.equal(`http://localhost:${env.PORT}`);
    await request(appUrl).post('/api/auth/callback/dev-credentials').type('form').send({ email: OWNER }).expect(404);
    const { text: page } = await request(appUrl).get('/signin').expect(200);
    expect(page)
      .to.include('npm run sign-in-link')
      .and.not.match(/sandbox|development/i);
    expect(existsSync(join(ownDir, 'postgres', 'PG_VERSION')) || existsSync(join(ownDir, 'postgres.elsewhere'))).to.equal(
      true,
    );
    expect(readdirSync(join(folder, 'data'))).to.deep.equal(['own']);
    expect(machine.output()).not.to.include('WARNING');
    for (const { address, internal, family } of Object.values(networkInterfaces()).flatMap(each => each ?? [])) {
      if (internal || family !== 'IPv4') continue;
      const outside = await fetch(`http://${address}:${env.PORT}/healthz`).catch(error => error);
      expect(outside, address).to.be.instanceOf(TypeError);
    }
  });

  it('signs the owner in with a link that is in no log, and writes the first digests', async () => {
    const { code, said, refused } = await signInLink();
    expect({ code, refused }).to.deep.equal({ code: 0, refused: '' });
    const link = new URL(said.trim());
    expect(link.origin).to.equal(`http://localhost:${env.PORT}`);
    const token = link.searchParams.get('token') ?? '';
    const agent = request.agent(link.origin);
    await agent.get(`${link.pathname}${link.search}`).expect(200);
    await agent.post('/api/auth/callback/email').type('form').send({ token }).expect(303);
    expect((await agent.get('/api/auth/session')).body.user.email).to.equal(OWNER);
    await connectMessenger({ sandbox: messenger }, agent, owner.phone ?? '');
    const { state, result } = await syncNow(agent);
    expect(state).to.equal('completed');
    expect(result.digestsCreated).to.equal(2);
    expect((await agent.get('/api/digests')).body.digests).to.have.length(2);
    const logs = readdirSync(join(ownDir, 'logs')).map(name => readFileSync(join(ownDir, 'logs', name), 'utf8'));
    expect(logs.join('')).to.include('"process":"web"').and.not.include(token);
    expect(machine.output()).not.to.include(token);
  });
});
