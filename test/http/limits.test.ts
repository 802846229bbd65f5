import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import request from 'supertest';
import { signUnsubscribe } from '../../src/features/base/mailing/rules.ts';
import { tokenIn } from '../support/mail.ts';
import { expectNothingInline, htmxPost, post, wordsOf } from '../support/pages.ts';
import { PRODUCTION, signIn, signInInProduction } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';

const QUARTER = { from: 850, to: 900 };
const from = (address: string) => ({ 'X-Forwarded-For': address });
const phone = (n: number) => `+4917155500${String(n).padStart(2, '0')}`;

/** How often each status came. */
function tally(answers: { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('Codes of the messenger', () => {
  let service: Service;
  before(async () => {
    const env = { RATE_LIMIT_CONNECT_USER: '5', RATE_LIMIT_CONNECT_IP: '6', TRUST_PROXY: '1' };
    service = await startService({ worker: false, env: { ...PRODUCTION, ...env } });
  });
  after(stopServices);

  it('are sent for one user to five phones in a quarter of an hour, through whichever process and address', async () => {
    const lena = await signInInProduction(service, 'lena@example.com');
    const { db, clock, env } = service;
    const other = await signInInProduction({ url: await service.anotherWeb(), db, clock, env }, 'lena@example.com');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        (n % 2 ? other : lena)
          .post('/api/messenger/connect')
          .set(from(`203.0.113.${n}`))
          .send({ phone: phone(n) }),
      ),
    );
    expect(tally(answers)).to.deep.equal({ 200: 5, 429: 3 });
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers['retry-after'])).to.be.within(QUARTER.from, QUARTER.to);
    expect(refused?.body.code).to.equal('TOO_MANY_REQUESTS');
    const page = await post(lena, '/connect', { phone: phone(9) }).expect(429);
    expect(wordsOf(page.text)).to.match(/Too many codes. Try again in \d+ minutes?/);
  });

  it('are sent to one phone five times, whoever asks', async () => {
    const statuses: { status: number }[] = [];
    for (let n = 0; n < 6; n++) {
      const agent = await signInInProduction(service, `one${n}@example.com`);
      const ask = agent.post('/api/messenger/connect').set(from(`192.0.2.${n}`));
      statuses.push(await ask.send({ phone: phone(70) }));
    }
    expect(tally(statuses)).to.deep.equal({ 200: 5, 429: 1 });
  });

  it('are limited per address, for all users', async () => {
    const statuses: { status: number }[] = [];
    for (let n = 0; n < 8; n++) {
      const agent = await signInInProduction(service, `many${n}@example.com`);
      // The last hop is what the proxy saw; what stands before it anybody may have written.
      const ask = agent.post('/api/messenger/connect').set(from(`198.51.100.${n}, 203.0.113.200`));
      statuses.push(await ask.send({ phone: phone(20 + n) }));
    }
    expect(tally(statuses)).to.deep.equal({ 200: 6, 429: 2 });
    const neighbour = await signInInProduction(service, 'neighbour@example.com');
    const ask = neighbour.post('/api/messenger/connect').set(from('203.0.113.201'));
    await ask.send({ phone: phone(50) }).expect(200);
    const keys = JSON.stringify(await service.db('rate_limits').select('key'));
    expect(keys)
      .to.include('connect-network:')
      .and.not.match(/203\.0|198\.51|\+49/);
  });
});

