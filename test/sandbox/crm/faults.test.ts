import { expect } from 'chai';
import { apiWith, askForToken, closeAll, noteOn, openApi, openCrm, signIn } from './support.ts';

describe("The CRM sandbox's limits and planned faults", () => {
  afterEach(closeAll);

  it('lets 110 calls through in ten seconds, tells how many are left, and then answers 429', async () => {
    const crm = await openCrm({ contacts: [{ id: '1' }] });
    const api = await openApi(crm);
    const first = await api('GET', '/contacts/1');
    expect(first.headers.get('x-hubspot-ratelimit-max')).to.equal('110');
    expect(first.headers.get('x-hubspot-ratelimit-remaining')).to.equal('109');
    for (let call = 1; call < 110; call += 1) expect((await api('GET', '/contacts/1')).status).to.equal(200);
    const { status, body } = await api('GET', '/contacts/1');
    expect(status).to.equal(429);
    expect(body).to.include({ errorType: 'RATE_LIMIT', policyName: 'TEN_SECONDLY_ROLLING' });
    expect(body.correlationId).to.match(/^[\w-]{36}$/);
    expect((await api('POST', '/contacts/search', {})).status).to.equal(200);
  });

  it('lets five searches through in a second, without headers about limits', async () => {
    const crm = await openCrm();
    const api = await openApi(crm);
    const answers = await Promise.all(Array.from({ length: 6 }, () => api('POST', '/contacts/search', {})));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 200, 200, 200, 200, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).to.include({ message: 'You have reached your secondly limit.', policyName: 'SECONDLY' });
    const words = answers.flatMap(({ headers }) => [...headers.keys()]).filter(name => name.includes('ratelimit'));
    expect(words).to.deep.equal([]);
  });

  it('counts each account separately', async () => {
    const crm = await openCrm({ limits: { callsPerTenSeconds: 1 } });
    crm.addPortal({ id: '77', name: 'other.example' });
    const [one, other] = [await openApi(crm), await openApi(crm, { account: '77' })];
    expect((await one('GET', '/contacts')).status).to.equal(200);
    expect((await one('GET', '/contacts')).status).to.equal(429);
    expect((await other('GET', '/contacts')).status).to.equal(200);
  });

  it('counts calls by kind', async () => {
    const crm = await openCrm({ contacts: [{ id: '1' }] });
    const { access, refresh } = await signIn(crm);
    const api = apiWith(crm, access);
    await api('POST', '/contacts/search', {});
    await api('POST', '/notes/batch/create', { inputs: [noteOn('1')] });
    await api('GET', '/contacts/9');
    await askForToken(crm, { grant_type: 'refresh_token', refresh_token: refresh });
    const counted = { 'contacts.search': 1, 'notes.batchCreate': 1, 'contacts.read': 1 };
    expect(crm.calls()).to.deep.equal({ 'oauth.exchange': 1, ...counted, 'oauth.refresh': 1 });
    expect(crm.requests().map(({ status }) => status)).to.deep.equal([200, 200, 201, 404, 200]);
    expect(JSON.stringify(crm.requests())).not.to.include(refresh).and.not.include(access);
    crm.resetCalls();
    expect(crm.calls()).to.deep.equal({});
  });

  it('fails the next calls of a kind, before anything is done', async () => {
    const crm = await openCrm({ contacts: [{ id: '1' }] });
    const api = await openApi(crm);
    crm.faults.next({ on: 'notes', status: 503, times: 2 });
    crm.faults.next({ on: 'contacts.read', status: 429, retryAfterSeconds: 3 });
    const limited = await api('GET', '/contacts/1');
    expect(limited.headers.get('retry-after')).to.equal('3');
    expect(limited.body.policyName).to.equal('TEN_SECONDLY_ROLLING');
    expect((await api('GET', '/contacts/1')).status).to.equal(200);
    expect((await api('POST', '/notes', noteOn('1'))).status).to.equal(503);
    expect((await api('POST', '/notes/batch/create', { inputs: [noteOn('1')] })).status).to.equal(503);
    expect(crm.notes()).to.deep.equal([]);
    expect((await api('POST', '/notes', noteOn('1'))).status).to.equal(201);
  });

  it('fails a share of the calls, evenly spread, until cleared', async () => {
    const crm = await openCrm({ contacts: [{ id: '1' }] });
    const api = await openApi(crm);
    crm.faults.always({ share: 0.1, status: 500 });
    const statuses: number[] = [];
    for (let call = 0; call < 20; call += 1) statuses.push((await api('GET', '/contacts/1')).status);
    expect(statuses.filter(status => status === 500)).to.have.length(2);
    crm.faults.always({ status: 502 });
    crm.faults.clear();
    expect((await api('GET', '/contacts/1')).status).to.equal(200);
  });

  it('loses an answer after the write', async () => {
    const crm = await openCrm({ contacts: [{ id: '1' }] });
    const api = await openApi(crm);
    crm.faults.next({ on: 'notes.create', losesAnswer: true });
    const lost = await api('POST', '/notes', noteOn('1')).catch(error => error);
    expect(lost).to.be.instanceOf(Error);
    expect(crm.notes()).to.have.length(1);
    expect((await api('POST', '/notes', noteOn('1'))).status).to.equal(201);
  });

  it('never answers, or answers late', async () => {
    const crm = await openCrm({ contacts: [{ id: '1' }] });
    const { access } = await signIn(crm);
    const ask = (milliseconds: number) =>
      fetch(`${crm.url}/crm/objects/2026-09/contacts/1`, {
        headers: { authorization: `Bearer ${access}` },
        signal: AbortSignal.timeout(milliseconds),
      }).then(
        ({ status }) => status,
        error => error.name,
      );
    crm.faults.next({ on: 'contacts.read', isSilent: true });
    expect(await ask(200)).to.equal('TimeoutError');
    crm.faults.delay(300, 'contacts');
    expect(await ask(150)).to.equal('TimeoutError');
    expect(await ask(3000)).to.equal(200);
  });

  it('can revoke every grant', async () => {
    const crm = await openCrm();
    const { access, refresh } = await signIn(crm);
    crm.faults.revokeGrants();
    expect((await apiWith(crm, access)('GET', '/contacts')).status).to.equal(401);
    const { body } = await askForToken(crm, { grant_type: 'refresh_token', refresh_token: refresh });
    expect(body.status).to.equal('BAD_REFRESH_TOKEN');
  });

  it('answers paths it does not have, and malformed JSON, in the shape of the vendor', async () => {
    const crm = await openCrm();
    const { access } = await signIn(crm);
    expect((await apiWith(crm, access)('GET', '/crm/v3/objects/deals')).body).to.include({ status: 'error' });
    const response = await fetch(`${crm.url}/crm/objects/2026-09/contacts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access}` },
      body: '{"properties": ',
    });
    expect(response.status).to.equal(400);
    expect((await fetch(`${crm.url}/crm/objects/2026-09/contacts`)).status).to.equal(401);
  });

  it('rejects requests to other host names', async () => {
    const crm = await openCrm();
    for (const path of ['/', '/crm/objects/2026-09/contacts', '/oauth/authorize']) {
      const response = await fetch(crm.url + path, { headers: { origin: 'https://elsewhere.example' } });
      expect(response.status).to.equal(403);
    }
  });
});
