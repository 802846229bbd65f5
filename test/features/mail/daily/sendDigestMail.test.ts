import { expect } from 'chai';
import { sendDigestMail } from '../../../../src/features/mail/daily/sendDigestMail.ts';
import { SYNC_LATER_QUEUE } from '../../../../src/features/sync/schema.ts';
import { post } from '../../../support/pages.ts';
import { connectMessenger, finished, signIn, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { owner } from '../../../support/worlds.ts';
import { HOSTILE, HOUR_MS, headerOf, type Mailing, NORA, OLU, startMailing, worldOf } from '../../pages/today/mailing.ts';

const OWED = 'Can you send me the offer for the roof today?';

/** A time zone in which it is between eight and nine in the morning, whenever this runs. */
function zoneOfMorning({ clock }: Service): string {
  const ahead = 8 - clock.now().getUTCHours();
  const within = ahead < -12 ? ahead + 24 : ahead;
  return `Etc/GMT${within > 0 ? '-' : '+'}${Math.abs(within)}`;
}

describe('The digests by mail', () => {
  let day: Mailing;
  beforeEach(async () => {
    day = await startMailing();
  });
  afterEach(stopServices);

  it('come when the daily sync ends, with nothing of what was said in the subject', async () => {
    await day.nora.agent
      .post('/api/settings')
      .send({ timezone: zoneOfMorning(day.service) })
      .expect(200);
    await day.choose('ALWAYS');
    await day.write(OWED);
    day.service.sandbox.addMessages('nora', 'user:5001', [{ from: owner.id, text: 'Yes, I will send it today' }]);
    await day.dailySync();
    const mail = await day.service.mail.waitForMail(NORA);
    expect(mail.subject).to.match(/^[A-Z][a-z]+day: One promise is due today\.$/);
    for (const body of [mail.text, mail.html]) {
      expect(body).to.include('One promise is due today.');
      expect(body).to.include('Wilhelmina').and.include('the offer for the roof').and.include('today');
    }
    const { id, dialog_id: dialogId } = await day.service.db('digests').first();
    expect(mail.html).to.include(`/conversations/${dialogId}"`).and.include(`/digests/${id}"`);
    expect(mail.text).to.include('Open Today: http');
    expect(headerOf(mail, 'Message-ID')).to.match(/^<digest-[0-9a-f-]{36}@forenoon\.example>$/);
  });

  it('are not sent unless chosen, nor after a manual sync', async () => {
    await day.dailySync();
    await day.choose('ALWAYS');
    await day.write(OWED);
    await syncNow(day.nora.agent);
    await day.mailsAtRest();
    expect(day.mails()).to.deep.equal([]);
  });

  it('come once a day, however often the day is synced', async () => {
    await day.choose('ALWAYS');
    await day.write(OWED);
    await day.dailySync();
    await day.write('The roof is half done.');
    await syncNow(day.nora.agent);
    await day.send();
    expect(day.mails()).to.have.length(1);
    day.service.clock.advance(24 * HOUR_MS);
    await day.write('The roof is finished.');
    await day.dailySync();
    expect(day.mails()).to.have.length(2);
    const [first, second] = day.mails().map(mail => headerOf(mail, 'Message-ID'));
    expect(first).not.to.equal(second);
  });

  it('report once that Telegram ended the session, even to users who chose urgent only', async () => {
    await day.choose('URGENT');
    await day.dailySync();
    day.service.sandbox.faults.revokeSessions(owner.phone ?? '');
    await day.dailySync();
    const mail = await day.service.mail.waitForMail(NORA);
    expect(mail.text).to.include('Telegram signed Forenoon out').and.include('/connect');
    expect(day.mails()).to.have.length(1);
  });

  describe('with a sync that a long flood put off', () => {
    beforeEach(async () => {
      // The retry is of the same day.
      if (day.service.clock.now().getUTCHours() > 20) day.service.clock.advance(6 * HOUR_MS);
      await day.choose('ALWAYS');
      const method = 'messages.GetDialogs';
      day.service.sandbox.faults.next({ on: method, status: 420, message: 'FLOOD_WAIT_1800' });
    });

    const floodIsOver = async () => {
      day.service.clock.advance(HOUR_MS);
      const later = day.service.db.withSchema('pgboss').table('job').where({ name: SYNC_LATER_QUEUE.name });
      await later.update({ start_after: new Date() });
      const { state } = await finished(day.nora.agent, `sync:${day.nora.userId}:retry:1`);
      expect(state).to.equal('completed');
      await day.mailsAtRest();
    };

    it('come after the retry of the daily one', async () => {
      expect((await day.dailySync()).state).to.equal('failed');
      expect(day.mails()).to.deep.equal([]);
      await floodIsOver();
      expect(day.mails()).to.have.length(1);
    });

    it('do not come after the retry of a manual one', async () => {
      expect((await syncNow(day.nora.agent)).state).to.equal('failed');
      await floodIsOver();
      expect(day.mails()).to.deep.equal([]);
    });
  });

  it('escape what others wrote, and contain no other user’s data', async () => {
    const olu = await day.join('olu@example.com', OLU.phone);
    await day.choose('ALWAYS');
    await day.choose('ALWAYS', olu);
    await day.dailySync(olu);
    await day.service.mail.waitForMail(NORA);
    const mail = await day.service.mail.waitForMail('olu@example.com');
    expect(mail.html).to.include('&lt;script&gt;alert(').and.not.include('<script');
    expect(mail.text).to.include(HOSTILE);
    expect(mail.source).not.to.match(/Wilhelmina|nora@/);
    for (const one of day.mails()) expect(one.source).not.to.match(/olu@|alert\(/);
  });
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
    expect(await service.db('sent_mails')).to.deep.equal([]);
  });
});
