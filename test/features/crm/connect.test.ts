import { expect } from 'chai';
import { wordsOf } from '../../support/pages.ts';
import { type Agent, connectCrm, cookiesOfBoth, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { storeAccount, storeDialog } from '../pages/today/stored.ts';

describe('Connecting the CRM', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worker: false, crm: { portal: { id: '4711', name: 'kestrel.example' } } });
  });
  beforeEach(async () => {
    nora = await signIn(service, 'nora@example.com');
    service.crm.faults.clear();
    service.crm.resetCalls();
    await service.db('crm_connections').delete();
  });
  after(stopServices);

  const row = () => service.db('crm_connections').first();
  const exchanges = () => service.crm.calls()['oauth.exchange'] ?? 0;

  /** Goes to the CRM and answers there. Returns the path the CRM sends the browser back to. */
  async function askCrm(agent: Agent, decision: 'allow' | 'refuse' = 'allow', portalId = '4711'): Promise<string> {
    const { headers } = await agent.get('/api/crm/connect').expect(302);
    const question = new URL(headers.location ?? '');
    const body = new URLSearchParams({ ...Object.fromEntries(question.searchParams), account: portalId, decision });
    const answer = await fetch(`${service.crm.url}/oauth/authorize`, { method: 'POST', body, redirect: 'manual' });
    const back = new URL(answer.headers.get('location') ?? '');
    return back.pathname + back.search;
  }

  it('stores encrypted tokens, creates the properties, and returns to the settings', async () => {
    const back = await askCrm(nora);
    await nora.get(back).expect(302).expect('Location', '/settings');
    const stored = await row();
    expect(stored).to.include({ status: 'active', portal_id: '4711', portal_name: 'kestrel.example' });
    expect(stored).to.include({ properties_ready: true });
    expect(stored.credentials)
      .to.match(/^v1\./)
      .and.not.to.match(/accessToken|refresh/);
    expect(service.crm.calls()).to.include({ 'properties.groups.create': 1, 'properties.create': 4 });
    expect(wordsOf((await nora.get('/settings')).text)).to.include('The CRM is connected');
  });

  it('rejects a missing, wrong, used or expired state with 400 and no token call', async () => {
    const back = await askCrm(nora);
    const code = new URLSearchParams(back.split('?')[1]).get('code') ?? '';
    const withState = (state?: string) =>
      nora.get('/api/crm/callback').query({ code, ...(state !== undefined && { state }) });
    for (const state of [undefined, '', 'wrong', 'x'.repeat(5000)]) {
      const { text } = await withState(state).expect(400).expect('Content-Type', /html/);
      expect(wordsOf(text)).to.include('wasn’t started here');
    }
    expect(exchanges()).to.equal(0);
    await nora.get(back).expect(302);
    await nora.get(back).expect(400);
    expect(exchanges()).to.equal(1);
    const late = await askCrm(nora);
    service.clock.advance(10 * 60_000 + 1000);
    expect(wordsOf((await nora.get(late).expect(400)).text)).to.include('took longer than 10 minutes');
    expect(exchanges()).to.equal(1);
  });

  it('rejects a state of another user and of another browser, without a token call', async () => {
    const olu = await signIn(service, 'olu@example.com');
    // Olu's sign-in with the session cookie of the browser that began it.
    const begun = service.url + (await askCrm(nora));
    const headers = { Cookie: cookiesOfBoth(nora, olu) };
    expect((await fetch(begun, { headers, redirect: 'manual' })).status).to.equal(400);
    const back = await askCrm(nora);
    await olu.get('/api/crm/connect').expect(302);
    await olu.get(back).expect(400);
    const otherBrowser = await signIn(service, 'nora@example.com');
    await otherBrowser.get(back).expect(400);
    // The same browser, with someone else signed in by now.
    await nora.post('/api/auth/callback/dev-credentials').type('form').send({ email: 'olu@example.com', callbackUrl: '/' });
    await nora.get(back).expect(400);
    expect(exchanges()).to.equal(0);
    expect(await row()).to.equal(undefined);
  });

  it('says so when the code is missing, wrong, or the CRM does not answer', async () => {
    const stateOf = async () => new URLSearchParams((await askCrm(nora)).split('?')[1]).get('state') ?? '';
    await nora
      .get('/api/crm/callback')
      .query({ state: await stateOf() })
      .expect(400);
    await nora
      .get('/api/crm/callback')
      .query({ state: await stateOf(), code: 'made up' })
      .expect(302);
    expect(wordsOf((await nora.get('/settings')).text)).to.include('It rejected the sign-in');
    const back = await askCrm(nora);
    service.crm.faults.next({ on: 'oauth.exchange', status: 500 });
    await nora.get(back).expect(302);
    expect(wordsOf((await nora.get('/settings')).text)).to.include('Try again in a few minutes');
    expect(await row()).to.equal(undefined);
  });

  it('connects even if the properties can’t be created, and creates them on first use', async () => {
    const back = await askCrm(nora);
    service.crm.faults.next({ on: 'properties', status: 500, times: 3 });
    await nora.get(back).expect(302);
    expect(await row()).to.include({ status: 'active', properties_ready: false });
    expect(wordsOf((await nora.get('/settings')).text)).to.include('connected, but not ready yet');
    await nora.get('/api/crm/contacts/suggest').query({ name: 'Ada Lovelace' }).expect(200);
    expect(await row()).to.include({ properties_ready: true });
  });

  it('forgets the links into an account when another one takes its place, and ends the old access', async () => {
    service.crm.addPortal({ id: '4712', name: 'other.example' });
    await connectCrm(service, nora);
    const dialogId = await linkedDialog();
    const ignored = service.db('dialogs').where({ id: await linkedDialog() });
    await ignored.clone().update({ match_status: 'IGNORED' });
    await connectCrm(service, nora, '4711');
    expect(await service.db('dialogs').where({ id: dialogId }).first()).to.include({ crm_contact_id: '5001' });
    service.crm.resetCalls();
    await connectCrm(service, nora, '4712');
    expect(await row()).to.include({ portal_id: '4712', portal_name: 'other.example', properties_ready: true });
    expect(await service.db('dialogs').where({ id: dialogId }).first()).to.include({
      match_status: 'UNMATCHED',
      crm_contact_id: '',
    });
    expect(await ignored.clone().pluck('match_status')).to.deep.equal(['IGNORED']);
    expect(service.crm.calls()).to.include({ 'oauth.revoke': 1 });
    expect(wordsOf((await nora.get('/settings')).text)).to.include('a different account than before');
  });

  async function linkedDialog(): Promise<string> {
    const id = await storeDialog(service.db, await storeAccount(service.db, 'nora@example.com'), 'Farid');
    const link = { match_status: 'CONFIRMED', match_confidence: 1, crm_contact_id: '5001' };
    await service.db('dialogs').where({ id }).update(link);
    return id;
  }
});
