import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import request from 'supertest';
import { wordsOf } from '../../../support/pages.ts';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { owner, world } from '../../../support/worlds.ts';

const NAME = 'authjs.session-token';
const DAY_SECONDS = 24 * 3600;

describe('A session', () => {
  let service: Service;
  before(async () => {
    service = await startService({ worker: false });
  });
  after(stopServices);

  /** Signs in and answers with the token, as another program would keep it. */
  async function newToken(email = 'lena@example.com'): Promise<string> {
    const form = { email, callbackUrl: '/today' };
    const { headers } = await request(service.url).post('/api/auth/callback/dev-credentials').type('form').send(form);
    return tokenIn(headers) ?? '';
  }
  const ask = (token: string, url = service.url) => request(url).get('/api/auth/session').set('Cookie', `${NAME}=${token}`);
  const knows = async (token: string) => (await ask(token).expect(200)).body.user !== undefined;

  it('is empty for a foreign token', async () => {
    const token = await newToken();
    const { sub = '', ...claims } = decodeJwt(token);
    const sign = (secret: string, alg = 'HS256') =>
      new SignJWT(claims).setProtectedHeader({ alg }).setSubject(sub).sign(new TextEncoder().encode(secret));
    const secret = service.env.SESSION_SECRET ?? '';
    expect(await knows(await sign(secret)), 'the same again').to.equal(true);
    expect(await knows(await sign(`${secret}x`)), 'another secret').to.equal(false);
    expect(await knows(await sign(secret.padEnd(64, 'x'), 'HS512')), 'another algorithm').to.equal(false);
    expect(await knows(new UnsecuredJWT({ ...claims, sub }).encode()), 'no signature').to.equal(false);
    const [header, payload] = token.split('.');
    expect(await knows(`${header}.${payload}.`), 'signature cut off').to.equal(false);
    expect(String((await ask(`${header}.${payload}.`)).headers['set-cookie'])).to.match(new RegExp(`${NAME}=;.*1970`));
  });

  it('is empty when a signed token names another user, session or time', async () => {
    const secret = new TextEncoder().encode(service.env.SESSION_SECRET);
    const mine = decodeJwt(await newToken());
    const { exp, ...endless } = mine;
    const theirs = decodeJwt(await newToken('olu@example.com'));
    const wrong = [
      { ...mine, sub: theirs.sub ?? '' },
      { ...mine, sid: theirs.sid },
      { ...mine, sid: randomUUID() },
      { ...mine, sid: undefined },
      { ...mine, sid: "' or true --" },
      { ...mine, sub: 'lena' },
      { ...mine, exp: Number(mine.iat) - 1 },
      endless,
      { ...mine, nbf: Number(mine.iat) + 3600 },
    ];
    for (const claims of wrong) {
      const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret);
      expect(await knows(token), JSON.stringify(claims)).to.equal(false);
    }
  });

  it('is never an error, whatever the cookie holds', async () => {
    const token = await newToken();
    const [header = '', payload = ''] = token.split('.');
    const cookies = [
      '',
      '...',
      '%00',
      '%E0%A4%A',
      '"quoted"',
      `${token}x`,
      `${header}.${payload}`,
      `${Buffer.from('{"alg":"HS256","crit":["x"],"x":1}').toString('base64url')}.${payload}.x`,
      `${Buffer.from('{"alg":"HS256","b64":false,"crit":["b64"]}').toString('base64url')}.${payload}.x`,
      `${Buffer.from('[]').toString('base64url')}.${payload}.x`,
      `${header}.${Buffer.from('null').toString('base64url')}.x`,
      'x'.repeat(7000),
      `${token}; ${NAME}=${token}x`,
    ];
    for (const cookie of cookies) {
      for (const path of ['/api/auth/session', '/signin']) {
        const { status } = await request(service.url).get(path).set('Cookie', `${NAME}=${cookie}; forenoon.sid=${cookie}`);
        expect(status, `${path} ${cookie.slice(0, 60)}`).to.be.oneOf([200, 302]);
      }
      const { status } = await request(service.url).get('/today').set('Cookie', `forenoon.sid=s%3A${cookie}`);
      expect(status, cookie.slice(0, 60)).to.equal(302);
    }
  });
});

