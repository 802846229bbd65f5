import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import request from 'supertest';
import { tokenIn } from '../../../support/mail.ts';
import { expectNothingInline, post, wordsOf } from '../../../support/pages.ts';
import { signInInProduction } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';

const SIGN_IN_LINK = fileURLToPath(new URL('../../../../src/signInLink.ts', import.meta.url));
const CALLBACK = '/api/auth/callback/email';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const SECOND = 1000;
const MINUTE = 60_000;
const OWNER = 'nora@example.com';
/** Production without a mail server: an installation of one's own. */
const OWN = { NODE_ENV: 'production', OWNER_EMAIL: 'Nora@Example.com', HOST: '127.0.0.1' };

/** A real `npm run sign-in-link` beside the service. */
async function linkFrom(service: Pick<Service, 'env'>, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [SIGN_IN_LINK], {
    env: { ...process.env, ...service.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, refused, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, said, refused, token: /\?token=([\w-]{43})\n$/.exec(said)?.[1] ?? '' };
}

describe('The owner of a one-person installation', () => {
  let service: Service;
  before(async () => {
    service = await startService({ worker: false, env: OWN });
  });
  after(stopServices);

  const use = (token: string, agent = request.agent(service.url)) => agent.post(CALLBACK).type('form').send({ token });
  const refusalOf = async (token: string) => (await use(token).expect(400)).body.code;

  it('signs in with a link from the terminal, without a mail server', async () => {
    const { code, said, refused, token } = await linkFrom(service);
    expect({ code, refused }).to.deep.equal({ code: 0, refused: '' });
    expect(said).to.match(/^http:\/\/127\.0\.0\.1:3000\/auth\/confirm\?token=[\w-]{43}\n$/);
    const page = await request(service.url).get(`/auth/confirm?token=${token}`).expect(200);
    expect(wordsOf(page.text)).to.match(/One more tap to sign in as n…@example\.com/);
    const agent = request.agent(service.url);
    await use(token, agent).expect(303).expect('Location', '/');
    const { body } = await agent.get('/api/auth/session').expect(200);
    expect(body.user.email).to.equal(OWNER);
  });

  it('uses a link once, and within ten minutes', async () => {
    const { token } = await linkFrom(service);
    await use(token).expect(303);
    expect(await refusalOf(token)).to.equal('LINK_USED');
    const late = await linkFrom(service);
    // The link's ten minutes are the database's, which the terminal reads to within a second, and these the test's.
    service.clock.advance(10 * MINUTE + SECOND);
    expect(await refusalOf(late.token)).to.equal('LINK_EXPIRED');
    const { text: page } = await request(service.url).get(`/auth/confirm?token=${late.token}`).expect(400);
    expect(wordsOf(page)).to.include('It worked for 10 minutes.').and.include('run npm run sign-in-link');
    service.clock.advance(-10 * MINUTE - SECOND);
  });

  it('gets no link without being configured, and a sentence when the database is down', async () => {
    const unnamed = await linkFrom(service, { OWNER_EMAIL: '', NODE_ENV: 'test' });
    expect(unnamed).to.include({ code: 1, said: '' });
    expect(unnamed.refused).to.include('set OWNER_EMAIL').and.not.include('    at ');
    const down = await linkFrom(service, { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect(down).to.include({ code: 1, said: '' });
    expect(down.refused).to.include('the database can’t be reached').and.not.include('    at ');
  });

  it('is told on the sign-in page how to sign in', async () => {
    const { text: page } = await request(service.url).get('/signin').set('Accept', BROWSER).expect(200);
    expectNothingInline(page);
    expect(wordsOf(page)).to.include('Only the owner of this installation can sign in.').and.include('npm run sign-in-link');
    expect(page).not.to.include('<form');
    await request(service.url).post('/api/auth/signin/email').type('form').send({ email: OWNER }).expect(404);
    await request(service.url).get('/signin/sent').expect(404);
  });

  it('is the only one whose session or link counts', async () => {
    const other = await signInInProduction(service, 'eve@example.com');
    expect((await other.get('/api/auth/session')).body).to.deep.equal({});
    await other.get('/api/digests').expect(401);
    const asEve = await linkFrom(service, { OWNER_EMAIL: 'eve@example.com' });
    expect(await refusalOf(asEve.token)).to.equal('LINK_UNKNOWN');
    await request(service.url).get(`/auth/confirm?token=${asEve.token}`).expect(400);
  });
});

describe('The only account of an installation', () => {
  after(stopServices);

  it('follows its owner to a new address, with everything in it', async () => {
    const service = await startService({ worker: false, env: OWN });
    const first = await signInInProduction(service, OWNER);
    const { body: before } = await first.get('/api/auth/session').expect(200);
    const { text } = await post(first, '/settings/apps/calendar').expect(200);
    const [calendar = ''] = /\/calendar\/[\w-]{43}\.ics/.exec(text) ?? [];
    const url = await service.anotherWeb({ OWNER_EMAIL: 'nora@new.example' });
    const { token } = await linkFrom(service, { OWNER_EMAIL: 'nora@new.example' });
    const agent = request.agent(url);
    await request(service.url).get(calendar).expect(200);
    await request(url).get(calendar).expect(404);
    await agent.post(CALLBACK).type('form').send({ token }).expect(303);
    const { body: now } = await agent.get('/api/auth/session').expect(200);
    expect(now.user).to.deep.equal({ ...before.user, email: 'nora@new.example' });
    expect(await service.db('users').select('email')).to.deep.equal([{ email: 'nora@new.example' }]);
  });
});

describe('The owner of a one-person installation with a mail server', () => {
  let service: Service;
  before(async () => {
    service = await startService({ mail: true, env: { NODE_ENV: 'production', OWNER_EMAIL: OWNER } });
  });
  after(stopServices);

  const ask = (email: string) =>
    request(service.url).post('/api/auth/signin/email').type('form').set('Accept', BROWSER).send({ email });
  const afterAnswer = async (email: string) => {
    const { headers } = await ask(email).expect(303);
    const { text: page } = await request(service.url)
      .get(headers.location ?? '')
      .expect(200);
    return wordsOf(page).replaceAll(email, 'ADDRESS');
  };

  it('alone is sent a link, and everyone else gets the same answer', async () => {
    const [owners, others] = [await afterAnswer(OWNER), await afterAnswer('eve@example.com')];
    expect(others).to.equal(owners);
    const mail = await service.mail.waitForMail(OWNER);
    const agent = request.agent(service.url);
    await agent
      .post(CALLBACK)
      .type('form')
      .send({ token: tokenIn(mail) })
      .expect(303);
    // Asked for later than Eve's, so that hers would have come.
    await ask(OWNER).expect(303);
    await service.mail.waitForMail(OWNER, 2);
    expect(service.mail.mails().flatMap(({ to }) => to)).to.deep.equal([OWNER, OWNER]);
    expect(await service.db('sign_in_tokens').whereNot({ email: OWNER })).to.deep.equal([]);
  });
});
