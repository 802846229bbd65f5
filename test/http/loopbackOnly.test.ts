import { expect } from 'chai';
import request from 'supertest';
import { PRODUCTION } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';

const DEV_SIGN_IN = '/api/auth/callback/dev-credentials';
const FORM = { email: 'lena@example.com', callbackUrl: '/today' };

describe('A service outside production', () => {
  let service: Service;
  before(async () => {
    service = await startService({ worker: false });
  });
  after(stopServices);

  const signInAs = (headers: Record<string, string>) =>
    request(service.url).post(DEV_SIGN_IN).type('form').set(headers).send(FORM);

  it('answers to every loopback name, at any port', async () => {
    const names = ['localhost', 'LocalHost', 'forenoon.localhost', '127.0.0.1', '127.8.9.1', '[::1]'];
    for (const name of names.flatMap(host => [host, `${host}:1`, `${host}:65535`])) {
      await request(service.url).get('/signin').set('Host', name).expect(200);
    }
  });

  it('rejects hosts whose name was pointed at this machine', async () => {
    const names = ['evil.example', 'evil.example:3000', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1'];
    for (const host of [...names, '0.0.0.0', 'notlocalhost', 'evil.example@localhost', '[::2]', 'localhost:x', '']) {
      const { body, headers } = await signInAs({ Host: host }).expect(403);
      expect(body.code, host).to.equal('FOREIGN_HOST');
      expect(headers['set-cookie'], host).to.equal(undefined);
      for (const path of ['/signin', '/healthz', '/today', '/status', '/assets/none.js']) {
        await request(service.url).get(path).set('Host', host).expect(403);
      }
    }
    expect(await service.db('users')).to.deep.equal([]);
  });

  it('refuses whatever a proxy passed on', async () => {
    const forwarded = ['X-Forwarded-For', 'X-Forwarded-Host', 'x-forwarded-proto', 'X-Forwarded-Anything', 'Forwarded'];
    for (const name of forwarded) {
      const { body, headers } = await signInAs({ [name]: '127.0.0.1' }).expect(403);
      expect(body.code, name).to.equal('FORWARDED');
      expect(headers['set-cookie']).to.equal(undefined);
    }
    expect(await service.db('users')).to.deep.equal([]);
  });

  it('in production is reached by any name and through proxies', async () => {
    const url = await service.anotherWeb(PRODUCTION);
    const headers = { Host: 'forenoon.example', 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': 'https' };
    await request(url).get('/signin').set(headers).expect(200);
  });
});
