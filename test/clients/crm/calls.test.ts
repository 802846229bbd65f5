import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createHubspotClient } from '../../../src/clients/crm/hubspot.ts';
import type { Crm } from '../../../src/clients/crm/types.ts';
import { failureOf, sharedAccount } from './account.ts';

describe('A call of the CRM', () => {
  const account = sharedAccount();
  let contactId: string;

  before(async () => {
    await account.crm.ensureProperties();
    contactId = account.sandbox.createContact({ firstname: 'Nadia' });
  });

  const read = () => account.crm.readContacts([contactId]);
  const search = () => account.crm.searchContacts({ groups: [[{ field: 'firstName', any: ['nadia'] }]] });
  const create = (crm = account.crm) => crm.createContact({ firstName: 'New' });
  const update = () => account.crm.updateContacts([{ id: contactId, details: { company: 'Kestrel' } }]);
  const note = (crm = account.crm) => crm.createNotes([{ marker: 'm', contactId, at: new Date(), bodyHtml: '<p>m</p>' }]);
  const count = (kind: string) => account.sandbox.calls()[kind] ?? 0;

  for (const [name, kind, call] of [
    ['a read', 'contacts.batchRead', () => read()],
    ['a search', 'contacts.search', () => search()],
    ['an update', 'contacts.batchUpdate', () => update()],
  ] as const) {
    it(`repeats ${name} after 500 and after a lost answer, twice at the most, each in its turn`, async () => {
      account.sandbox.faults.next({ on: kind, status: 500 });
      account.sandbox.faults.next({ on: kind, losesAnswer: true });
      await call();
      expect(count(kind)).to.equal(3);
      expect(account.turns.length).to.equal(3);
      expect(account.reports.map(({ code }) => code)).to.deep.equal(['CRM_RETRIED', 'CRM_RETRIED']);
      account.sandbox.faults.next({ on: kind, status: 503, times: 3 });
      expect(await failureOf(call())).to.include({ code: 'CRM_UNAVAILABLE', kind: 'temporary' });
      expect(count(kind)).to.equal(6);
      expect(account.reports.at(-1)?.code).to.equal('CRM_UNAVAILABLE');
    });
  }

  for (const [name, kind, call] of [
    ['a contact', 'contacts.create', (crm?: Crm) => create(crm)],
    ['a note', 'notes.batchCreate', (crm?: Crm) => note(crm)],
  ] as const) {
    it(`never repeats the creation of ${name} after 500, a lost answer or silence`, async () => {
      account.sandbox.faults.next({ on: kind, status: 500 });
      expect(await failureOf(call())).to.include({ code: 'CRM_UNAVAILABLE', kind: 'temporary' });
      account.sandbox.faults.next({ on: kind, losesAnswer: true });
      expect(await failureOf(call())).to.include({ code: 'CRM_UNAVAILABLE', kind: 'temporary' });
      account.sandbox.faults.next({ on: kind, isSilent: true });
      expect(await failureOf(call(account.within(300)))).to.include({ code: 'TIMEOUT', kind: 'temporary' });
      expect(count(kind)).to.equal(3);
    });

    it(`repeats the creation of ${name} after 429 and after 401, which were not carried out`, async () => {
      account.sandbox.faults.next({ on: kind, status: 429, retryAfterSeconds: 2 });
      account.sandbox.faults.expireAccessTokens();
      await call();
      expect(count(kind)).to.equal(3);
      expect(account.pauses).to.deep.equal([{ kind: 'call', seconds: 2 }]);
      expect(account.refused.length).to.equal(1);
    });
  }

  it('holds off for as long as the limit that was hit lasts, when the CRM names no time', async () => {
    account.sandbox.faults.next({ on: 'contacts.search', status: 429 });
    await search();
    account.sandbox.faults.next({ on: 'contacts.batchRead', status: 429 });
    await read();
    expect(account.pauses).to.deep.equal([
      { kind: 'search', seconds: 1 },
      { kind: 'call', seconds: 10 },
    ]);
  });

  it('gives up on a long rate limit, on a new token that is rejected, too, and on a rate limit that never ends', async () => {
    account.sandbox.faults.next({ on: 'contacts.batchRead', status: 429, retryAfterSeconds: 600 });
    expect(await failureOf(read())).to.include({ code: 'CRM_RATE_LIMIT', kind: 'rateLimited', retryAfterSeconds: 600 });
    expect(count('contacts.batchRead')).to.equal(1);
    account.sandbox.faults.next({ on: 'contacts.batchRead', status: 401, times: 2 });
    expect(await failureOf(read())).to.include({ code: 'CRM_AUTH', kind: 'auth' });
    account.sandbox.resetCalls();
    account.sandbox.faults.next({ on: 'contacts.batchRead', status: 429, retryAfterSeconds: 1, times: 50 });
    expect(await failureOf(read())).to.include({ code: 'CRM_RATE_LIMIT', kind: 'rateLimited' });
    expect(count('contacts.batchRead')).to.equal(7);
  });

  it('neither repeats nor reports what fails by an error in our own code', async () => {
    const client = createHubspotClient({ apiUrl: 'no address', report: failure => account.reports.push(failure) });
    expect(await failureOf(client.refreshTokens('x'))).to.be.instanceOf(TypeError);
    expect(account.reports).to.deep.equal([]);
  });

  it('keeps bodies, headers and tokens out of errors and reports', async () => {
    const secret = 'Bearer ';
    account.sandbox.faults.next({ on: 'contacts.create', status: 500 });
    const err = await failureOf(account.crm.createContact({ firstName: 'Zebedee' }));
    const told = JSON.stringify([err, err.message, err.stack, err.cause, account.reports]);
    expect(told).not.to.include('Zebedee').and.not.to.include(secret).and.not.to.include('internal error');
  });
});

