import { expect } from 'chai';
import request from 'supertest';
import { createLimit } from '../../src/lib/createLimit.ts';
import { testDatabase } from '../support/database.ts';
import { type Agent, PRODUCTION, signInInProduction } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { untilLocked } from '../support/until.ts';

describe('The general limit', () => {
  let service: Service;
  let lena: Agent;
  let olu: Agent;
  before(async () => {
    service = await startService({ worker: false, env: { ...PRODUCTION, RATE_LIMIT_API: '10', TRUST_PROXY: '1' } });
    lena = await signInInProduction(service, 'lena@example.com');
    olu = await signInInProduction(service, 'olu@example.com');
  });
  after(stopServices);

  it('answers 429 with the time to wait after so many calls, whatever they are', async () => {
    const calls = Array.from({ length: 10 }, (_, i) => lena.get(i % 2 ? '/api/settings' : '/api/nothing'));
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).to.deep.equal(new Set([200, 404]));
    const { body, headers } = await lena.get('/api/settings').expect(429);
    expect(body).to.have.all.keys('error', 'code', 'requestId').and.include({ code: 'TOO_MANY_REQUESTS' });
    expect(Number(headers['retry-after'])).to.be.within(1, 60);
    expect(headers.ratelimit).to.match(/"api"; r=0; t=\d+/);
    await lena.post('/api/settings').send({ minMessages: 5 }).expect(429);
  });

  it('is counted for each user', async () => {
    await lena.get('/api/settings').expect(429);
    const { headers } = await olu.get('/api/settings').expect(200);
    expect(headers.ratelimit).to.match(/"api"; r=9; t=\d+/);
    expect((await olu.get('/api/settings')).body.config.minMessages).to.equal(1);
  });

  it('counts who is not signed in by address, a whole IPv6 network as one', async () => {
    const from = (address: string) => request(service.url).get('/api/settings').set('X-Forwarded-For', address);
    for (let call = 0; call < 10; call++) await from(`2001:db8:1:1::${call + 1}`).expect(401);
    await from('2001:db8:1:1::ffff').expect(429);
    await from('2001:db9::1').expect(401);
    await from('203.0.113.7').expect(401);
  });
});

describe('A limit kept in the database', () => {
  it('counts a try that waited while another began the window', async () => {
    const { db } = await testDatabase();
    const options = { name: 'test', tries: 5, seconds: 60 };
    await createLimit(db, options)('waiting');
    await db('rate_limits').where({ key: 'test:waiting' }).update({ expire: 0 });
    const waiting = await db.transaction(async trx => {
      await trx('rate_limits').where({ key: 'test:waiting' }).forUpdate();
      const outcome = Promise.allSettled([createLimit(db, options)('waiting')]);
      await untilLocked(db);
      for (let tries = 0; tries < 5; tries += 1) await createLimit(trx, options)('waiting');
      return { outcome };
    });
    expect((await waiting.outcome)[0]?.status).to.equal('rejected');
  });
});
