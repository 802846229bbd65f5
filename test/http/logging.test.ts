import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import request from 'supertest';
import { paymentVariables } from '../features/billing/events.ts';
import { freePort } from '../support/freePort.ts';
import { type Agent, connectMessenger, secretsOf, signIn, syncNow } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { until } from '../support/until.ts';
import { dialog, message, owner, person, world } from '../support/worlds.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PHONE = owner.phone ?? '';
const EMAIL = 'very.private@example.com';
const [DEBUG, INFO] = [20, 30];
const SAID = 'Grandmother hid the sapphire behind the piano';

/** The real web and worker as processes of their own, at the level that writes most. */
describe('The logs of web and worker at trace level', () => {
  let service: Service;
  let nora: Agent;
  const children: ChildProcess[] = [];
  const logs = { web: '', worker: '' };
  const used = { code: '', cookie: '', authToken: '' };

  before(async () => {
    const friend = person(5001, { firstName: 'Wilhelmina', lastName: 'Quist', phone: '+34600999888', isContact: true });
    const said = [message(1, { from: 5001, text: `${SAID}. Can you call me on Friday?` })];
    const nina = world({ users: [friend], dialogs: [dialog('user:5001', said)], password: 'tulip-and-rose' });
    const env = { LOG_LEVEL: 'trace', ...paymentVariables('http://127.0.0.1:9') };
    service = await startService({ worlds: [nina], worker: false, crm: true, env });
    const port = await freePort();
    start('web', { PORT: String(port) });
    start('worker', {});
    const url = `http://127.0.0.1:${port}`;
    await until(() => /web listens/.test(logs.web));
    nora = await signIn({ url }, EMAIL);
    await useEverything(url);
  });
  after(async () => {
    for (const child of children) {
      if (child.exitCode === null) child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }
    await stopServices();
  });

  function start(name: 'web' | 'worker', env: Record<string, string>) {
    const options = { cwd: ROOT, env: { ...process.env, ...service.env, ...env }, stdio: 'pipe' } as const;
    const child = spawn(process.execPath, [`src/${name}.ts`], options);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        logs[name] += chunk;
      });
    }
    children.push(child);
  }

  /** What goes well and what does not, with something private in every place a request has. */
  async function useEverything(url: string) {
    const form = { email: EMAIL, callbackUrl: '/today?private=callback' };
    const { headers } = await nora.post('/api/auth/callback/dev-credentials').type('form').send(form).expect(302);
    used.cookie = /session-token=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? '';
    await connectMessenger(service, nora, PHONE);
    const { body } = await nora.post('/api/messenger/connect').send({ phone: PHONE }).expect(200);
    used.authToken = body.authToken;
    used.code = secretsOf(service, PHONE).code;
    await nora.post('/api/messenger/verify').send({ authToken: used.authToken, code: '99999' }).expect(400);
    await nora.post('/api/messenger/connect').send({ phone: 'my-private-phone' }).expect(400);
    expect((await syncNow(nora)).result.digestsCreated).to.equal(1);
    expect((await nora.get('/today?view=private-query').expect(200)).text).to.include('Wilhelmina');
    await nora.get('/api/sync/status').query({ jobId: 'private-job' }).set('Authorization', 'Bearer private-bearer');
    await nora.post('/api/settings').type('json').send('{"private-json').expect(400);
    await request(url).get('/api/settings').set('Cookie', 'authjs.session-token=private-cookie').expect(401);
    await nora.get('/signin').query({ callbackUrl: '/private-callback' }).set('Referer', `${url}/private-referer`);
    await service.db.raw('alter table sync_configs rename to sync_configs_away');
    await nora.post('/api/settings').send({ timezone: 'Pacific/Pitcairn' }).expect(500);
    await service.db.raw('alter table sync_configs_away rename to sync_configs');
    await service.db.raw("alter table users add constraint not_this_one check (email <> 'private.broken@example.com')");
    await nora
      .post('/api/auth/callback/dev-credentials')
      .type('form')
      .send({ email: 'private.broken@example.com' })
      .expect(500);
    const stranger = request(url);
    await stranger.get('/wp-login.php').expect(404);
    await stranger.post('/api/sync/trigger').send({}).expect(401);
    await stranger.post('/api/auth/signout').set('Sec-Fetch-Site', 'cross-site').expect(403);
    await nora.get('/no-such-page').expect(404);
    for (let n = 0; n < 3; n++) {
      await stranger.post('/api/webhooks/payments').send({}).expect(400);
      await stranger.post('/api/webhooks/crm').send({ eventId: n }).expect(400);
    }
    const [event, at] = [JSON.stringify({ type: 'A', portalId: 4711, eventId: '77-1', text: SAID }), String(Date.now())];
    const signed = `POST${service.env.APP_URL}/api/webhooks/crm${event}${at}`;
    await stranger
      .post('/api/webhooks/crm')
      .set('Content-Type', 'application/json')
      .set('X-HubSpot-Signature-v3', createHmac('sha256', 'test-secret').update(signed).digest('base64'))
      .set('X-HubSpot-Request-Timestamp', at)
      .send(event)
      .expect(200);
    // Lines can come after the answer: what a request came to, and what a webhook was about.
    await until(() => logs.web.split('"res":{"status":500}').length > 2 && logs.web.includes('"CRM webhook received"'));
  }

  const linesOf = (log: string) =>
    log
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));

  it('are there, a JSON object on every line', () => {
    for (const lines of Object.values(logs).map(linesOf)) {
      expect(lines.length).to.be.above(1);
      for (const line of lines) expect(line).to.include.keys('level', 'time', 'msg');
    }
  });

  it('tell of each request its number, method, path and status, and of a failure what it was', () => {
    const lines = linesOf(logs.web);
    const page = lines.find(({ req }) => req?.path === '/today');
    expect(page.req).to.have.all.keys('id', 'method', 'path');
    expect(page.res).to.deep.equal({ status: 200 });
    const failures = lines.filter(({ msg }) => msg === 'request failed');
    expect(failures.map(({ err }) => err.message)).to.deep.equal(['database error 42P01', 'database error 23514']);
    expect(failures[1].err).to.include({ table: 'users', constraint: 'not_this_one' });
    for (const { err, requestId } of failures) {
      expect(lines.find(({ req, res }) => req?.id === requestId && res?.status === 500)).to.not.equal(undefined);
      expect(err.stack[0]).to.match(/^at /);
    }
  });

  it('hold at info and above nothing that a stranger can repeat at will', () => {
    const lines = linesOf(logs.web);
    const levelsOf = (path: string) => new Set(lines.filter(({ req }) => req?.path === path).map(line => line.level));
    for (const path of ['/wp-login.php', '/no-such-page', '/api/sync/trigger', '/api/auth/signout']) {
      expect([...levelsOf(path)], path).to.deep.equal([DEBUG]);
    }
    expect([...levelsOf('/api/messenger/verify')], 'refused to someone signed in').to.include(INFO);
    const loud = lines.filter(({ level, req }) => level >= INFO && !req).map(({ msg }) => msg);
    expect(loud.filter(msg => msg.startsWith('payment event refused'))).to.have.lengthOf(1);
    expect(loud.filter(msg => msg.startsWith('CRM webhook refused'))).to.have.lengthOf(1);
  });

  it('tell of an event of the CRM its type and ids', () => {
    const received = linesOf(logs.web).find(({ msg }) => msg === 'CRM webhook received');
    expect(received.events).to.deep.equal([{ type: 'A', portalId: '4711', eventId: '77-1' }]);
  });

  const HIDDEN: [what: string, pattern: () => RegExp | string][] = [
    ['cookie', () => used.cookie],
    ['cookie sent', () => 'private-cookie'],
    ['query', () => /private-query|private-job|private-callback|private=callback|\?/],
    ['header', () => /private-bearer|private-referer|user-agent/i],
    ['phone number', () => /600111222|600999888|my-private-phone/],
    ['code', () => new RegExp(`(?<![\\d.])(${used.code}|99999)(?!\\d)`)],
    ['password', () => /tulip-and-rose/],
    ['token', () => used.authToken],
    ['email', () => /@example|very\.private|private\.broken/],
    ['message text', () => /sapphire|piano|Grandmother/i],
    ['name of a person', () => /Wilhelmina|Quist/],
    ['body', () => /private-json|Pitcairn/],
    ['SQL', () => /insert into|select "|update "/i],
    ['session secret', () => service.env.SESSION_SECRET ?? ''],
    ['encryption key', () => service.env.ENCRYPTION_KEY ?? ''],
  ];
  for (const [what, pattern] of HIDDEN) {
    it(`hold no ${what}`, () => {
      const wanted = pattern();
      expect(String(wanted)).to.have.length.above(3);
      for (const log of Object.values(logs)) {
        if (typeof wanted === 'string') expect(log).not.to.include(wanted);
        else expect(log).not.to.match(wanted);
      }
    });
  }
});
