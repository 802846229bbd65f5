import { expect } from 'chai';
import request from 'supertest';
import type { Db } from '../../src/lib/db.ts';
import { testDatabase } from '../support/database.ts';
import { type DatabaseLine, lineTo } from '../support/databaseLine.ts';
import { wordsOf } from '../support/pages.ts';
import { signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';

describe('The health checks', () => {
  let service: Service;
  let line: DatabaseLine;
  let db: Db;

  before(async () => {
    const database = await testDatabase();
    db = database.db;
    line = await lineTo(database.url);
    service = await startService({ worker: false, env: { DATABASE_URL: line.url } });
  });
  afterEach(() => line.restore());
  after(async () => {
    await stopServices();
    line.close();
  });

  const ask = (path: string) => request(service.url).get(path);

  it('say that the process answers and that its database does', async () => {
    expect((await ask('/healthz').expect(200)).body).to.deep.equal({ ok: true });
    expect((await ask('/readyz').expect(200)).body).to.deep.equal({ ok: true });
  });

  it('tell a database that is gone from a process that is gone, and when it is back', async () => {
    const lena = await signIn(service, 'lena@example.com');
    line.cut();
    expect((await ask('/readyz').expect(503)).body).to.deep.equal({ ok: false });
    await ask('/healthz').expect(200);
    const { body, text } = await lena.get('/api/settings').expect(503).expect('Retry-After', '10');
    expect(body).to.have.all.keys('error', 'code', 'requestId').and.include({ code: 'DATABASE_UNAVAILABLE' });
    expect(text).not.to.match(/127\.0\.0\.1|ECONN|connect/);
    expect(wordsOf((await lena.get('/settings').expect(503)).text)).to.include('Our database isn’t answering right now.');

    await line.restore();
    await ask('/readyz').expect(200);
    await lena.get('/api/settings').expect(200);
    await lena.get('/settings').expect(200);
  });

  it('see a schema that is older than the code', async () => {
    const newest = db('knex_migrations').orderBy('id', 'desc').first('id');
    const [gone] = await db('knex_migrations')
      .where({ id: (await newest).id })
      .delete()
      .returning('*');
    expect((await ask('/readyz').expect(503)).body).to.deep.equal({ ok: false });
    await db('knex_migrations').insert([gone, { name: 'of_a_newer_release.ts', batch: 99, migration_time: new Date() }]);
    await ask('/readyz').expect(200);
  });
});

describe('A database that stops answering @thorough', () => {
  let service: Service;
  let line: DatabaseLine;

  before(async () => {
    line = await lineTo((await testDatabase()).url);
    service = await startService({ worker: false, env: { DATABASE_URL: line.url } });
  });
  after(async () => {
    await stopServices();
    line.close();
  });

  it('lets pages and the API answer within seconds, and work again at once when it is back', async () => {
    const lena = await signIn(service, 'lena@example.com');
    line.freeze();
    const begun = Date.now();
    const paths = ['/today', '/contacts', '/settings', '/api/digests', '/api/settings'];
    await Promise.all(paths.map(path => lena.get(path).expect(503)));
    // Over connections that are new.
    await Promise.all(paths.map(path => lena.get(path).expect(503)));
    expect(Date.now() - begun).to.be.below(16_000);
    await line.restore();
    for (const path of paths) await lena.get(path).expect(200);
  });
});
