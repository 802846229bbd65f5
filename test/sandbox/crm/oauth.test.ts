import { expect } from 'chai';
import { APP, apiWith, askForToken, BACK, closeAll, decide, openApi, openCrm, SCOPES, signIn } from './support.ts';

describe("The CRM sandbox's sign-in", () => {
  afterEach(closeAll);

  it('asks a person in words, on a page without scripts', async () => {
    const crm = await openCrm();
    const query = new URLSearchParams({
      client_id: APP.clientId,
      redirect_uri: BACK,
      scope: SCOPES.join(' '),
      state: '"><script>',
    });
    const response = await fetch(`${crm.url}/oauth/authorize?${query}`);
    const text = await response.text();
    expect(response.headers.get('content-security-policy'))
      .to.include("default-src 'none'")
      .and.include("form-action 'self' http://127.0.0.1:3000");
    expect(text).to.include('nordkelvin.example').and.include('Add properties to contacts').and.include('Decline');
    expect(text).not.to.include('<script');
  });

  it('answers a wrong app and a missing address with a page', async () => {
    const crm = await openCrm();
    const ask = (query: Record<string, string>) =>
      fetch(`${crm.url}/oauth/authorize?${new URLSearchParams(query)}`, { redirect: 'manual' });
    const wrongApp = await ask({ client_id: 'somebody', redirect_uri: BACK });
    expect(wrongApp.status).to.equal(400);
    expect(await wrongApp.text()).to.include('client ID is wrong');
    expect((await ask({ client_id: APP.clientId })).status).to.equal(400);
    expect((await ask({ client_id: APP.clientId, redirect_uri: 'javascript:alert(1)' })).status).to.equal(400);
  });

  it('leads back with code and state, or with the refusal', async () => {
    const crm = await openCrm();
    const allowed = await decide(crm);
    expect(allowed.href).to.match(/^http:\/\/127\.0\.0\.1:3000\/api\/crm\/callback\?code=[\w-]+&state=a\+state$/);
    const refused = await decide(crm, { decision: 'refuse' });
    expect(Object.fromEntries(refused.searchParams)).to.deep.equal({
      error: 'access_denied',
      error_description: 'The user declined access',
      state: 'a state',
    });
  });

  it('exchanges a code once, for the address it was made for', async () => {
    const crm = await openCrm();
    const code = (await decide(crm)).searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code };
    const elsewhere = await askForToken(crm, { ...form, redirect_uri: 'http://127.0.0.1:3000/other' });
    expect(elsewhere).to.deep.include({ status: 400 });
    expect(elsewhere.body.status).to.equal('BAD_REDIRECT_URI');
    const { status, body } = await askForToken(crm, { ...form, redirect_uri: BACK });
    expect(status).to.equal(200);
    expect(body).to.include({ expires_in: 1800, token_type: 'bearer', hub_id: 8412077 });
    const again = await askForToken(crm, { ...form, redirect_uri: BACK });
    expect(again.status).to.equal(400);
    expect(again.body)
      .to.include({ status: 'BAD_AUTH_CODE', error: 'invalid_grant' })
      .and.have.property('correlationId');
  });

  it('refuses a wrong secret and an unknown refresh token in the shape of the vendor', async () => {
    const crm = await openCrm();
    const { refresh } = await signIn(crm);
    const form = { grant_type: 'refresh_token', refresh_token: refresh };
    const wrong = await askForToken(crm, { ...form, client_secret: 'guessed' });
    expect(wrong.body).to.include({ status: 'BAD_CLIENT_SECRET', error: 'invalid_client' });
    const unknown = await askForToken(crm, { ...form, refresh_token: 'unknown' });
    expect(unknown.status).to.equal(400);
    expect(unknown.body).to.include({ status: 'BAD_REFRESH_TOKEN', message: 'missing or unknown refresh token' });
  });

  it('keeps the refresh token, and answers an expired access token with 401 until there is another', async () => {
    const crm = await openCrm({ contacts: [{ id: 1 }] });
    const { access, refresh } = await signIn(crm);
    expect((await apiWith(crm, access)('GET', '/contacts/1')).status).to.equal(200);
    crm.faults.expireAccessTokens();
    const { status, body } = await apiWith(crm, access)('GET', '/contacts/1');
    expect(status).to.equal(401);
    expect(body).to.include({ status: 'error', category: 'EXPIRED_AUTHENTICATION' });
    const { body: fresh } = await askForToken(crm, { grant_type: 'refresh_token', refresh_token: refresh });
    expect(fresh.refresh_token).to.equal(refresh);
    expect((await apiWith(crm, fresh.access_token)('GET', '/contacts/1')).status).to.equal(200);
  });

  it('tells whose token it is, and ends everything that came of a revoked one', async () => {
    const crm = await openCrm();
    const { access, refresh } = await signIn(crm);
    const { body } = await askForToken(crm, { token: access }, '/introspect');
    expect(body).to.include({ active: true, hub_id: 8412077, hub_domain: 'nordkelvin.example' });
    expect((await askForToken(crm, { token: refresh }, '/revoke')).status).to.equal(200);
    expect((await askForToken(crm, { token: access }, '/introspect')).body).to.deep.equal({ active: false });
    expect((await apiWith(crm, access)('GET', '/contacts')).status).to.equal(401);
    const again = await askForToken(crm, { grant_type: 'refresh_token', refresh_token: refresh });
    expect(again.body.status).to.equal('BAD_REFRESH_TOKEN');
  });

  it('opens one account to a token, and no other', async () => {
    const crm = await openCrm({ contacts: [{ id: 1, email: 'a@one.example' }] });
    crm.addPortal({ id: '77', name: 'other.example', contacts: [{ id: 1, email: 'b@two.example' }] });
    const other = await openApi(crm, { account: '77' });
    expect((await other('GET', '/account-info/2026-03/details')).body.portalId).to.equal(77);
    expect((await other('GET', '/contacts/1')).body.properties.email).to.equal('b@two.example');
    expect((await other('POST', '/contacts', { properties: { email: 'a@one.example' } })).status).to.equal(201);
    expect(crm.contacts()).to.have.length(1);
    expect(crm.contacts('77')).to.have.length(2);
  });

  it('does no more than the person allowed', async () => {
    const crm = await openCrm({ contacts: [{ id: 1 }] });
    const api = await openApi(crm, { scopes: ['oauth', 'crm.objects.contacts.read'] });
    expect((await api('GET', '/contacts/1')).status).to.equal(200);
    const { status, body } = await api('POST', '/contacts', { properties: { firstname: 'A' } });
    expect(status).to.equal(403);
    expect(body.category).to.equal('MISSING_SCOPES');
    expect(body.errors[0].context.requiredGranularScopes).to.deep.equal(['crm.objects.contacts.write']);
    expect(crm.contacts()).to.have.length(1);
  });

  it('does not know the first version of the tokens any more', async () => {
    const crm = await openCrm();
    expect((await fetch(`${crm.url}/oauth/v1/token`, { method: 'POST' })).status).to.equal(404);
  });
});
