import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { expectRefusal, fingerprint, PHONE, startForNorasRequests } from './support/badInput.ts';
import { INVALID_BODIES, INVALID_IDS, INVALID_TEXTS, WRONG_TYPES } from './support/badValues.ts';
import type { Agent } from './support/people.ts';
import { type Service, stopServices } from './support/service.ts';

const EMPTY = [undefined, null, ''];
const NO_PERSONS_WORDS = [...EMPTY, ...WRONG_TYPES, ...INVALID_TEXTS];

type Route = {
  path: string;
  method: 'post' | 'patch';
  /** A good body, and for each of its fields what it must not be. */
  good: Record<string, unknown>;
  bad: Record<string, readonly unknown[]>;
};

describe('Bad input', () => {
  let service: Service;
  let nora: Agent;
  let stored: Record<string, string>;
  const known = { authToken: '', dialogId: '', accountId: '' };

  before(prepare);
  beforeEach(async () => {
    stored = await fingerprint(service.db);
  });
  afterEach(async () => {
    expect(await fingerprint(service.db), 'the database').to.deep.equal(stored);
  });
  after(stopServices);

  async function prepare() {
    const start = await startForNorasRequests();
    ({ service, nora } = start);
    Object.assign(known, start.known);
  }

  const ROUTES: Route[] = [
    {
      method: 'post',
      path: '/api/messenger/connect',
      good: { phone: PHONE },
      bad: {
        phone: [
          ...NO_PERSONS_WORDS,
          'hush',
          '123',
          '+',
          '+0171234567',
          '0171 3920012',
          '+49 hush',
          '+123456',
          `+${'1'.repeat(16)}`,
        ],
      },
    },
    {
      method: 'post',
      path: '/api/messenger/verify',
      good: { authToken: known, code: '12345' },
      bad: {
        authToken: [...NO_PERSONS_WORDS, ...INVALID_IDS],
        code: [...NO_PERSONS_WORDS, 'hush', '12', '12345678901', '12a45', '١٢٣٤٥', '1.5e3'],
      },
    },
    {
      method: 'post',
      path: '/api/messenger/verify-2fa',
      good: { authToken: known, password: 'tulip' },
      bad: { authToken: [...NO_PERSONS_WORDS, ...INVALID_IDS], password: NO_PERSONS_WORDS },
    },
    {
      method: 'patch',
      path: '/api/messenger/dialogs',
      good: { dialogId: known, isTracked: true },
      bad: {
        dialogId: [...NO_PERSONS_WORDS, ...INVALID_IDS],
        isTracked: [...EMPTY, 'true', 'on', 'hush', 0, 1, [], [true], {}],
      },
    },
    {
      method: 'post',
      path: '/api/messenger/disconnect',
      good: { accountId: known },
      bad: { accountId: [...NO_PERSONS_WORDS, ...INVALID_IDS] },
    },
    {
      method: 'post',
      path: '/api/settings',
      good: {},
      bad: {
        syncTime: [null, '', ...WRONG_TYPES, ...INVALID_TEXTS, '25:00', '7:30'],
        timezone: [null, '', ...WRONG_TYPES, ...INVALID_TEXTS, 'Europe/Hush'],
        includeGroups: [null, '', 'true', 0, [], {}],
        minMessages: [null, '', '5', 0, -1, 1.5, 501, 1e300, true, [], {}],
        summaryStyle: [null, '', ...WRONG_TYPES, ...INVALID_TEXTS, 'business'],
        autoCreateContacts: [null, '', 'true', 1, [], {}],
      },
    },
    {
      method: 'post',
      path: '/api/auth/callback/dev-credentials',
      good: { email: 'somebody@example.com', callbackUrl: '/today' },
      bad: {
        email: [...NO_PERSONS_WORDS, 'hush', 'hush@', '@hush.example', 'hush@hush'],
        callbackUrl: [null, 1, true, [], ['/today'], {}],
      },
    },
    {
      method: 'post',
      path: '/api/auth/signin/email',
      good: { email: 'somebody@example.com', callbackUrl: '/today' },
      bad: {
        email: [...NO_PERSONS_WORDS, 'hush', 'hush@', '@hush.example', 'hush@hush', 'a@hush.example, b@hush.example'],
        callbackUrl: [null, 1, true, [], ['/today'], {}, `/${'hush'.repeat(3000)}`],
      },
    },
    {
      method: 'post',
      path: '/api/auth/callback/email',
      good: {},
      bad: { token: [...NO_PERSONS_WORDS, ...INVALID_IDS] },
    },
  ];

  for (const { method, path, good, bad } of ROUTES) {
    for (const [field, values] of Object.entries(bad)) {
      it(`as ${field} of ${method.toUpperCase()} ${path} is refused in words and changes nothing`, async () => {
        for (const value of values) {
          const body = { ...filledIn(good), [field]: value };
          expectRefusal(await nora[method](path).send(body), `${field} ${JSON.stringify(value)?.slice(0, 60)}`);
        }
      });
    }

    it(`as the body of ${method.toUpperCase()} ${path} is refused in words and changes nothing`, async () => {
      const bodies =
        path === '/api/settings' || path.startsWith('/api/auth')
          ? INVALID_BODIES
          : [...INVALID_BODIES, ['{}', 'application/json'], ['', 'text/plain']];
      for (const [body = '', type = ''] of [...bodies, ['[]', 'application/json'], ['[{}]', 'application/json']]) {
        expectRefusal(await nora[method](path).set('Content-Type', type).send(body), `${type} ${body.slice(0, 40)}`);
      }
    });
  }

  it('as a field of POST /api/crm/contacts/create creates no record', async () => {
    const records = service.crm.contacts().length;
    const good = { dialogId: known.dialogId, firstname: 'Ada', lastname: 'Lovelace', email: '', phone: '' };
    for (const field of Object.keys(good)) {
      for (const value of ['A\ud800', '\udfff', 'A\u0000']) {
        const asked = nora.post('/api/crm/contacts/create').send({ ...good, [field]: value });
        const { body } = await asked.expect(400);
        expect(body.fields, field).to.have.property(field);
      }
    }
    expect(service.crm.contacts()).to.have.length(records);
  });

  it('as the body of POST /api/sync/trigger starts no sync', async () => {
    for (const [body, type] of INVALID_BODIES) {
      expectRefusal(await nora.post('/api/sync/trigger').set('Content-Type', type).send(body), type);
    }
  });

  it('as the body of POST /api/auth/signout does not sign out', async () => {
    for (const [body, type] of INVALID_BODIES.filter(([, kind]) => !kind.endsWith('urlencoded'))) {
      expectRefusal(await nora.post('/api/auth/signout').set('Content-Type', type).send(body), type);
    }
    await nora.get('/api/digests').expect(200);
  });

  it('as the query of GET /api/sync/status is refused in words', async () => {
    const queries = [
      '',
      'jobId',
      'jobId=',
      'jobid=hush',
      'jobId=%00',
      'jobId=hush%00',
      'jobId=a&jobId=b',
      'jobId[]=a',
      'jobId[x]=a',
    ];
    for (const query of queries) {
      expectRefusal(await nora.get(`/api/sync/status?${query}`), query);
    }
  });

  it('as an unknown job of GET /api/sync/status is answered with not_found', async () => {
    const nobodys = [
      'hush',
      `sync:${randomUUID()}:manual:1`,
      'sync::manual:',
      "' or 1=1 --",
      '%',
      '\ud800',
      'x'.repeat(201),
    ];
    nobodys.push('x'.repeat(10_000));
    for (const jobId of nobodys) {
      const { body } = await nora.get('/api/sync/status').query({ jobId }).expect(200);
      const nothing = { dialogsProcessed: 0, digestsCreated: 0, notesCreated: 0, errors: [] };
      expect(body, jobId).to.deep.equal({ state: 'not_found', progress: 0, result: nothing });
    }
  });

  it('in the query of an endpoint without parameters is ignored', async () => {
    for (const path of ['/api/digests', '/api/settings', '/api/auth/session', '/api/messenger/dialogs']) {
      for (const query of ['userId=hush', '__proto__[x]=1', 'limit=-1&limit=x', '%00=%00', `x=${'y'.repeat(5000)}`]) {
        const { status, text } = await nora.get(`${path}?${query}`);
        expect(status, `${path}?${query.slice(0, 40)}`).to.equal(200);
        expect(text).not.to.include('hush');
      }
    }
  });

  it('in the address of a page gets an error page', async () => {
    const queries = [
      'day=hush',
      'day=2026-02-31',
      'day=%00',
      'day=99999-01-01',
      'day=0000-00-00',
      'view=hush',
      'page=0',
      'page=-1',
      'page=1e9',
      'page=x&page=y',
    ];
    for (const query of queries) {
      for (const path of ['/today', '/conversations', '/settings', '/signin']) {
        const { status } = await nora.get(`${path}?${query}`);
        expect(status, `${path}?${query}`).to.be.oneOf([200, 302]);
      }
    }
  });

  /** The ids and the token exist only once the service runs. */
  function filledIn(good: Record<string, unknown>) {
    const fields = Object.entries(good).map(([name, value]) => [
      name,
      value === known ? Reflect.get(known, name) : value,
    ]);
    return Object.fromEntries(fields);
  }
});
