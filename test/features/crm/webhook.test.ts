import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import request from 'supertest';
import { type Service, startService, stopServices } from '../../support/service.ts';

const EVENT = {
  ...{ type: 'OUTGOING_CHANNEL_MESSAGE_CREATED', portalId: '4711', channelId: '9', eventId: '77-1' },
  message: { id: 'm1', text: 'Good morning', direction: 'OUTGOING' },
};
const PATH = '/api/webhooks/crm';

describe('The webhook of the CRM', () => {
  let service: Service;

  before(async () => {
    service = await startService({ worker: false, crm: true });
  });
  after(stopServices);

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

  it('accepts an event, a list, numbers for ids, types it does not know, and an event it has seen', async () => {
    const list = [EVENT, { subscriptionType: 'contact.creation', portalId: 4711, eventId: 12 }, { nothing: true }];
    for (const body of [EVENT, list, [], EVENT]) {
      await send(JSON.stringify(body)).expect(200, { received: true });
    }
  });

  it('rejects a wrong or missing signature', async () => {
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
  });

  for (const body of ['', '{', '"text"', '5', 'null', '[1]', '[[]]', '\u0000']) {
    it(`rejects invalid events: ${JSON.stringify(body)}`, async () => {
      const { body: answer } = await send(body).expect(400);
      expect(answer).to.include({ code: 'MALFORMED_JSON' });
    });
  }

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

  it('accepts what it is sent', async () => {
    for (const body of [EVENT, [EVENT, EVENT]]) {
      await request(service.url).post(PATH).send(body).expect(200, { received: true });
    }
    await request(service.url).post(PATH).type('json').send('[1]').expect(400);
  });
});
