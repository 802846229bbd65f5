import { expect } from 'chai';
import { queueWeekMails, sendWeekMail } from '../../../../src/features/mail/weekly/service.ts';
import { post } from '../../../support/pages.ts';
import { stopServices } from '../../../support/service.ts';
import { headerOf } from '../../pages/today/mailing.ts';
import { due, FRIDAY, MONDAY, startWeekly, type Weekly } from './weekly.ts';

describe('The mail of a week', () => {
  let week: Weekly;
  beforeEach(async () => {
    week = await startWeekly();
    await week.store('Claire', [due('The price list', 1)]);
  });
  afterEach(stopServices);

  const send = (askedAt = week.service.clock.now()) => {
    const worker = week.service.worker();
    return sendWeekMail(worker, { userId: week.nora.userId, monday: MONDAY, askedAt: askedAt.toISOString() });
  };

  it('comes once, at its hour, and not before it is turned on', async () => {
    await week.goTo('2026-11-27T16:00:00Z');
    await week.tick();
    expect(week.mails()).to.deep.equal([]);
    await week.goTo('2026-11-26T10:00:00Z');
    await week.choose(FRIDAY, 16).expect(303);
    await week.goTo('2026-11-27T15:59:00Z');
    await week.tick();
    expect(week.mails()).to.deep.equal([]);
    await week.goTo('2026-11-27T16:01:00Z');
    for (let n = 0; n < 3; n++) await week.tick();
    expect(week.mails()).to.have.length(1);
    await week.goTo('2026-12-04T16:00:00Z');
    await week.store('Ada', [], { day: '2026-12-03' });
    await week.tick();
    expect(week.mails()).to.have.length(2);
    expect(new Set(week.mails().map(mail => headerOf(mail, 'Message-ID'))).size).to.equal(2);
  });

  it('comes once a week, though its day is changed or its hour comes twice', async () => {
    await post(week.nora.agent, '/settings', {
      ...{ syncTime: '18:00', timezone: 'Europe/Berlin', minMessages: '1', summaryStyle: 'BUSINESS' },
    }).expect(303);
    await week.goTo('2026-10-20T10:00:00Z');
    await week.store('Ada', [due('Early', -34)], { day: '2026-10-19' });
    await week.choose(7, 2).expect(303);
    for (const moment of ['2026-10-25T00:00:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:00:00Z']) {
      await week.goTo(moment);
      await week.tick();
    }
    expect(week.mails()).to.have.length(1);
    await week.choose(1, 8).expect(303);
    await week.goTo('2026-10-26T09:00:00Z');
    await week.tick();
    expect(week.mails(), 'the same week, told on Monday').to.have.length(1);
  });

  it('is queued once by concurrent workers', async () => {
    const others = await Promise.all(
      Array.from({ length: 5 }, async (_, n) => {
        const one = await week.join(`reader${n}@example.com`);
        await week.store('Ada', [due('One', 1)], {}, one);
        await week.choose(FRIDAY, 16, one).expect(303);
        return `reader${n}@example.com`;
      }),
    );
    await week.choose(FRIDAY, 16).expect(303);
    await week.goTo('2026-11-27T16:00:00Z');
    const second = await week.service.startWorker();
    await Promise.all([queueWeekMails(week.service.worker()), queueWeekMails(second), queueWeekMails(second)]);
    await week.atRest();
    expect(week.mails()).to.have.length(1);
    for (const to of others) expect(week.mails(to), to).to.have.length(1);
  });

  it('survives a worker that dies before it is queued', async () => {
    await week.choose(FRIDAY, 16).expect(303);
    await week.goTo('2026-11-27T16:00:00Z');
    const worker = week.service.worker();
    const dies = new Proxy(worker.queue, {
      get: (queue, key) => (key === 'insert' ? () => Promise.reject(new Error('killed')) : Reflect.get(queue, key)),
    });
    const outcome = await queueWeekMails({ ...worker, queue: dies }).catch((err: Error) => err.message);
    expect(outcome).to.equal('killed');
    expect(await week.service.db('sent_mails')).to.deep.equal([]);
  });

  it('does not come once it is turned off, nor after a week with nothing in it', async () => {
    await week.choose(FRIDAY, 16).expect(303);
    await week.turnOff().expect(303);
    await week.goTo('2026-11-27T16:00:00Z');
    await week.tick();
    await send();
    expect(week.mails()).to.deep.equal([]);
    await week.goTo('2026-11-29T10:00:00Z');
    await week.choose(FRIDAY, 16).expect(303);
    await week.goTo('2026-12-11T16:00:00Z');
    await week.service.db('promises').del();
    await week.tick();
    expect(week.mails()).to.deep.equal([]);
  });
});
