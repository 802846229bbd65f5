import { expect } from 'chai';
import { ClientError } from '../../../../src/clients/errors.ts';
import type { DigestMailPayload } from '../../../../src/features/sync/schema.ts';
import { renewLease, takeLease } from '../../../../src/lib/lease.ts';
import { stopServices } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { HOUR_MS, headerOf, type Mailing, startMailing } from '../../pages/today/mailing.ts';

/** What the mail server, or the worker that speaks with it, may do to a mail. */
describe('The digests by email, when something fails,', () => {
  let day: Mailing;
  beforeEach(async () => {
    day = await startMailing();
  });
  afterEach(stopServices);

  it('are sent by one of several workers', async () => {
    await day.dailySync();
    await day.choose('ALWAYS');
    day.service.mail.faults.delay(300);
    await day.service.startWorker();
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => day.send()));
    expect(tries.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(day.mails()).to.have.length(1);
  });

  it('are the same message when the first attempt’s outcome is unknown', async () => {
    day.write('Please send me the photos by Friday.');
    await day.dailySync();
    await day.choose('ALWAYS');
    day.service.mail.faults.next({ losesAnswer: true });
    await forget();
    await failsWith('temporary');
    expect(await seen()).to.equal(0);
    await day.send();
    expect(await seen()).to.be.greaterThan(0);
    const ids = day.mails().map(mail => headerOf(mail, 'Message-ID'));
    expect(ids).to.have.length(2);
    expect(new Set(ids).size).to.equal(1);
  });

  it('continue after a worker died while sending', async () => {
    await day.dailySync();
    await day.choose('ALWAYS');
    day.service.mail.faults.next({ status: 451 });
    await failsWith('temporary');
    const [{ user_id: userId }] = await day.service.db('sent_mails');
    const lease = await takeLease(day.service.db, [`mail digest ${userId}`], 120);
    await day.send().then(
      () => expect.fail('another worker has it'),
      err => expect(err.message).to.include('another worker'),
    );
    if (lease) await renewLease(day.service.db, { ...lease, seconds: 0 });
    await day.send();
    expect(day.mails()).to.have.length(1);
  });

  it('are given up when the address is permanently rejected, which is reported without personal data', async () => {
    await day.dailySync();
    await day.choose('ALWAYS');
    day.service.mail.faults.next({ addressStatus: 550 });
    await day.send();
    await day.send();
    expect(day.mails()).to.deep.equal([]);
    expect(await aboutAlert())
      .to.have.all.keys('userId', 'code')
      .and.include({ userId: day.nora.userId });
  });

  it('are given up when they would come too late', async () => {
    day.write('Please send me the photos by Friday.');
    await day.dailySync();
    await day.choose('ALWAYS');
    await forget();
    day.service.mail.faults.always({ status: 451 });
    const hoursAgo = (hours: number) => new Date(day.service.clock.now().getTime() - hours * HOUR_MS).toISOString();
    await failsWith('temporary', { askedAt: hoursAgo(11) });
    await day.send({ askedAt: hoursAgo(13) });
    day.service.mail.faults.clear();
    await day.send();
    expect(await seen()).to.equal(0);
    expect(day.mails()).to.deep.equal([]);
    expect(await aboutAlert()).to.deep.equal({ userId: day.nora.userId, code: 'TOO_LATE' });
  });

  /** Pages were opened on the way here. */
  const forget = () => day.service.db('promise_read_markers').delete();
  const seen = async () => Number((await day.service.db('promise_read_markers').first())?.last_seen_number ?? 0);

  async function failsWith(kind: string, details: Partial<DigestMailPayload> = {}) {
    const err = await day.send(details).then(
      () => expect.fail('the server took it'),
      (caught: unknown) => caught,
    );
    expect(err).to.be.instanceOf(ClientError).and.include({ kind });
  }
  async function aboutAlert(): Promise<Record<string, unknown>> {
    const alert = () => day.service.db('alerts').where({ kind: 'DIGEST_MAIL_NOT_SENT' }).first();
    await until(alert);
    return (await alert()).about;
  }
});
