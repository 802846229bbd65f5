import { expect } from 'chai';
import request from 'supertest';
import { expectNothingInline, wordsOf } from '../../../support/pages.ts';
import { signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';

describe('The sign-in page', () => {
  let service: Service;

  before(async () => {
    service = await startService({ worker: false });
  });
  after(stopServices);

  it('is where pages redirect without a session, and remembers the page', async () => {
    for (const path of ['/today', '/settings', '/connect', '/conversations', '/sync']) {
      const { headers } = await request(service.url).get(path).expect(302);
      expect(headers.location).to.equal(`/signin?callbackUrl=${encodeURIComponent(path)}`);
    }
    const { text } = await request(service.url).get('/signin?callbackUrl=%2Fsettings').expect(200);
    expect(text).to.include('name="callbackUrl" value="/settings"');
    expectNothingInline(text);
  });

  it('comes back with the error at the field and what was typed', async () => {
    const form = { email: 'lena@"x', callbackUrl: '/settings' };
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const path = '/api/auth/callback/dev-credentials';
    const { text } = await request(service.url)
      .post(path)
      .type('form')
      .set('Accept', accept)
      .send(form)
      .expect(400)
      .expect('Content-Type', /html/);
    expectNothingInline(text);
    expect(text)
      .to.include('<title>Error: Sign in')
      .and.include('href="#dev-email"')
      .and.include('aria-invalid="true"');
    expect(text).to.include('value="lena@&quot;x"').and.include('name="callbackUrl" value="/settings"');
    expect(wordsOf(text)).to.include('This is not an email address. It looks like name@example.com.');

    const elsewhere = { email: '', callbackUrl: 'https://evil.example' };
    const answer = await request(service.url).post(path).type('form').set('Accept', 'text/html').send(elsewhere);
    expect(answer.status).to.equal(400);
    expect(answer.text).to.include('name="callbackUrl" value="/"').and.not.include('evil.example');
    for (const api of ['*/*', 'application/json']) {
      const { body } = await request(service.url).post(path).type('form').set('Accept', api).send(form).expect(400);
      expect(body).to.include({ code: 'INVALID_INPUT' });
    }
  });

  it('shows only ways to sign in that work', async () => {
    const { text } = await request(service.url).get('/signin');
    expect(wordsOf(text)).to.include('Development sign-in');
    expect(text).not.to.include('/api/auth/signin/email');
  });

  it('redirects signed-in users', async () => {
    const nora = await signIn(service, 'nora@example.com');
    await nora.get('/signin?callbackUrl=/settings').expect(302).expect('Location', '/settings');
    await nora.get('/').expect(302).expect('Location', '/start');
  });

  it('is reached by signing out, which ends the session', async () => {
    const nora = await signIn(service, 'nora@example.com');
    expect((await nora.get('/today').expect(200)).text.replaceAll('<wbr>', '')).to.include('nora@example.com');
    await nora.post('/api/auth/signout').expect(302).expect('Location', '/signin');
    await nora.get('/today').expect(302);
  });

  it('tells htmx to load it when the session is over', async () => {
    const answer = await request(service.url).get('/sync').set('HX-Request', 'true').expect(401);
    expect(answer.headers['hx-redirect']).to.match(/^\/signin\?callbackUrl=/);
  });
});
