import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { post } from '../support/pages.ts';
import { type Agent, signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';

const DEFAULTS = { syncTime: '18:00', timezone: 'UTC', includeGroups: false, minMessages: 1 };
const JSON_TYPE = 'application/json';

describe('A request body', () => {
  let service: Service;
  let lena: Agent;
  before(async () => {
    service = await startService({ worker: false });
    lena = await signIn(service, 'lena@example.com');
  });
  after(stopServices);
  afterEach(async () => {
    expect((await lena.get('/api/settings')).body.config).to.deep.include(DEFAULTS);
  });

  const save = (body: string, type = JSON_TYPE) => lena.post('/api/settings').set('Content-Type', type).send(body);

  it('may be empty', async () => {
    await save('').expect(200);
    await save('', 'text/plain').expect(200);
    await lena.post('/api/settings').expect(200);
  });

  it('is refused with 413 above 100 kB of JSON and 10 kB of form', async () => {
    const kilobytes = (count: number) => 'x'.repeat(count * 1024);
    const json = (count: number) => JSON.stringify({ extra: kilobytes(count) });
    await save(json(99)).expect(200);
    expect((await save(json(100)).expect(413)).body.code).to.equal('TOO_LARGE');
    await lena
      .post('/api/messenger/connect')
      .send({ phone: kilobytes(200) })
      .expect(413);
    const signInWith = (count: number) => post(lena, '/api/auth/callback/dev-credentials', { email: kilobytes(count) });
    await signInWith(9).expect(400);
    expect((await signInWith(10).expect(413)).body.code).to.equal('TOO_LARGE');
    const page = await post(lena, '/settings', { timezone: kilobytes(11) }).expect(413);
    expect(page.text).to.include('Too large').and.include('This is too large to be accepted.');
  });

  it('has room for a box for each conversation where a form has these', async () => {
    const groups = Array.from({ length: 500 }, () => randomUUID());
    await lena.post(`/settings/apps/tokens/${randomUUID()}/reading`).type('form').send({ groups }).expect(404);
  });

  it('is measured after unpacking', async () => {
    const bomb = gzipSync(JSON.stringify({ extra: 'x'.repeat(5_000_000) }));
    expect(bomb.length).to.be.below(10_000);
    const answer = lena.post('/api/settings').set('Content-Type', JSON_TYPE).set('Content-Encoding', 'gzip');
    await answer
      .serialize(packed => packed)
      .send(bomb)
      .expect(413);
  });
});
