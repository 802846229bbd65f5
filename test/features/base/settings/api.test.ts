import { expect } from 'chai';
import request from 'supertest';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';

const DEFAULTS = {
  syncTime: '18:00',
  timezone: 'UTC',
  includeGroups: false,
  minMessages: 1,
  summaryStyle: 'BUSINESS',
  autoCreateContacts: false,
};
const CHOSEN = {
  ...DEFAULTS,
  syncTime: '07:30',
  timezone: 'America/Argentina/Buenos_Aires',
  includeGroups: true,
  minMessages: 12,
  summaryStyle: 'MINIMAL',
  autoCreateContacts: true,
};

describe('The sync configuration', () => {
  let service: Service;
  let lena: Agent;
  let people = 0;
  before(async () => {
    service = await startService({ worker: false });
  });
  after(stopServices);
  beforeEach(async () => {
    lena = await signIn(service, `lena${++people}@example.com`);
  });

  const save = (input: object) => lena.post('/api/settings').send(input);
  const stored = async () => (await lena.get('/api/settings').expect(200)).body;
  const rows = () => service.db('sync_configs').orderBy('user_id');

  it('has its defaults before anything was saved, and reading creates no row', async () => {
    const before = await rows();
    expect(await stored()).to.deep.equal({ config: DEFAULTS });
    expect(await rows()).to.deep.equal(before);
  });

  it('keeps the value of every field that was not sent', async () => {
    expect((await save({ minMessages: 3 })).body.config).to.deep.equal({ ...DEFAULTS, minMessages: 3 });
    for (const [field, value] of Object.entries(CHOSEN)) await save({ [field]: value }).expect(200);
    expect(await stored()).to.deep.equal({ config: CHOSEN });
    await save({}).expect(200);
    expect(await stored()).to.deep.equal({ config: CHOSEN });
  });

  it('accepts every value at its limit', async () => {
    const edges = [
      ...['00:00', '23:59'].map(syncTime => ({ syncTime })),
      { minMessages: 1 },
      { minMessages: 500 },
      { timezone: 'Etc/GMT+12' },
      { timezone: 'Asia/Kathmandu' },
      { summaryStyle: 'DETAILED' },
    ];
    await save({ syncTime: '24:00' }).expect(400);
    for (const edge of edges) expect((await save(edge).expect(200)).body.config).to.deep.include(edge);
  });

  it('refuses a time zone that Node knows, but not PostgreSQL', async () => {
    const { body } = await save({ timezone: 'AET', minMessages: 7 }).expect(400);
    expect(body.fields.timezone).to.match(/^The database doesn’t know this time zone\./);
    expect(await stored()).to.deep.equal({ config: DEFAULTS });
  });

  it('keeps both when two save different fields at once, on two processes', async () => {
    const cookie = await cookieOf(lena);
    const another = await service.anotherWeb();
    const saveAt = (url: string, input: object) =>
      request(url).post('/api/settings').set('Cookie', cookie).send(input).expect(200);
    const fields = Object.entries(CHOSEN);
    await Promise.all(fields.map(([field, value], i) => saveAt(i % 2 ? another : service.url, { [field]: value })));
    expect(await stored()).to.deep.equal({ config: CHOSEN });
  });

  async function cookieOf(agent: Agent): Promise<string> {
    const form = { email: `lena${people}@example.com` };
    const { headers } = await agent.post('/api/auth/callback/dev-credentials').type('form').send(form);
    return String(headers['set-cookie']).split(';')[0] ?? '';
  }
});
