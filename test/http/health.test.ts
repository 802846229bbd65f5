import { expect } from 'chai';
import request from 'supertest';
import { testDatabase } from '../support/database.ts';
import { type Line, lineTo } from '../support/databaseLine.ts';
import { signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';

describe('The health checks', () => {
  let service: Service;
  let line: Line;

  before(async () => {
    line = await lineTo((await testDatabase()).url);
    service = await startService({ worker: false, env: { DATABASE_URL: line.url } });
  });
  afterEach(() => line.mend());
  after(async () => {
    await stopServices();
    line.close();
  });

  const ask = (path: string) => request(service.url).get(path);

  it('say that the process answers and that its database does', async () => {
    expect((await ask('/healthz').expect(200)).body).to.deep.equal({ ok: true });
    expect((await ask('/readyz').expect(200)).body).to.deep.equal({ ok: true });
  });

  it('need no session and are kept by nobody', async () => {
    const { headers } = await ask('/readyz').set('Cookie', 'authjs.session-token=x').expect(200);
    expect(headers).not.to.have.property('set-cookie');
    expect(headers['cache-control']).to.equal('no-store');
  });

  it('tell a database that is gone from a process that is gone, and when it is back', async () => {
    const lena = await signIn(service, 'lena@example.com');
    line.cut();
    expect((await ask('/readyz').expect(503)).body).to.deep.equal({ ok: false });
    await ask('/healthz').expect(200);
    const { body, text } = await lena.get('/api/settings').expect(500);
    expect(body).to.have.all.keys('error', 'code', 'requestId');
    expect(text).not.to.match(/127\.0\.0\.1|ECONN|connect/);
    expect((await lena.get('/settings')).status).to.equal(500);

    await line.mend();
    await ask('/readyz').expect(200);
    await lena.get('/api/settings').expect(200);
    await lena.get('/settings').expect(200);
  });

  it('don’t wait for a database that does not answer, over old connections and new ones', async () => {
    await ask('/readyz').expect(200);
    line.freeze();
    const begun = Date.now();
    await ask('/readyz').expect(503);
    await ask('/readyz').expect(503);
    await ask('/healthz').expect(200);
    expect(Date.now() - begun).to.be.below(8000);
  });
});
