import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import request from 'supertest';
import { nameSignInLease } from '../../../../src/features/messenger/login/service.ts';
import { createCipher, hashToken } from '../../../../src/lib/crypto.ts';
import { type Agent, connectMessenger, secretsOf, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { owner, person, world } from '../../../support/worlds.ts';

const PHONE = owner.phone ?? '';
const LOCKED = person(2000, { firstName: 'Olu', lastName: 'Adeyemi', phone: '+34600111333', username: 'olu' });
const LOCKED_PHONE = LOCKED.phone ?? '';
/** What the sandbox sends to a number that has no account, and so to no one. */
const CODE_FOR_NOBODY = '22222';
const KEY = randomBytes(32).toString('base64');

describe('Connecting a messenger account', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    const worlds = [world(), world({ key: 'locked', owner: LOCKED, password: 'tulip' })];
    service = await startService({ worlds, worker: false, env: { RATE_LIMIT_CONNECT: '100', ENCRYPTION_KEY: KEY } });
    nora = await signIn(service, 'nora@example.com');
  });
  after(stopServices);

  const start = async (agent: Agent, phone: string): Promise<string> => {
    const { body } = await agent.post('/api/messenger/connect').send({ phone }).expect(200);
    expect(Object.keys(body)).to.deep.equal(['authToken']);
    return body.authToken;
  };
  const verify = (agent: Agent, authToken: string, code: string) =>
    agent.post('/api/messenger/verify').send({ authToken, code });

  it('works when each step lands on another process', async () => {
    const [second, third] = [await service.anotherWeb(), await service.anotherWeb()];
    const cookie = await cookieOf(service.url, 'traveller@example.com');
    const step = (url: string, path: string, body: object) => request(url).post(path).set('Cookie', cookie).send(body);

    const { body: started } = await step(service.url, '/api/messenger/connect', { phone: LOCKED_PHONE }).expect(200);
    const { code, password } = secretsOf(service, LOCKED_PHONE);
    const { authToken } = started;
    const { body: verified } = await step(second, '/api/messenger/verify', { authToken, code }).expect(200);
    expect(verified).to.deep.equal({ needs2FA: true });
    const { body: done } = await step(third, '/api/messenger/verify-2fa', { authToken, password }).expect(200);
    expect(done.success).to.equal(true);
    expect(done.accountId).to.be.a('string').that.is.not.empty;
    expect(done.messengerUser).to.deep.equal({ firstName: 'Olu', lastName: 'Adeyemi', username: 'olu' });
    expect(Object.keys(done)).to.have.members(['success', 'accountId', 'messengerUser']);
  });

  it('answers a wrong code in words and keeps the step open', async () => {
    const authToken = await start(nora, PHONE);
    const { body } = await verify(nora, authToken, wrong(secretsOf(service, PHONE).code)).expect(400);
    expect(body.code).to.equal('CODE_INVALID');
    expect(body.fields.code).to.match(/isn’t right/);
    await verify(nora, authToken, secretsOf(service, PHONE).code).expect(200);
  });

  it('is told to try again where another request keeps working on the same step', async () => {
    const authToken = await start(nora, PHONE);
    const held = { name: nameSignInLease(hashToken(authToken)), holder: randomBytes(16).toString('hex') };
    await service.db('leases').insert({ ...held, held_until: 'infinity' });
    const passing = setInterval(() => service.clock.advance(1000), 20);
    const answer = verify(nora, authToken, secretsOf(service, PHONE).code).then(({ status }) => status);
    expect(await answer.finally(() => clearInterval(passing))).to.equal(504);
    await service.db('leases').where(held).delete();
  });

  it('stops after five wrong tries, also for the right code', async () => {
    const authToken = await start(nora, PHONE);
    const { code } = secretsOf(service, PHONE);
    for (let tries = 0; tries < 5; tries++) await verify(nora, authToken, wrong(code)).expect(400);
    const answer = await verify(nora, authToken, code).expect(429);
    expect(Number(answer.headers['retry-after'])).to.be.within(1, 600);
  });

  it('rejects both an invented token and someone else’s', async () => {
    const authToken = await start(nora, PHONE);
    const other = await signIn(service, 'other@example.com');
    const { code } = secretsOf(service, PHONE);
    for (const [agent, token] of [
      [nora, 'invented'],
      [other, authToken],
    ] as const) {
      const { body } = await verify(agent, token, code).expect(400);
      expect(body.code).to.equal('AUTH_TOKEN_INVALID');
    }
  });

  it('answers a double submit twice with the same account', async () => {
    const authToken = await start(nora, PHONE);
    const { code } = secretsOf(service, PHONE);
    const [first, second] = await Promise.all([verify(nora, authToken, code), verify(nora, authToken, code)]);
    expect([first?.status, second?.status]).to.deep.equal([200, 200]);
    expect(first?.body).to.deep.equal(second?.body);
    const { body: later } = await verify(nora, authToken, code).expect(200);
    expect(later).to.deep.equal(first?.body);
  });

  it('says so when the number has no account, is not one, or is not possible', async () => {
    const authToken = await start(nora, '+34600999888');
    const { body } = await verify(nora, authToken, CODE_FOR_NOBODY).expect(400);
    expect(body.code).to.equal('PHONE_UNKNOWN');
    for (const phone of ['600111222', 'call me', '+', '+12', '+123456789012345678', '']) {
      const { body: refused } = await nora.post('/api/messenger/connect').send({ phone }).expect(400);
      expect(refused.fields.phone).to.match(/country code|missing/);
    }
  });

  it('answers 502 when the messenger fails, and changes nothing', async () => {
    const before = await service.db('messenger_logins').count();
    service.sandbox.faults.next({ on: 'auth.SendCode', times: 9, status: 500, message: 'INTERNAL' });
    await nora.post('/api/messenger/connect').send({ phone: PHONE }).expect(502);
    service.sandbox.faults.clear();
    expect(await service.db('messenger_logins').count()).to.deep.equal(before);
  });

  it('keeps the credentials so that only this account can open them', async () => {
    const accountId = await connectMessenger(service, nora, PHONE);
    const { credentials } = await service.db('messenger_accounts').where({ id: accountId }).first();
    const cipher = createCipher([Buffer.from(KEY, 'base64')]);
    expect(credentials).to.match(/^v1\.[0-9a-f]{8}\./);
    expect(cipher.decrypt(credentials, `messenger account ${accountId}`)).to.have.length.above(100);
    expect(() => cipher.decrypt(credentials, 'messenger account another')).to.throw();
  });

  it('keeps no phone number, code or session readable between the steps', async () => {
    await start(nora, PHONE);
    const rows = JSON.stringify([await service.db('messenger_logins'), await service.db('rate_limits')]);
    expect(rows).not.to.include(PHONE.slice(1));
    expect(rows).not.to.include(secretsOf(service, PHONE).code);
  });
});

function wrong(code: string): string {
  return code === '11111' ? '22222' : '11111';
}

async function cookieOf(url: string, email: string): Promise<string> {
  const answer = await request(url).post('/api/auth/callback/dev-credentials').type('form').send({ email });
  return String(answer.headers['set-cookie']).split(';')[0] ?? '';
}