describe('A session over time', () => {
  let service: Service;
  before(async () => {
    service = await startService({ worker: false });
  });
  after(stopServices);

  const days = (count: number) => count * DAY_SECONDS * 1000;

  it('is renewed by use, after a day and not before', async () => {
    const lena = await signIn(service, 'lena@example.com');
    service.clock.advance(days(1) - 60_000);
    const early = await lena.get('/api/auth/session');
    expect(early.headers['set-cookie']).to.equal(undefined);

    service.clock.advance(120_000);
    const later = await lena.get('/api/auth/session');
    const renewed = tokenIn(later.headers);
    expect(later.body.expires > early.body.expires).to.equal(true);
    expect(await service.db('user_sessions').where('expires_at', '>', new Date(early.body.expires))).to.have.length(1);
    expect(String(later.headers['set-cookie'])).to.match(/HttpOnly; SameSite=Lax/);
    const claims = decodeJwt(renewed ?? '');
    expect(Number(claims.exp) * 1000).to.be.closeTo(Date.parse(later.body.expires), 1000);
    expect(Object.keys(claims)).to.have.members(['sub', 'email', 'name', 'sid', 'iat', 'exp']);
    expect((await lena.get('/api/auth/session')).headers['set-cookie']).to.equal(undefined);
  });

  it('ends 30 days after it was last used', async () => {
    const nora = await signIn(service, 'nora@example.com');
    service.clock.advance(days(30) + 1000);
    // By hand: the agent would not send a cookie that is out of date.
    const token = await oldToken('nora@example.com');
    const { body } = await request(service.url).get('/api/auth/session').set('Cookie', `${NAME}=${token}`);
    expect(body).to.deep.equal({});
    expect((await nora.get('/api/digests')).status).to.equal(401);
  });

  /** A token signed by us that is in date, for a session that is not. */
  async function oldToken(email: string): Promise<string> {
    const { id } = await service.db('users').where({ email }).first();
    const session = await service.db('user_sessions').where({ user_id: id }).first();
    return new SignJWT({ email, name: null, sid: session.id })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(id)
      .setIssuedAt(service.clock.now())
      .setExpirationTime('30d')
      .sign(new TextEncoder().encode(service.env.SESSION_SECRET));
  }
});

describe('Signing out', () => {
  let service: Service;
  let second: string;
  before(async () => {
    service = await startService({ worlds: [world()], worker: false });
    second = await service.anotherWeb();
  });
  after(stopServices);

  const cookieOf = async (agent: Agent): Promise<string> => {
    const { headers } = await agent
      .post('/api/auth/callback/dev-credentials')
      .type('form')
      .send({ email: 'lena@example.com' });
    return `${NAME}=${tokenIn(headers)}`;
  };

  it('ends the session at once, even for a copy of its cookie at another process', async () => {
    const agent = request.agent(service.url);
    const stolen = await cookieOf(agent);
    const copy = (url: string) => request(url).get('/api/auth/session').set('Cookie', stolen);
    expect((await copy(second)).body.user.email).to.equal('lena@example.com');

    const { headers } = await agent.post('/api/auth/signout').expect(302);
    expect(headers.location).to.equal('/signin');
    expect(String(headers['set-cookie'])).to.match(new RegExp(`${NAME}=; Path=/; Expires=Thu, 01 Jan 1970`));
    for (const url of [service.url, second]) {
      expect((await copy(url)).body).to.deep.equal({});
      await request(url).get('/api/digests').set('Cookie', stolen).expect(401);
    }
  });

  it('removes unfinished steps from the browser session', async () => {
    const browser = await signIn(service, 'lena@example.com');
    await browser.post('/connect').type('form').send({ phone: owner.phone }).expect(303).expect('Location', '/connect/code');
    expect(wordsOf((await browser.get('/connect/code').expect(200)).text)).to.include('+34 600 11 12 22');
    await browser.post('/api/auth/signout').expect(302);
    await browser.post('/api/auth/callback/dev-credentials').type('form').send({ email: 'olu@example.com' }).expect(302);
    await browser.get('/connect/code').expect(303).expect('Location', '/connect');
  });

  it('is not needed for steps to be forgotten, once their hour is over', async () => {
    const browser = await signIn(service, 'lena@example.com');
    await browser.post('/connect').type('form').send({ phone: owner.phone }).expect(303);
    await service.db('browser_sessions').update({ expire: service.db.raw('now()') });
    await browser.get('/connect/code').expect(303).expect('Location', '/connect');
  });
});

function tokenIn(headers: Record<string, unknown>): string | undefined {
  return new RegExp(`${NAME}=([^;]+)`).exec(String(headers['set-cookie']))?.[1];
}
