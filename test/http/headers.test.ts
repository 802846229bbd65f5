import { expect } from 'chai';
import request from 'supertest';
import { type Agent, connectMessenger, PRODUCTION, signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { crowd, owner, world } from '../support/worlds.ts';

const PAGES = [
  '/today',
  '/settings',
  '/conversations',
  '/connect',
  '/connect/code',
  '/settings/connections/:id/disconnect',
  '/nothing/here',
];

describe('Every answer', () => {
  let service: Service;
  let nora: Agent;
  let accountId: string;

  before(async () => {
    service = await startService({ worlds: [world(crowd(1))], worker: false });
    nora = await signIn(service, 'nora@example.com');
    accountId = await connectMessenger(service, nora, owner.phone ?? '');
    await nora.post('/connect').type('form').send({ phone: owner.phone }).expect(303);
  });
  after(stopServices);

  const show = (path: string) => nora.get(path.replace(':id', accountId));

  it('forbids inline scripts, styles, eval, frames and foreign addresses', async () => {
    for (const path of [...PAGES, '/signin', '/healthz', '/api/settings', '/api/nothing', '/sync', '/assets/none.js']) {
      const { headers } = await show(path);
      const policy = new Map(
        String(headers['content-security-policy'])
          .split(';')
          .map(directive => directive.trim().split(/ (.*)/) as [string, string]),
      );
      expect(policy.get('default-src'), path).to.equal("'none'");
      for (const name of ['script-src', 'style-src', 'connect-src', 'img-src', 'font-src', 'form-action']) {
        expect(policy.get(name), `${path} ${name}`).to.equal("'self'");
      }
      expect(policy.get('frame-ancestors')).to.equal("'none'");
      expect(policy.get('base-uri')).to.equal("'none'");
      expect(String(headers['content-security-policy'])).not.to.match(/unsafe|\*|http|data:/);
    }
  });

  it('is not guessed at, not framed, keeps its address to itself and does not tell what serves it', async () => {
    for (const path of ['/today', '/api/settings', '/api/nothing', '/nothing']) {
      const { headers } = await show(path);
      expect(headers['x-content-type-options'], path).to.equal('nosniff');
      expect(headers['x-frame-options'], path).to.match(/^(SAMEORIGIN|DENY)$/);
      expect(headers['referrer-policy'], path).to.equal('same-origin');
      expect(headers['cross-origin-opener-policy'], path).to.equal('same-origin');
      expect(headers).not.to.have.property('x-powered-by');
      expect(headers, 'http only').not.to.have.property('strict-transport-security');
    }
  });

  it('stays on https once the service has an https address', async () => {
    const secure = await startService({ worker: false, env: { ...PRODUCTION, APP_URL: 'https://forenoon.example' } });
    const { headers } = await request(secure.url).get('/signin').expect(200);
    expect(headers['strict-transport-security']).to.match(/^max-age=\d{8}/);
    expect(headers['content-security-policy']).to.include('upgrade-insecure-requests');
  });

  it('that is a person’s page is kept by no proxy', async () => {
    for (const path of ['/today', '/settings', '/nothing']) {
      const { headers } = await show(path);
      expect(headers['cache-control'], path).to.equal('private, no-store');
      expect(headers.vary, path).to.match(/HX-Request/i);
    }
  });
});
