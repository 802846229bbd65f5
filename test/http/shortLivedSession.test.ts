import { expect } from 'chai';
import request from 'supertest';
import { PRODUCTION, signInInProduction } from '../support/people.ts';
import { startService, stopServices } from '../support/service.ts';

const EMAIL = 'nora@example.com';
const SETTINGS = { syncTime: '07:30', timezone: 'UTC', minMessages: '1', summaryStyle: 'BUSINESS' };

describe('The cookie of the browser session', () => {
  after(stopServices);

  /** Saving the settings leaves a message for the next page. */
  async function cookieOf(appUrl: string): Promise<string> {
    const service = await startService({ worker: false, env: { ...PRODUCTION, APP_URL: appUrl } });
    const agent = await signInInProduction(service, EMAIL);
    const { headers } = await agent.post('/settings').type('form').send(SETTINGS).expect(303);
    const cookies = headers['set-cookie'] as unknown as string[];
    return cookies.find(cookie => cookie.includes('forenoon.sid=')) ?? '';
  }

  it('can’t be planted by a subdomain once the service has an https address, even behind a proxy it does not trust', async () => {
    const [name, ...attributes] = (await cookieOf('https://forenoon.example')).split('; ');
    expect(name).to.match(/^__Host-forenoon\.sid=s%3A/);
    expect(attributes.filter(one => !one.startsWith('Expires='))).to.have.members([
      ...['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'],
    ]);
  });

  it('is cleared on sign-out under the name it was sent by, also that of an older release', async () => {
    const service = await startService({ worker: false, env: { ...PRODUCTION, APP_URL: 'https://forenoon.example' } });
    for (const name of ['forenoon.sid', '__Host-forenoon.sid']) {
      const out = request(service.url).post('/api/auth/signout').set('Cookie', `${name}=s%3Aabc.def`);
      const { headers } = await out.expect(302);
      const cleared = (headers['set-cookie'] as unknown as string[]).filter(cookie => cookie.includes('forenoon.sid='));
      expect(cleared).to.have.lengthOf(1);
      expect(cleared[0]).to.match(new RegExp(`^${name}=;.*1970`));
    }
  });
});