describe('An answer that is not the CRM’s', () => {
  const servers: Server[] = [];
  after(() => servers.forEach(server => void server.close()));

  const reports: string[] = [];
  const crmThatSays = async (status: number, type: string, body: string) => {
    const server = createServer((_req, res) => res.writeHead(status, { 'Content-Type': type }).end(body));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createHubspotClient({
      ...{ clientId: 'a', clientSecret: 'b', apiUrl, retryPauseMs: 1, report: ({ message }) => void reports.push(message) },
    });
    const access = {
      portalId: '1',
      accessToken: async () => 'token',
      takeTurn: async () => undefined,
      pause: async () => undefined,
    };
    return { client, crm: client.open(access) };
  };

  for (const [status, type, body] of [
    [200, 'text/html', '<html>Sign in to the Wi-Fi</html>'],
    [200, 'application/json', '{'],
    [200, 'application/json', '{"results":5}'],
    [200, 'application/json', '{"results":[{"id":{}}]}'],
    [502, 'text/html', '<html>Bad gateway</html>'],
  ] as const) {
    it(`is a temporary error: ${status} ${type} ${body}`, async () => {
      const { client, crm } = await crmThatSays(status, type, body);
      expect(await failureOf(crm.readContacts(['1']))).to.include({ code: 'CRM_UNAVAILABLE', kind: 'temporary' });
      if (status === 200) expect(reports.at(-1)).to.equal('read contacts: an unreadable answer');
      expect(await failureOf(client.refreshTokens('x'))).to.include({ code: 'CRM_UNAVAILABLE', kind: 'temporary' });
    });
  }

  for (const [status, body, code] of [
    [403, '{"category":"MISSING_SCOPES"}', 'CRM_SCOPE_MISSING'],
    [400, 'nonsense', 'CRM_REFUSED'],
  ] as const) {
    it(`is a permanent error: ${status} ${body}`, async () => {
      const { crm } = await crmThatSays(status, 'application/json', body);
      expect(await failureOf(crm.readContacts(['1']))).to.include({ code, kind: 'permanent' });
    });
  }
});
