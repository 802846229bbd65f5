import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import request from 'supertest';
import { tokenIn } from '../../../support/mail.ts';
import { wordsOf } from '../../../support/pages.ts';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';

const ASK = '/api/auth/signin/email';
const CALLBACK = '/api/auth/callback/email';

describe('Signing in by mail', () => {
  let service: Service;
  before(async () => {
    service = await startService({ mail: true });
  });
  after(stopServices);

  const browser = () => request.agent(service.url);
  const ask = (email: string, callbackUrl = '/today') =>
    request(service.url).post(ASK).type('form').send({ email, callbackUrl });
  const use = (agent: Agent, token: string) => agent.post(CALLBACK).type('form').send({ token });
  const whoIs = async (agent: Agent) => (await agent.get('/api/auth/session').expect(200)).body.user?.email;

  /** Asks for a link and waits for it. @param count how many mails the address has then */
  async function tokenFor(email: string, count = 1, callbackUrl = '/today'): Promise<string> {
    await ask(email, callbackUrl).expect(303);
    return tokenIn(await service.mail.waitForMail(email.toLowerCase(), count));
  }

  async function refusalOf(token: string): Promise<string> {
    const { body, headers } = await use(browser(), token).expect(400);
    expect(headers['set-cookie']).to.equal(undefined);
    return body.code;
  }

  it('leads from the form to the email, and from its link to the requested page', async () => {
    const { headers } = await ask('Lena@Example.com', '/settings?x=1').expect(303);
    expect(headers.location).to.equal('/signin/sent?email=lena%40example.com&callbackUrl=%2Fsettings%3Fx%3D1');
    const sent = await request(service.url)
      .get(headers.location ?? '')
      .expect(200);
    expect(wordsOf(sent.text)).to.include('Check your inbox').and.include('lena@example.com').and.include('30 minutes');

    const token = tokenIn(await service.mail.waitForMail('lena@example.com'));
    const lena = browser();
    const page = await lena.get(`/auth/confirm?token=${token}`).expect(200);
    expect(page.text).to.include(`name="token" value="${token}"`).and.include(`action="${CALLBACK}"`);
    await use(lena, token).expect(303).expect('Location', '/settings?x=1');
    expect(await whoIs(lena)).to.equal('lena@example.com');
  });

  it('sends a readable email in both versions, without tracking', async () => {
    await ask('reader@example.com');
    const mail = await service.mail.waitForMail('reader@example.com');
    expect(mail.subject).to.equal('Forenoon sign-in');
    const link = `http://127.0.0.1:3000/auth/confirm?token=${tokenIn(mail)}`;
    const links = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(links).to.include(link);
    expect(links.filter(href => !href?.startsWith('http://127.0.0.1:3000'))).to.deep.equal([]);
    expect(mail.html).not.to.match(/<img|<script|<iframe|<link|url\(|\bsrc=|@import|@font-face/i);
    expect(mail.text).to.include(link).and.include('30 minutes');
    expect(mail.text).not.to.match(/[<>]|&\w+;/);
  });

  it('keeps the link working after programs opened it', async () => {
    const token = await tokenFor('scanned@example.com');
    const before = await service.db('sign_in_tokens').where({ email: 'scanned@example.com' });
    for (let times = 0; times < 3; times += 1) {
      const { headers } = await request(service.url).get(`/auth/confirm?token=${token}`).expect(200);
      expect(headers['set-cookie']).to.equal(undefined);
      expect(headers).to.include({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
      await request(service.url).head(`/auth/confirm?token=${token}`).expect(200);
      await request(service.url).get(CALLBACK).query({ token }).expect(404);
    }
    expect(await service.db('sign_in_tokens').where({ email: 'scanned@example.com' })).to.deep.equal(before);
    expect(await service.db('users').where({ email: 'scanned@example.com' })).to.deep.equal([]);
    const person = browser();
    await use(person, token).expect(303);
    expect(await whoIs(person)).to.equal('scanned@example.com');
  });

  it('is idempotent under ten concurrent posts in two processes', async () => {
    const token = await tokenFor('parallel@example.com');
    const urls = [service.url, await service.anotherWeb()];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        request(urls[at % 2] ?? '')
          .post(CALLBACK)
          .type('form')
          .send({ token }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([303, ...Array(9).fill(400)]);
    expect(new Set(answers.map(({ body }) => body.code).filter(Boolean))).to.deep.equal(new Set(['LINK_USED']));
    const [user, ...others] = await service.db('users').where({ email: 'parallel@example.com' });
    expect(others).to.deep.equal([]);
    expect(await service.db('user_sessions').where({ user_id: user.id })).to.have.length(1);
  });

  it('accepts an older link as long as no other was used, and none once one was', async () => {
    const tokens = [1, 2, 3].map(count => () => tokenFor('several@example.com', count));
    const [first = '', second = '', third = ''] = [await tokens[0]?.(), await tokens[1]?.(), await tokens[2]?.()];
    const other = await tokenFor('neighbour@example.com');
    await use(browser(), second).expect(303);
    expect(await refusalOf(first)).to.equal('LINK_USED');
    expect(await refusalOf(third)).to.equal('LINK_USED');
    await use(browser(), other).expect(303);
  });

  it('does not work with an altered token', async () => {
    const token = await tokenFor('altered@example.com');
    const last = token.at(-1) === 'A' ? 'B' : 'A';
    const altered = [token.slice(0, -1) + last, `${token}A`, token.slice(1), token.toUpperCase(), ` ${token}`, 'x'];
    for (const wrong of altered) expect(await refusalOf(wrong), wrong).to.equal('LINK_UNKNOWN');
    const { token_hash: hash } = await service.db('sign_in_tokens').where({ email: 'altered@example.com' }).first();
    expect(await refusalOf(hash)).to.equal('LINK_UNKNOWN');
    await use(browser(), token).expect(303);
  });

  it('keeps only the hash of the token, in the database and in the queue', async () => {
    const email = 'hidden@example.com';
    const token = await tokenFor(email);
    const [row] = await service.db('sign_in_tokens').where({ email });
    expect(row.token_hash).to.match(/^[0-9a-f]{64}$/);
    const jobs = await service.db('pgboss.job').where({ name: 'sign-in-mails' });
    expect(jobs).not.to.have.length(0);
    expect(JSON.stringify([row, jobs])).not.to.include(token);
    expect(JSON.stringify(jobs)).not.to.include('hidden');
  });

  it('asks users signed in with another account before switching, on the page and on submit', async () => {
    const agent = await signIn(service, 'first@example.com');
    const [first] = await service.db('users').where({ email: 'first@example.com' });
    // The same masked address: it is the whole one that counts.
    const token = await tokenFor('foreign@example.com');
    const sessions = () => service.db('user_sessions').where({ user_id: first.id });

    const page = await agent.get(`/auth/confirm?token=${token}`).expect(200);
    const words = wordsOf(page.text);
    expect(words).to.include('Switch accounts?').and.include('signed in as first@example.com');
    expect(words).to.include('signs you in as f…@example.com instead').and.include('Stay signed in');
    expect(page.text).to.include(`name="switchFrom" value="${first.id}"`);

    const { body } = await use(agent, token).expect(409);
    expect(body).to.include({ code: 'OTHER_USER_SIGNED_IN', address: 'f…@example.com' });
    const asked = await use(agent, token).set('Accept', 'text/html').expect(409);
    expect(wordsOf(asked.text)).to.include('Switch accounts?');
    expect(asked.text).to.include(`name="switchFrom" value="${first.id}"`).and.include(`value="${token}"`);
    const wrong = { token, switchFrom: randomUUID() };
    await agent.post(CALLBACK).type('form').send(wrong).expect(409);
    expect(await whoIs(agent)).to.equal('first@example.com');
    expect(await sessions()).to.have.length(1);
    expect(await service.db('users').where({ email: 'foreign@example.com' })).to.deep.equal([]);

    await agent.post(CALLBACK).type('form').send({ token, switchFrom: first.id }).expect(303);
    expect(await whoIs(agent)).to.equal('foreign@example.com');
    expect(await sessions()).to.deep.equal([]);
  });

  it('sends no referrer except to this service, which needs it for the form', async () => {
    const token = await tokenFor('policy@example.com');
    const policyAt = async (APP_URL: string) => {
      const url = await service.anotherWeb({ NODE_ENV: 'production', APP_URL });
      return (await request(url).get(`/auth/confirm?token=${token}`).expect(200)).headers['referrer-policy'];
    };
    expect(await policyAt('https://forenoon.example')).to.equal('no-referrer');
    expect(await policyAt('http://forenoon.internal')).to.equal('same-origin');
  });
});
