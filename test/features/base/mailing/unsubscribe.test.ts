import { expect } from 'chai';
import { SignJWT } from 'jose';
import request from 'supertest';
import { readUnsubscribe, signUnsubscribe } from '../../../../src/features/base/mailing/rules.ts';
import type { MailMode } from '../../../../src/features/base/settings/schema.ts';
import { expectNothingInline, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';

const ONE_CLICK = { 'List-Unsubscribe': 'One-Click' };
const DAY_MS = 24 * 3600 * 1000;

describe('Ending the mails', () => {
  let service: Service;
  let nora: Agent;
  let otto: Agent;

  before(async () => {
    service = await startService({ worker: false });
    nora = await signIn(service, 'nora@example.com');
    otto = await signIn(service, 'otto@example.com');
  });
  after(stopServices);

  const secret = () => service.env.SESSION_SECRET ?? '';
  const idOf = async (agent: Agent) => (await agent.get('/api/auth/session')).body.user.id as string;
  const tokenOf = async (agent: Agent, mode: MailMode = 'URGENT') =>
    signUnsubscribe(secret(), { userId: await idOf(agent), mail: 'digest', mode }, service.clock.now());
  const choose = (agent: Agent, mode: MailMode) => post(agent, '/settings/mail', { mailDigests: mode });
  const modeOf = async (agent: Agent): Promise<string> => {
    const row = await service
      .db('sync_configs')
      .where({ user_id: await idOf(agent) })
      .first('mail_digests');
    return row?.mail_digests ?? 'OFF';
  };
  /** What a mail service sends: no cookie, and no word of where it comes from but that it is elsewhere. */
  const oneClick = (token: string) =>
    request(service.url)
      .post(`/mail/unsubscribe/${token}`)
      .set('Sec-Fetch-Site', 'cross-site')
      .set('Origin', 'https://mail.example')
      .type('form')
      .send(ONE_CLICK);

  beforeEach(async () => {
    await choose(nora, 'URGENT').expect(303).expect('Location', '/settings');
    await choose(otto, 'ALWAYS').expect(303);
  });

  it('is off by default, and leaves the API’s settings unchanged', async () => {
    const newcomer = await signIn(service, 'new@example.com');
    expect(await modeOf(newcomer)).to.equal('OFF');
    const settings = await newcomer.get('/api/settings').expect(200);
    await choose(newcomer, 'ALWAYS').expect(303);
    expect((await newcomer.get('/api/settings').expect(200)).body).to.deep.equal(settings.body);
  });

  it('accepts a mail service’s one-click request, without a session and from another site', async () => {
    const { text } = await oneClick(await tokenOf(nora)).expect(200);
    expect(wordsOf(text)).to.include('The daily email is off').and.include('Turn the daily email back on');
    expectNothingInline(text);
    expect(await modeOf(nora)).to.equal('OFF');
    expect(await modeOf(otto)).to.equal('ALWAYS');
  });

  it('restores the former choice', async () => {
    const token = await tokenOf(nora, 'URGENT');
    await oneClick(token).expect(200);
    const { text } = await request(service.url).post(`/mail/resubscribe/${token}`).expect(200);
    expect(wordsOf(text)).to.include('Only when urgent, as before');
    expect(await modeOf(nora)).to.equal('URGENT');
  });

  it('refuses a token that is altered, foreign, empty or for something else', async () => {
    const mine = await tokenOf(nora);
    const [head, , mark] = mine.split('.');
    const ofOtto = (await tokenOf(otto)).split('.')[1];
    const elsewhere = { userId: await idOf(nora), mail: 'digest', mode: 'ALWAYS' } as const;
    const { headers } = await post(nora, '/api/auth/callback/dev-credentials', { email: 'nora@example.com' });
    const session = /session-token=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? 'none';
    expect(session.split('.')).to.have.length(3);
    const otherPurpose = await new SignJWT({ mode: 'ALWAYS' })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(elsewhere.userId)
      .setAudience('something-else')
      .setExpirationTime('1 year')
      .sign(new TextEncoder().encode(secret()));
    const bad: string[] = [
      `${head}.${ofOtto}.${mark}`,
      `${mine.slice(0, -3)}AAA`,
      await signUnsubscribe('another secret, as long as it must be', elsewhere, service.clock.now()),
      otherPurpose,
      session,
      'x',
      'a.b.c',
      '%00',
    ];
    for (const token of bad) {
      const { text } = await oneClick(token).expect(400);
      expect(wordsOf(text)).to.include('This link is incomplete or has expired.');
      await request(service.url).get(`/mail/unsubscribe/${token}`).expect(400);
      await request(service.url).post(`/mail/resubscribe/${token}`).expect(400);
    }
    expect(await modeOf(nora)).to.equal('URGENT');
    await request(service.url).post('/mail/unsubscribe/').expect(404);
  });

  it('opens no session with its token', async () => {
    const cookie = `authjs.session-token=${await tokenOf(nora)}`;
    const { body } = await request(service.url).get('/api/auth/session').set('Cookie', cookie).expect(200);
    expect(body).to.deep.equal({});
  });

  it('keeps its links valid for a year', async () => {
    const now = service.clock.now();
    const token = await tokenOf(nora);
    const readAfter = (days: number) => readUnsubscribe(secret(), token, new Date(now.getTime() + days * DAY_MS));
    expect(await readAfter(364)).to.deep.equal({ userId: await idOf(nora), mail: 'digest', mode: 'URGENT' });
    expect(await readAfter(366)).to.equal(undefined);
  });
});
