import { expect } from 'chai';
import request from 'supertest';
import { startWorkerHeartbeat } from '../../../../src/features/operator/admin/runHeartbeat.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { compact, expectNothingInline, wordsOf } from '../../../support/pages.ts';
import { connectedNora, signIn, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { crowd, world } from '../../../support/worlds.ts';

const KEY = 'the-operators-key-of-this-test';
const NO_KEYS = [
  '',
  '?key=',
  `?key=${KEY}x`,
  `?key=${KEY.slice(1)}`,
  `?key=${KEY}&key=${KEY}`,
  `?key[]=${KEY}`,
  '?key=%00',
  `?KEY=${KEY}`,
  `?key=${'x'.repeat(5000)}`,
];
const ADDRESSES = ['/api/admin/status', '/status', '/metrics'];

describe('The operator’s addresses', () => {
  let service: Service;
  let stopWorkerHeartbeat: () => Promise<void>;

  before(async () => {
    const env = { ADMIN_API_KEY: KEY };
    service = await startService({ worlds: [world({ ...crowd(3) })], env });
    stopWorkerHeartbeat = await startWorkerHeartbeat({
      db: service.db,
      clock: service.clock,
      log: createLog({ level: 'silent', name: 'test' }),
    });
    const nora = await connectedNora(service);
    await syncNow(nora);
    await signIn(service, 'olu@example.com');
  });
  after(async () => {
    await stopWorkerHeartbeat();
    await stopServices();
  });

  const get = (path: string) => request(service.url).get(path);

  it('answer with what the specification lists and nothing else', async () => {
    const now = () => service.clock.now().getTime();
    const before = now();
    const { body, headers } = await get(`/api/admin/status?key=${KEY}`).expect(200);
    expect(body).to.have.all.keys('users', 'syncs_24h', 'uptime', 'timestamp');
    expect(body.users).to.deep.equal({ total: 2, paying: 0 });
    expect(body.syncs_24h).to.deep.equal({ PENDING: 0, SUMMARIZING: 0, SYNCING: 0, COMPLETE: 3, FAILED: 0, SKIPPED: 0 });
    expect(body.uptime).to.be.a('number').and.satisfy(Number.isInteger);
    expect(new Date(body.timestamp).toISOString()).to.equal(body.timestamp);
    expect(Date.parse(body.timestamp)).to.be.within(before - 1000, now() + 1000);
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers['x-api-version']).to.equal('1');
  });

  it('count what happened in the last 24 hours only', async () => {
    await service
      .db('digests')
      .limit(1)
      .update({ created_at: new Date(Date.now() - 25 * 3_600_000) });
    const { body } = await get(`/api/admin/status?key=${KEY}`).expect(200);
    expect(body.syncs_24h.COMPLETE).to.equal(
      (await service.db('digests').where('created_at', '>', service.db.raw("now() - interval '24 hours'"))).length,
    );
  });

  it('count live subscriptions at any price as paying', async () => {
    const { id } = await service.db('users').first();
    const live = ['sub_1', 'sub_2'].map(of => ({ subscription_id: of, user_id: id, plan: 'STARTER', status: 'active' }));
    await service.db('subscriptions').insert(live);
    const { body } = await get(`/api/admin/status?key=${KEY}`).expect(200);
    expect(body.users.paying).to.equal(1);
    await service.db('subscriptions').update({ status: 'canceled' });
    expect((await get(`/api/admin/status?key=${KEY}`)).body.users.paying).to.equal(0);
  });

  it('reject wrong keys with a message', async () => {
    for (const path of ADDRESSES) {
      for (const query of NO_KEYS) {
        const { status, text, headers } = await get(`${path}${query}`);
        expect(status, path + query.slice(0, 60)).to.equal(401);
        expect(text).to.include('The key is missing or wrong.').and.not.include(KEY);
        expect(headers['referrer-policy']).to.equal('no-referrer');
      }
    }
    const { body } = await get('/api/admin/status').expect(401);
    expect(body).to.have.all.keys('error', 'code', 'requestId');
  });

  it('accept the key as a bearer token, too', async () => {
    for (const path of ADDRESSES) {
      await get(path).set('Authorization', `Bearer ${KEY}`).expect(200);
      await get(path).set('Authorization', `Bearer ${KEY}x`).expect(401);
      await get(path).set('Authorization', `Basic ${KEY}`).expect(401);
    }
  });

  it('show on a page how the service is doing, without a name, a word of a message or the key', async () => {
    const { text, headers } = await get(`/status?key=${KEY}`).expect(200);
    expect(wordsOf(text)).to.match(/^Working Updated at/);
    expect(wordsOf(text)).to.include('users 2 0 paying').and.include('1 running').and.include('Someone signed up.');
    expect(compact(text))
      .to.include('<noscript><meta http-equiv="refresh" content="30"></noscript>')
      .and.include('hx-get="" hx-trigger="every 30s"');
    expect(text).not.to.include(KEY);
    expect(text).not.to.match(/nora|olu|@example/i);
    const names = await service.db('dialogs').pluck('peer_name');
    for (const name of names) expect(text).not.to.include(name);
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers['referrer-policy']).to.equal('no-referrer');
    expectNothingInline(text);
  });

  it('measure requests by their pattern, never by their address, and the queue and the digests', async () => {
    await get('/healthz').expect(200);
    await get('/conversations/secret-id-of-somebody');
    const { text, headers } = await get(`/metrics?key=${KEY}`).expect(200);
    expect(headers['content-type']).to.match(/^text\/plain; version=0\.0\.4/);
    expect(text).to.match(/http_request_duration_seconds_count\{method="GET",route="\/healthz",status_code="200"\} \d/);
    expect(text).to.match(
      /http_request_duration_seconds_bucket\{le="0.1",method="GET",route="\/api\/admin\/status",status_code="200"\} \d/,
    );
    expect(text)
      .to.match(/forenoon_digests_24h\{status="COMPLETE"\} \d/)
      .and.match(/forenoon_queue_waiting_jobs \d/);
    expect(text).to.include('process_cpu_seconds_total').and.include('nodejs_eventloop_lag_seconds');
    expect(text).not.to.include(KEY).and.not.include('secret-id');
    for (const line of text.split('\n')) expect(line).to.match(/^$|^# (HELP|TYPE) |^[a-z_\d]+(\{[^}]*\})? [-+.\deNaInf]+$/);
  });
});

describe('Without an operator’s key configured', () => {
  after(stopServices);

  it('the endpoints do not exist, whatever key is sent', async () => {
    const service = await startService({ worker: false });
    for (const path of ADDRESSES) {
      await request(service.url).get(path).expect(404);
      await request(service.url).get(`${path}?key=`).expect(404);
      await request(service.url).get(`${path}?key=undefined`).expect(404);
    }
  });
});