describe('Sign-in mails', () => {
  const ASK = '/api/auth/signin/email';

  const asking = (url: string, email: string, headers: Record<string, string> = {}) =>
    request(url).post(ASK).type('form').set(headers).send({ email });
  after(stopServices);

  it('go five times to one inbox, whatever follows the plus', async () => {
    const service = await startService({ worker: false, env: PRODUCTION });
    const send = (addresses: string[]) => Promise.all(addresses.map(email => asking(service.url, email)));
    const tagged = Array.from({ length: 8 }, (_, n) => `victim+${n + 1}@example.com`);
    expect(tally(await send(tagged))).to.deep.equal({ 303: 5, 429: 3 });
    await asking(service.url, 'victim@example.com').expect(429);
    // Only where the provider is known to ignore the dots.
    const dotted = ['a.b.c@gmail.com', 'abc@gmail.com', 'ab.c+x@googlemail.com', 'A.bc@gmail.com', 'abc+1@gmail.com'];
    expect(tally(await send([...dotted, 'abc+2@gmail.com']))).to.deep.equal({ 303: 5, 429: 1 });
    const others = ['a.b@example.com', 'ab@example.com', 'a.b@example.org', 'vic+tim@example.com', '+x@example.com'];
    expect(tally(await send([...others, ...others]))).to.deep.equal({ 303: 10 });
  });

  it('are sent so often from one address, as far as a proxy may be believed', async () => {
    const limit = { ...PRODUCTION, RATE_LIMIT_SIGNIN_IP: '20' };
    const service = await startService({ worker: false, env: limit });
    const open = await service.anotherWeb({ TRUST_PROXY: '1' });
    const send = (url: string, count: number, address: (n: number) => string) =>
      Promise.all(Array.from({ length: count }, (_, n) => asking(url, `n${n}@${count}.example`, from(address(n)))));
    expect(tally(await send(service.url, 22, n => `203.0.113.${n}`))).to.deep.equal({ 303: 20, 429: 2 });
    expect(tally(await send(open, 23, n => `203.0.113.${n}`))).to.deep.equal({ 303: 23 });
    expect(tally(await send(open, 24, n => `2001:db8:1:2::${n}`))).to.deep.equal({ 303: 20, 429: 4 });
  });
});

describe('Forms of pages', () => {
  let service: Service;
  before(async () => {
    service = await startService({ worker: false, env: { RATE_LIMIT_PAGES: '5' } });
  });
  after(stopServices);

  it('are taken so often a minute from one user, with words and the time to wait', async () => {
    const [lena, olu] = [await signIn(service, 'lena@example.com'), await signIn(service, 'olu@example.com')];
    const name = { name: 'Lena' };
    const answers = await Promise.all(
      Array.from({ length: 7 }, (_, n) => post(lena, n % 2 ? '/nothing' : '/settings/account/name', name)),
    );
    expect(tally(answers)[429]).to.equal(2);
    const page = await post(lena, '/settings/account/name', { name: 'Other' }).expect(429);
    expect(Number(page.headers['retry-after'])).to.be.within(1, 60);
    expect(wordsOf(page.text)).to.match(/Too many attempts Try again in \d+ seconds?\./);
    expectNothingInline(page.text);
    const fragment = await htmxPost(lena, '/sync').expect(429);
    expect(fragment.headers).to.include({ 'hx-retarget': '#problem' });
    expect(wordsOf(fragment.text)).to.include('Too many attempts Try again');
    expect((await lena.get('/api/auth/session')).body.user.name).to.equal('Lena');
    await lena.get('/settings/account').expect(200);
    await post(olu, '/settings/account/name', name).expect(303);
  });

  it('count together with questions, briefs, searches and exports, which cost as much', async () => {
    const eva = await signIn(service, 'eva@example.com');
    const brief = `/brief/${randomUUID()}`;
    const answers = await Promise.all(
      ['/ask?q=who', '/ask?q=what', '/today?q=ada', '/settings/account/export', brief, brief, '/ASK/?q=x'].map(path =>
        eva.get(path),
      ),
    );
    expect(tally(answers)[429]).to.equal(2);
    await post(eva, '/settings/account/name', { name: 'Eva' }).expect(429);
    for (const path of ['/today', '/ask']) await eva.get(path).expect(200);
  });
});

