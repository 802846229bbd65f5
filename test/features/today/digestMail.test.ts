import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import request from 'supertest';
import { ClientError } from '../../../src/clients/errors.ts';
import { queueDailySyncs } from '../../../src/features/sync/dailySyncs.ts';
import { type DigestMailPayload, SYNC_LATER_QUEUE } from '../../../src/features/sync/schema.ts';
import { type DigestMailDeps, sendDigestMail } from '../../../src/features/today/digestMail.ts';
import type { SandboxMail } from '../../../src/sandbox/mail/inbox.ts';
import { post } from '../../support/pages.ts';
import { type Agent, connectMessenger, finished, signIn, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { dialog, message, owner, person, world } from '../../support/worlds.ts';

const NORA = 'nora@example.com';
const OLU = person(2000, { firstName: 'Olu', lastName: 'Adeyemi', phone: '+34600111333' });
const HOSTILE = '<script>alert("Unsubscribe")</script>';
const OWED = 'Can you send me the offer for the roof today?';
const HOUR_MS = 3_600_000;

/** One conversation, named by whoever writes in it. */
function worldOf(key: string, account: typeof owner, peerId: number, peer: string) {
  const users = [person(peerId, { firstName: peer })];
  const messages = [message(peerId, { from: peerId, text: 'The photos of the fair have come.' })];
  return world({ key, owner: account, users, dialogs: [dialog(`user:${peerId}`, messages)] });
}

describe('The digests by mail', () => {
  let service: Service;
  let nora: Agent;
  let userId: string;

  beforeEach(async () => {
    const worlds = [worldOf('nora', owner, 5001, 'Wilhelmina'), worldOf('olu', OLU, 6001, HOSTILE)];
    service = await startService({ worlds, mail: true, env: { RATE_LIMIT_CONNECT: '50' } });
    ({ agent: nora, userId } = await join(NORA, owner.phone));
  });
  afterEach(stopServices);

  async function join(email: string, phone: string | null) {
    const agent = await signIn(service, email);
    await connectMessenger(service, agent, phone ?? '');
    return { agent, userId: (await agent.get('/api/auth/session')).body.user.id as string };
  }
  const choose = (mode: string, agent = nora) => post(agent, '/settings/mail', { mailDigests: mode }).expect(303);
  const write = (...texts: string[]) =>
    service.sandbox.addMessages(
      'nora',
      'user:5001',
      texts.map(text => ({ from: 5001, text })),
    );
  const mails = (to = NORA) => service.mail.mails().filter(mail => mail.to.includes(to));

  /** Each time the next daily sync of this user, and the end of every mail it leads to. */
  async function dailySync(of = { agent: nora, userId }) {
    const { next_sync_at: due } = await service.db('sync_configs').where({ user_id: of.userId }).first();
    await queueDailySyncs({ ...service.worker(), clock: { now: () => due } }, { spreadSeconds: 0 });
    const { id } = await service.db('sync_jobs').where({ user_id: of.userId }).orderBy('created_at', 'desc').first();
    const status = await finished(of.agent, id);
    await mailsAtRest();
    return { id, ...status };
  }
  async function mailsAtRest() {
    const open = service.db.withSchema('pgboss').table('job').where({ name: 'digest-mail' });
    for (let asked = 0; asked < 400; asked++) {
      const [row] = await open.clone().whereIn('state', ['created', 'active', 'retry']).count<{ count: string }[]>();
      if (row?.count === '0') return;
      await sleep(50);
    }
    throw new Error('mails are still under way');
  }
  /** Sends as the job does. */
  const send = async (details: Partial<DigestMailPayload> = {}) => {
    const { digest_day: day } = await service
      .db('digests')
      .where({ user_id: userId })
      .first(service.db.raw(`to_char(max(digest_date), 'YYYY-MM-DD') as digest_day`));
    const payload = { userId, jobId: 'none', day, askedAt: service.clock.now().toISOString(), ...details };
    return sendDigestMail(mailing(), payload);
  };
  const mailing = (): DigestMailDeps => ({ ...service.worker(), appUrl: service.worker().config.appUrl });

  it('come when the daily sync ends, with nothing of what was said in the subject', async () => {
    await choose('ALWAYS');
    await write(OWED);
    await dailySync();
    const mail = await service.mail.waitForMail(NORA);
    expect(mail.subject).to.match(/^[A-Z][a-z]+day: nothing urgent, one person waits for you$/);
    for (const body of [mail.text, mail.html]) {
      expect(body).to.include('Nothing urgent. One person waits for something from you.');
      expect(body).to.include('Wilhelmina').and.include('send me the offer for the roof').and.include('You · today');
    }
    const { id } = await service.db('digests').first();
    expect(mail.text).to.include(`/digests/${id}`);
    expect(mail.html).to.include(`/digests/${id}`);
    expect(headerOf(mail, 'Message-ID')).to.match(/^<digest-[0-9a-f-]{36}@forenoon\.example>$/);
  });

  it('end with the one click their headers offer', async () => {
    await choose('ALWAYS');
    await dailySync();
    const mail = await service.mail.waitForMail(NORA);
    expect(headerOf(mail, 'List-Unsubscribe-Post')).to.equal('List-Unsubscribe=One-Click');
    const address = new URL(headerOf(mail, 'List-Unsubscribe').replace(/^<|>$/g, ''));
    expect(mail.html).to.include(address.href);
    await request(service.url)
      .post(address.pathname)
      .type('form')
      .send('List-Unsubscribe=One-Click')
      .set('Origin', 'https://mail.example')
      .expect(200);
    service.clock.advance(24 * HOUR_MS);
    await write(OWED);
    await dailySync();
    expect(mails()).to.have.length(1);
  });

  it('do not come when nobody asked for them, nor after a sync that was asked for by hand', async () => {
    await dailySync();
    await choose('ALWAYS');
    await write(OWED);
    await syncNow(nora);
    await mailsAtRest();
    expect(mails()).to.deep.equal([]);
  });

  it('come once a day, however often the day is synced', async () => {
    await choose('ALWAYS');
    await dailySync();
    await write(OWED);
    await dailySync();
    await send();
    expect(mails()).to.have.length(1);
    service.clock.advance(24 * HOUR_MS);
    await write('The roof is finished.');
    await dailySync();
    expect(mails()).to.have.length(2);
    const [first, second] = mails().map(mail => headerOf(mail, 'Message-ID'));
    expect(first).not.to.equal(second);
  });

  it('do not come on a day on which nothing new was written', async () => {
    await choose('ALWAYS');
    await dailySync();
    service.clock.advance(24 * HOUR_MS);
    expect((await dailySync()).state).to.equal('completed');
    expect(mails()).to.have.length(1);
  });

  it('come only when something is urgent, for who chose that', async () => {
    await choose('URGENT');
    await dailySync();
    expect(mails()).to.deep.equal([]);
    await write('URGENT: the roof leaks, please call me back immediately!');
    await dailySync();
    expect(mails().map(({ subject }) => subject)).to.have.length(1);
    expect(mails()[0]?.subject).to.include('one is urgent');
  });

  it('tell once that Telegram ended the session, also to who wants only what is urgent', async () => {
    await choose('URGENT');
    await dailySync();
    service.sandbox.faults.revokeSessions(owner.phone ?? '');
    await dailySync();
    const mail = await service.mail.waitForMail(NORA);
    expect(mail.text).to.include('Telegram signed Forenoon out').and.include('/connect');
    expect(mails()).to.have.length(1);
  });

  it('come after what a long flood put off', async () => {
    await choose('ALWAYS');
    service.sandbox.faults.failNext({ method: 'messages.GetDialogs', times: 1, code: 420, message: 'FLOOD_WAIT_1800' });
    const { state } = await dailySync();
    expect(state).to.equal('failed');
    expect(mails()).to.deep.equal([]);
    service.clock.advance(HOUR_MS);
    const later = service.db.withSchema('pgboss').table('job').where({ name: SYNC_LATER_QUEUE.name });
    await later.update({ start_after: new Date() });
    // The digest's day is the daily sync's own unless midnight passed in the hour.
    const { id } = await service.db('sync_jobs').where({ kind: 'daily' }).first();
    const today = service.clock.now().toISOString().slice(0, 10);
    await service
      .db('sync_jobs')
      .where({ id })
      .update({ id: `sync:${userId}:daily:${today}` });
    await service.mail.waitForMail(NORA);
    expect(mails()).to.have.length(1);
  });

  it('are sent by one of several workers', async () => {
    await dailySync();
    await choose('ALWAYS');
    service.mail.faults.always({ delayMs: 300 });
    await service.startWorker();
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => send()));
    expect(tries.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(mails()).to.have.length(1);
  });

  it('are tried again by the queue while the mail server takes none', async () => {
    await choose('ALWAYS');
    service.mail.faults.next({ status: 451 });
    await dailySync();
    expect(mails()).to.have.length(1);
  });

  it('are the same message when nobody knows whether the first was taken', async () => {
    await dailySync();
    await choose('ALWAYS');
    service.mail.faults.next({ losesAnswer: true });
    await failsWith('temporary');
    await send();
    const ids = mails().map(mail => headerOf(mail, 'Message-ID'));
    expect(ids).to.have.length(2);
    expect(new Set(ids).size).to.equal(1);
  });

  it('go on from a worker that died over one', async () => {
    await dailySync();
    await choose('ALWAYS');
    service.mail.faults.next({ status: 451 });
    await failsWith('temporary');
    await service.db('digest_mails').update({ claimed_until: new Date(service.clock.now().getTime() + 120_000) });
    await send().then(
      () => expect.fail('another worker has it'),
      err => expect(err.message).to.include('another worker'),
    );
    service.clock.advance(121_000);
    await send();
    expect(mails()).to.have.length(1);
  });

  it('are given up when the address is refused for good, which the operator hears without a word of theirs', async () => {
    await dailySync();
    await choose('ALWAYS');
    service.mail.faults.next({ addressStatus: 550 });
    await send();
    await send();
    expect(mails()).to.deep.equal([]);
    expect(await aboutAlert())
      .to.have.all.keys('userId', 'code')
      .and.include({ userId });
  });

  it('are given up when they would come too late', async () => {
    await dailySync();
    await choose('ALWAYS');
    service.mail.faults.always({ status: 451 });
    const hoursAgo = (hours: number) => new Date(service.clock.now().getTime() - hours * HOUR_MS).toISOString();
    await failsWith('temporary', { askedAt: hoursAgo(11) });
    await send({ askedAt: hoursAgo(13) });
    service.mail.faults.clear();
    await send();
    expect(mails()).to.deep.equal([]);
    expect(await aboutAlert()).to.include({ userId });
  });

  it('hold what others wrote as text, and nothing of anybody else', async () => {
    const olu = await join('olu@example.com', OLU.phone);
    await choose('ALWAYS');
    await choose('ALWAYS', olu.agent);
    await dailySync(olu);
    await service.mail.waitForMail(NORA);
    const mail = await service.mail.waitForMail('olu@example.com');
    expect(mail.html).to.include('&lt;script&gt;alert(').and.not.include('<script');
    expect(mail.text).to.include(HOSTILE);
    expect(mail.source).not.to.match(/Wilhelmina|nora@/);
    for (const one of mails()) expect(one.source).not.to.match(/olu@|alert\(/);
  });

  async function failsWith(kind: string, details: Partial<DigestMailPayload> = {}) {
    const err = await send(details).then(
      () => expect.fail('the server took it'),
      (caught: unknown) => caught,
    );
    expect(err).to.be.instanceOf(ClientError).and.include({ kind });
  }
  async function aboutAlert(): Promise<Record<string, unknown>> {
    for (let asked = 0; asked < 100; asked++) {
      const alert = await service.db('alerts').where({ kind: 'DIGEST_MAIL_NOT_SENT' }).first();
      if (alert) return alert.about;
      await sleep(50);
    }
    throw new Error('nobody told the operator');
  }
});

describe('Without a mail server', () => {
  after(stopServices);

  it('no mail is due, and the settings say so', async () => {
    const service = await startService({ worlds: [worldOf('nora', owner, 5001, 'Wilhelmina')] });
    const nora = await signIn(service, NORA);
    await connectMessenger(service, nora, owner.phone ?? '');
    expect((await nora.get('/settings')).text).to.include('No mail server is set up here');
    await post(nora, '/settings/mail', { mailDigests: 'ALWAYS' }).expect(303);
    await syncNow(nora);
    const { id: userId } = await service.db('users').first();
    const askedAt = new Date().toISOString();
    const deps = { ...service.worker(), appUrl: 'http://127.0.0.1' };
    await sendDigestMail(deps, { userId, jobId: 'none', day: askedAt.slice(0, 10), askedAt });
    expect(await service.db('digest_mails')).to.deep.equal([]);
  });
});

function headerOf(mail: SandboxMail, name: string): string {
  return mail.headers.find(header => header.name.toLowerCase() === name.toLowerCase())?.value ?? '';
}
