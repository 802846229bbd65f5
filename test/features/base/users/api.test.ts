import { expect } from 'chai';
import request from 'supertest';
import { insertSignInToken } from '../../../../src/features/base/users/repo.ts';
import { hashToken, randomToken } from '../../../../src/lib/crypto.ts';
import { PRODUCTION } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';

const DEV_SIGN_IN = '/api/auth/callback/dev-credentials';
const NAME = 'authjs.session-token';

const sessionCookie = (headers: Record<string, unknown>) =>
  String(headers['set-cookie'])
    .split(/,(?=[^ ])/)
    .find(cookie => cookie.includes(NAME)) ?? '';

describe('Signing in on a development server', () => {
  let service: Service;
  before(async () => {
    service = await startService({ worker: false, env: { TRUST_PROXY: 'loopback' } });
  });
  after(stopServices);

  const send = (form: object) => request(service.url).post(DEV_SIGN_IN).type('form').send(form);
  const landing = async (callbackUrl: string | undefined): Promise<string> => {
    const { headers } = await send({ email: 'lena@example.com', callbackUrl }).expect(302);
    return headers.location ?? '';
  };

  it('accepts a form, creates the user and redirects with the cookie', async () => {
    const { headers } = await send({ email: 'first@example.com', callbackUrl: '/settings' }).expect(302);
    expect(headers.location).to.equal('/settings');
    const [row, ...others] = await service.db('users').where({ email: 'first@example.com' });
    expect([row.name, others.length]).to.deep.equal([null, 0]);
    const [pair = ''] = sessionCookie(headers).split(';');
    const { body } = await request(service.url).get('/api/auth/session').set('Cookie', pair).expect(200);
    expect(body.user.id).to.equal(row.id);
  });

  it('keeps the token from scripts and other sites, and for this host alone', async () => {
    const { headers } = await send({ email: 'lena@example.com', callbackUrl: '/today' });
    const cookie = sessionCookie(headers);
    expect(cookie).to.match(new RegExp(`^${NAME}=[\\w-]+\\.[\\w-]+\\.[\\w-]+; `));
    expect(cookie).to.include('; Path=/; ').and.include('; HttpOnly; SameSite=Lax');
    expect(cookie).not.to.match(/Domain|Secure/);
    const days = (Date.parse(cookie.match(/Expires=([^;]+)/)?.[1] ?? '') - Date.now()) / 86_400_000;
    expect(days).to.be.closeTo(30, 0.01);
  });

  it('never redirects to another site, however the address is disguised', async () => {
    const { host } = new URL(service.url);
    const foreign = [
      'https://evil.example',
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\/evil.example',
      '/\t/evil.example',
      ' //evil.example',
      '/.//evil.example',
      '/%2e//evil.example',
      'https:evil.example',
      'JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      `http://${host}@evil.example`,
      `http://evil.example#@${host}`,
      `http://evil.example\\@${host}`,
      `http://${host}.evil.example`,
      'http://127.0.0.1:1/',
      'http://%zz',
    ];
    for (const asked of foreign) {
      const location = await landing(asked);
      const target = new URL(location, service.url);
      expect(location, JSON.stringify(asked)).to.match(/^\/(?![/\\])/);
      expect(target.origin, JSON.stringify(asked)).to.equal(service.url);
    }
  });

  it('creates one user from ten concurrent sign-ins in two processes', async () => {
    const addresses = [service.url, await service.anotherWeb()];
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const url = addresses[index % 2] ?? service.url;
        return request(url)
          .post(DEV_SIGN_IN)
          .type('form')
          .send({ email: index % 3 ? 'Many@example.com' : 'many@example.com' });
      }),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(10).fill(302));
    const users = await service.db('users').where({ email: 'many@example.com' });
    expect(users).to.have.length(1);
    expect(await service.db('user_sessions').where({ user_id: users[0].id })).to.have.length(10);
  });
});

describe('Signing in where APP_URL is https', () => {
  let service: Service;
  before(async () => {
    service = await startService({
      worker: false,
      env: { ...PRODUCTION, APP_URL: 'https://forenoon.example', TRUST_PROXY: '0' },
    });
  });
  after(stopServices);

  async function signInByLink(email: string) {
    const [token, now] = [randomToken(), service.clock.now()];
    const expiresAt = new Date(now.getTime() + 60_000);
    const link = { tokenHash: hashToken(token), email, callbackUrl: '/today', createdAt: now, expiresAt };
    await insertSignInToken(service.db, link);
    return request(service.url).post('/api/auth/callback/email').type('form').send({ token });
  }

  it('marks the cookie as this host’s own, also by name, so that no sibling host’s counts, even behind an undeclared proxy', async () => {
    const email = 'lena@example.com';
    const { headers } = await signInByLink(email);
    const cookie = sessionCookie(headers);
    expect(cookie)
      .to.match(new RegExp(`^__Host-${NAME}=`))
      .and.match(/; Path=\/; .*HttpOnly; Secure; SameSite=Lax/)
      .and.not.match(/Domain/i);

    const [pair = ''] = cookie.split(';');
    const ask = (shown: string) => request(service.url).get('/api/auth/session').set('Cookie', shown);
    expect((await ask(pair)).body.user.email).to.equal(email);
    for (const prefix of ['', '__Secure-']) {
      // What a sibling host can set, for its whole domain.
      const foreign = pair.replace('__Host-', prefix);
      expect((await ask(foreign)).body).to.deep.equal({});
      expect((await ask(`${foreign}x; ${pair}`)).body.user.email).to.equal(email);
    }

    const out = await request(service.url).post('/api/auth/signout').set('Cookie', pair).expect(302);
    expect(sessionCookie(out.headers)).to.match(new RegExp(`^__Host-${NAME}=;.*; Secure`));
  });
});

describe('Signing in in production', () => {
  let service: Service;
  before(async () => {
    service = await startService({ worker: false, env: PRODUCTION });
  });
  after(stopServices);

  it('has no development sign-in, neither its endpoint nor its form', async () => {
    const form = { email: 'lena@example.com', callbackUrl: '/today' };
    const { body, headers } = await request(service.url).post(DEV_SIGN_IN).type('form').send(form).expect(404);
    expect(body.code).to.equal('NOT_FOUND');
    expect(headers['set-cookie']).to.equal(undefined);
    expect(await service.db('users')).to.deep.equal([]);
    expect((await request(service.url).get('/signin').expect(200)).text).not.to.include('dev-credentials');
  });
});
