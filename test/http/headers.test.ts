import { expect } from 'chai';
import request from 'supertest';
import { type Agent, connectMessenger, PRODUCTION, signIn, syncNow } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { dialog, message, owner, person, world } from '../support/worlds.ts';

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(1)><b style="color:red">';

/** Every page there is, with something on it that tries to be a script. */
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
    const friend = person(5001, { firstName: HOSTILE, lastName: '"><svg onload=alert(1)>' });
    const said = [message(1, { from: 5001, text: `${HOSTILE} Can you send the contract by Friday? It is urgent.` })];
    service = await startService({ worlds: [world({ users: [friend], dialogs: [dialog('user:5001', said)] })] });
    nora = await signIn(service, 'nora@example.com');
    accountId = await connectMessenger(service, nora, owner.phone ?? '');
    expect((await syncNow(nora)).result.digestsCreated).to.equal(1);
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
      expect(headers['cache-control'], path).to.match(/private|no-store/);
      expect(headers.vary, path).to.match(/HX-Request/i);
    }
  });

  for (const path of [...PAGES, '/signin']) {
    it(`holds no inline script or style, nor anything a conversation wrote as markup: ${path}`, async () => {
      const page = path === '/signin' ? request(service.url).get(path) : show(path);
      const { text, headers } = await page;
      expect(headers['content-type']).to.match(/^text\/html/);
      expect(text)
        .to.match(/^\s*<!doctype html>/i)
        .and.match(/<main/);
      expect(inlineParts(text)).to.deep.equal([]);
    });
  }
});

/** Inline scripts and styles, event handlers, foreign or executable addresses. */
function inlineParts(html: string): string[] {
  const tags = html.match(/<[a-z][^>]*>/gi) ?? [];
  const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)];
  return [
    ...scripts
      .filter(([, attributes = '', code = '']) => !/ src="\/assets\//.test(attributes) || code.trim())
      .map(([s]) => s),
    ...tags.filter(tag => /^<(style|iframe|object|embed|base|meta http-equiv="content-security)/i.test(tag)),
    ...tags.filter(tag => /\s(style|on[a-z]+|hx-on[\w:-]*)\s*=/i.test(withoutValues(tag))),
    ...tags.filter(tag => /(href|src|action)="\s*(javascript|data|vbscript):/i.test(tag)),
    ...tags.filter(tag => /^<(script|link|img)\b/i.test(tag) && /(href|src)="(https?:)?\/\//i.test(tag)),
  ];
}

function withoutValues(tag: string): string {
  return tag.replace(/"[^"]*"/g, '""');
}