describe('The addresses of the operator', () => {
  after(stopServices);

  it('answer so often a minute, and with the right key whoever shows wrong ones behind the same address', async () => {
    const key = 'k'.repeat(32);
    const service = await startService({ worker: false, env: { ADMIN_API_KEY: key, RATE_LIMIT_OPERATOR: '4' } });
    const ask = (path: string, shown: string) => request(service.url).get(path).query({ key: shown });
    for (const path of ['/status', '/metrics', '/status', '/metrics']) await ask(path, 'wrong').expect(401);
    await ask('/metrics', 'wrong').expect(429);
    for (const path of ['/status', '/metrics', '/status', '/metrics']) await ask(path, key).expect(200);
    for (const path of ['/status', '/metrics']) {
      const { text, headers } = await ask(path, key).expect(429);
      expect(Number(headers['retry-after'])).to.be.within(1, 60);
      expect(wordsOf(text)).to.include('Too many attempts Try again');
    }
    await request(service.url).get('/healthz').expect(200);
    await ask('/api/admin/status', key).expect(200);
  });

  it('take so many unsigned webhooks a minute, and every signed one', async () => {
    const service = await startService({ worker: false, crm: true, env: { RATE_LIMIT_API: '2' } });
    const deliver = (headers = {}) =>
      request(service.url).post('/api/webhooks/crm').type('json').set(headers).send('[{"type":"A"}]');
    for (const status of [400, 400, 429, 429]) await deliver().expect(status);
    const at = String(service.clock.now().getTime());
    const signed = `POSThttp://127.0.0.1:3000/api/webhooks/crm[{"type":"A"}]${at}`;
    const signature = createHmac('sha256', 'test-secret').update(signed).digest('base64');
    for (let n = 0; n < 4; n++) {
      await deliver({ 'X-HubSpot-Signature-v3': signature, 'X-HubSpot-Request-Timestamp': at }).expect(200);
    }
  });
});

describe('A link from an email', () => {
  after(stopServices);

  it('ends the emails of whoever has a right one, whoever tries wrong ones behind the same address', async () => {
    const service = await startService({ worker: false, env: { RATE_LIMIT_PAGES: '2' } });
    const nora = await signIn(service, 'nora@example.com');
    await post(nora, '/settings/mail', { mailDigests: 'ALWAYS' }).expect(303);
    const { id: userId } = (await nora.get('/api/auth/session')).body.user;
    const link = { userId, mail: 'digest', mode: 'ALWAYS' } as const;
    const token = await signUnsubscribe(service.env.SESSION_SECRET ?? '', link, service.clock.now());
    const use = (action: string, shown: string) =>
      request(service.url).post(`/mail/${action}/${shown}`).set('Origin', service.url);
    for (const action of ['unsubscribe', 'resubscribe']) await use(action, 'none').expect(400);
    for (const action of ['unsubscribe', 'resubscribe']) {
      await use(action, 'none').expect(429);
      await use(action, token).expect(200);
    }
    await use('unsubscribe', token).expect(429);
  });

  it('signs in whoever has a right one, whoever tries wrong ones behind the same address', async () => {
    const service = await startService({ mail: true, env: { RATE_LIMIT_API: '3' } });
    await request(service.url).post('/api/auth/signin/email').type('form').send({ email: 'ana@example.com' });
    const token = tokenIn(await service.mail.waitForMail('ana@example.com'));
    const use = (shown: string) => request(service.url).post('/api/auth/callback/email').type('form').send({ token: shown });
    for (const status of [400, 400, 400, 429]) await use('x'.repeat(43)).expect(status);
    await use(token).expect(303);
    const inBrowser = (path: string) =>
      request(service.url).post(`/api/auth/${path}`).set('Accept', 'text/html').send('email=bo@example.com');
    for (const status of [303, 303]) await inBrowser('signin/email').expect(status);
    expect((await inBrowser('signin/email').expect(429)).text).to.include('value="bo@example.com"');
    expect(wordsOf((await inBrowser('signout').expect(429)).text)).to.include('Error 429 Too many attempts');
    expect((await request(service.url).post('/api/auth/signout').expect(429)).body.code).to.equal('TOO_MANY_REQUESTS');
  });
});
