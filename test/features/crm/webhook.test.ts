import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import request from 'supertest';
import { type Service, startService, stopServices } from '../../support/service.ts';

const EVENT = {
  type: 'OUTGOING_CHANNEL_MESSAGE_CREATED',
  portalId: '4711',
  channelId: '9',
  eventId: '77-1',
  message: { id: 'm1', text: 'A word that must not be kept', direction: 'OUTGOING' },
};
const PATH = '/api/webhooks/crm';

describe('The webhook of the CRM', () => {
  let service: Service;

  before(async () => {
    service = await startService({ worker: false, crm: true });
  });
  beforeEach(async () => {
    await service.db('crm_webhook_events').delete();
    await service.db('crm_webhook_counts').delete();
  });
  after(stopServices);

  const logged = () => service.db('crm_webhook_events').orderBy('id');
  const counted = () => service.db('crm_webhook_counts').orderBy('hour').select('refused', 'unverified');

  /** Over all hours: one may begin in the middle of a test. */
  const totals = async () => {
    const sum = (of: 'refused' | 'unverified', rows: Record<string, string>[]) =>
      rows.reduce((total, row) => total + Number(row[of]), 0);
    const rows = await counted();
    return { refused: sum('refused', rows), unverified: sum('unverified', rows) };
  };

  type Forged = { secret?: string; url?: string; method?: string; at?: number; signed?: string };

  function sign(body: string, forged: Forged = {}): Record<string, string> {
    const { secret = 'test-secret', url = `http://127.0.0.1:3000${PATH}`, method = 'POST' } = forged;
    const timestamp = String(forged.at ?? service.clock.now().getTime());
    const signed = `${method}${url}${forged.signed ?? body}${timestamp}`;
    return {
      'X-HubSpot-Signature-v3': createHmac('sha256', secret).update(signed).digest('base64'),
      'X-HubSpot-Request-Timestamp': timestamp,
    };
  }

  function send(body: string, headers: Record<string, string> = sign(body)) {
    return request(service.url).post(PATH).set('Content-Type', 'application/json').set(headers).send(body);
  }

  it('accepts an event and stores its type and ids, nothing of the message', async () => {
    const { body } = await send(JSON.stringify(EVENT)).expect(200);
    expect(body).to.deep.equal({ received: true });
    const [row, ...others] = await logged();
    expect(others).to.deep.equal([]);
    expect(row).to.include({ event_type: EVENT.type, portal_id: '4711', event_id: '77-1' });
    expect(await counted()).to.deep.equal([]);
    expect(JSON.stringify(row)).not.to.include('must not be kept');
  });

  it('accepts a list, numbers for ids, types it does not know, and an event it has seen', async () => {
    const list = [EVENT, { subscriptionType: 'contact.creation', portalId: 4711, eventId: 12 }, { nothing: true }];
    await send(JSON.stringify(list)).expect(200);
    await send(JSON.stringify([])).expect(200);
    await send(JSON.stringify(EVENT)).expect(200);
    expect((await logged()).map(row => [row.event_type, row.portal_id, row.event_id])).to.deep.equal([
      [EVENT.type, '4711', '77-1'],
      ['contact.creation', '4711', '12'],
      ['unknown', '', ''],
      [EVENT.type, '4711', '77-1'],
    ]);
  });

  it('rejects a wrong or missing signature, and counts it', async () => {
    const body = JSON.stringify(EVENT);
    const now = service.clock.now().getTime();
    const good = sign(body);
    const wrong: Record<string, string>[] = [
      sign(body, { secret: 'another' }),
      sign(body, { url: `${service.url}${PATH}` }),
      sign(body, { method: 'GET' }),
      sign(body, { signed: `${body} ` }),
      sign(body, { at: now - 5 * 60_000 - 2000 }),
      sign(body, { at: now + 5 * 60_000 + 2000 }),
      { ...good, 'X-HubSpot-Request-Timestamp': String(now - 1) },
      { ...good, 'X-HubSpot-Request-Timestamp': 'soon' },
      { ...good, 'X-HubSpot-Signature-v3': 'AAAA' },
      { ...good, 'X-HubSpot-Signature-v3': 'é'.repeat(40) },
    ];
    for (const headers of wrong) {
      const { body: answer } = await send(body, headers).expect(400);
      expect(answer).to.include({ code: 'SIGNATURE_INVALID' });
    }
    await send(body, {}).expect(400);
    await send(body, { 'X-HubSpot-Signature-v3': good['X-HubSpot-Signature-v3'] ?? '' }).expect(400);
    expect(await logged()).to.deep.equal([]);
    expect(await totals()).to.deep.equal({ refused: wrong.length + 2, unverified: 0 });
  });

  it('counts what it rejects in one row an hour, across processes and in parallel, and stores nothing else', async () => {
    const urls = [service.url, await service.anotherWeb()];
    const flood = JSON.stringify(Array.from({ length: 100 }, () => EVENT));
    const sizes = () => service.db('crm_webhook_events').count<{ count: string }[]>();
    const sent = Array.from({ length: 40 }, (_, at) =>
      request(urls[at % 2] ?? '')
        .post(PATH)
        .type('json')
        .send(flood),
    );
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).to.deep.equal(new Set([400]));
    expect((await counted()).length).to.be.within(1, 2);
    expect(await totals()).to.deep.equal({ refused: 40, unverified: 0 });
    expect(await sizes()).to.deep.equal([{ count: '0' }]);

    const hours = (await counted()).length;
    service.clock.advance(2 * 3_600_000);
    await send(flood, {}).expect(400);
    expect(await counted()).to.have.length(hours + 1);
    expect((await counted()).at(-1)).to.deep.equal({ refused: '1', unverified: '0' });
  });

  for (const body of ['', '{', '"text"', '5', 'null', '[1]', '[[]]', '\u0000']) {
    it(`rejects invalid events: ${JSON.stringify(body)}`, async () => {
      const { body: answer } = await send(body).expect(400);
      expect(answer).to.include({ code: 'MALFORMED_JSON' });
      expect(await logged()).to.deep.equal([]);
    });
  }

  it('accepts a body of at most a megabyte, and the first hundred events of it', async () => {
    const event = { ...EVENT, message: { text: 'x'.repeat(6000) } };
    const list = JSON.stringify(Array.from({ length: 150 }, () => event));
    await send(list).expect(200);
    expect((await logged()).length).to.equal(100);
    await send(JSON.stringify({ ...EVENT, message: 'x'.repeat(1_100_000) })).expect(413);
  });

  it('needs no session and no origin, and answers nothing else at its address', async () => {
    const body = JSON.stringify(EVENT);
    const foreign = { ...sign(body), Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' };
    const { headers } = await send(body, foreign).expect(200).expect('X-API-Version', '1');
    expect(headers['set-cookie']).to.equal(undefined);
    await request(service.url).get(PATH).expect(404);
  });
});

describe('The webhook of a service without a CRM', () => {
  let service: Service;

  before(async () => {
    service = await startService({ worker: false });
  });
  after(stopServices);

  it('accepts what it is sent, counts it by the hour and stores nothing of it', async () => {
    const list = Array.from({ length: 100 }, () => EVENT);
    for (const body of [EVENT, list, list]) {
      await request(service.url).post(PATH).send(body).expect(200, { received: true });
    }
    await request(service.url).post(PATH).type('json').send('[1]').expect(400);
    expect(await service.db('crm_webhook_events')).to.deep.equal([]);
    const rows = await service.db('crm_webhook_counts').select('refused', 'unverified');
    expect(rows.length).to.be.within(1, 2);
    expect(rows.reduce((sum, row) => sum + Number(row.unverified), 0)).to.equal(3);
    expect(rows.every(row => row.refused === '0')).to.equal(true);
  });
});
