import { expect } from 'chai';
import { expectNothingInline, htmxPost, post, wordsOf } from '../../support/pages.ts';
import { type Agent, connectCrm, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';

describe('The CRM on the settings page', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worker: false, crm: { portal: { id: '4711', name: '<b>kestrel</b>.example' } } });
    nora = await signIn(service, 'nora@example.com');
  });
  beforeEach(async () => {
    service.crm.faults.clear();
    await service.db('crm_connections').delete();
  });
  after(stopServices);

  const rowOf = (email: string) =>
    service
      .db('crm_connections')
      .join('users', 'users.id', 'crm_connections.user_id')
      .where({ email })
      .select('crm_connections.*')
      .first();
  const settings = async (agent: Agent) => (await agent.get('/settings').expect(200)).text;

  it('shows the account, its health, both switches and the way out, everything escaped', async () => {
    await connectCrm(service, nora);
    const html = await settings(nora);
    expect(html).to.include('HubSpot, &lt;b&gt;kestrel&lt;/b&gt;.example').and.not.to.include('<b>kestrel');
    const words = wordsOf(html);
    expect(words).to.include('Working').and.include('Connected since').and.include('Disconnect');
    expect(words)
      .to.include('Add notes automatically for confident matches')
      .and.include('Add notes automatically for name matches');
    expect(html).not.to.include('href="/api/crm/connect"');
    expectNothingInline(html);
  });

  it('toggles each switch with and without JavaScript', async () => {
    await connectCrm(service, nora);
    await post(nora, '/settings/crm', { nameMatchesWrite: 'true' }).expect(303).expect('Location', '/settings');
    expect(await rowOf('nora@example.com')).to.include({ name_matches_write: true, sure_matches_write: true });
    const { text } = await htmxPost(nora, '/settings/crm', { sureMatchesWrite: 'false' }).expect(200);
    expect(text.trim()).to.match(/^<div class="conn" id="crm">/);
    expect(wordsOf(text)).to.include('Saved');
    expect(text).to.include('name="sureMatchesWrite" value="true"');
    expect(await rowOf('nora@example.com')).to.include({ name_matches_write: true, sure_matches_write: false });
  });

  it('asks before it disconnects, then ends the access there, wipes it here and keeps the rest', async () => {
    await connectCrm(service, nora);
    await post(nora, '/settings/crm', { nameMatchesWrite: 'true' });
    service.crm.resetCalls();
    const { text: page } = await nora.get('/settings/crm/disconnect').expect(200);
    expect(wordsOf(page)).to.include('Disconnect the CRM?').and.include('Notes, tasks and contacts stay in the CRM');
    expect(service.crm.calls()).to.deep.equal({});
    await post(nora, '/settings/crm/disconnect').expect(303);
    expect(service.crm.calls()).to.deep.equal({ 'oauth.revoke': 1 });
    expect(await rowOf('nora@example.com')).to.include({ status: 'disconnected', credentials: null, expires_at: null });
    expect(await rowOf('nora@example.com')).to.include({ portal_id: '4711', name_matches_write: true });
    expect(wordsOf(await settings(nora)))
      .to.include('The CRM is disconnected')
      .and.include('Connect HubSpot');
    await nora.get('/settings/crm/disconnect').expect(404);
    await post(nora, '/settings/crm/disconnect').expect(303);
  });

  it('disconnects even if the CRM can’t be reached, and says so', async () => {
    await connectCrm(service, nora);
    service.crm.faults.next({ on: 'oauth.revoke', status: 500, times: 3 });
    await post(nora, '/settings/crm/disconnect').expect(303);
    expect(await rowOf('nora@example.com')).to.include({ status: 'disconnected', credentials: null });
    expect(wordsOf(await settings(nora))).to.include('We couldn’t reach the CRM');
  });
});
