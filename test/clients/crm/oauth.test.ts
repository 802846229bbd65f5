import { expect } from 'chai';
import { createHubspotClient } from '../../../src/clients/crm/hubspot.ts';
import { failureOf, redirectUri, sharedAccount } from './account.ts';

describe('Signing in to the CRM', () => {
  const account = sharedAccount({ portal: { id: '4711', name: 'kestrel.example' } });

  it('asks for contacts and their properties, and for nothing else', () => {
    const url = new URL(account.client.authorizationUrl({ redirectUri, state: 'a b&c' }));
    expect(url.pathname).to.equal('/oauth/authorize');
    expect(url.searchParams.get('redirect_uri')).to.equal(redirectUri);
    expect(url.searchParams.get('state')).to.equal('a b&c');
    expect(url.searchParams.get('scope')?.split(' ').sort()).to.deep.equal([
      'crm.objects.contacts.read',
      'crm.objects.contacts.write',
      'crm.schemas.contacts.read',
      'crm.schemas.contacts.write',
      'oauth',
    ]);
  });

  it('refreshes, even after two failures', async () => {
    account.sandbox.faults.next({ on: 'oauth.refresh', status: 502 });
    account.sandbox.faults.next({ on: 'oauth.refresh', losesAnswer: true });
    const tokens = await account.client.refreshTokens(account.refreshToken);
    expect(tokens.refreshToken).to.equal(account.refreshToken);
    expect(account.sandbox.calls()['oauth.refresh']).to.equal(3);
  });

  it('keeps connections when our own secret is wrong', async () => {
    const mistaken = createHubspotClient({
      ...{ clientId: 'app', clientSecret: 'mistyped', apiUrl: account.sandbox.url, retryPauseMs: 1 },
      report: sent => account.reports.push(sent),
    });
    expect(await failureOf(mistaken.refreshTokens(account.refreshToken))).to.include({ kind: 'temporary' });
    expect(JSON.stringify(account.reports)).not.to.include('mistyped').and.not.to.include(account.refreshToken);
  });

  it('treats expired tokens as revoked and reports that they can’t be refreshed', async () => {
    await account.client.revokeTokens(account.refreshToken);
    await account.client.revokeTokens(account.refreshToken);
    await account.client.revokeTokens('never-given');
    const failure = await failureOf(account.client.refreshTokens(account.refreshToken));
    expect(failure).to.include({ code: 'CRM_AUTH', kind: 'auth' });
  });

  for (const field of ['status', 'category', 'error'] as const) {
    it(`recognizes a rejected refresh token when the CRM says so in \`${field}\``, async () => {
      account.sandbox.faults.revokeGrants(field);
      const failure = await failureOf(account.client.refreshTokens(account.refreshToken));
      expect(failure).to.include({ code: 'CRM_AUTH', kind: 'auth' });
    });
  }
});
