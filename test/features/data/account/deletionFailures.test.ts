import { expect } from 'chai';
import { CANCEL_QUEUE } from '../../../../src/features/billing/schema.ts';
import { deleteAccount as erase, sweepOrphans } from '../../../../src/features/data/account/service.ts';
import { storeAccount } from '../../../../src/features/messenger/service.ts';
import { post, wordsOf } from '../../../support/pages.ts';
import { connectCrm } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { crowd, owner, world } from '../../../support/worlds.ts';
import { buy, connectedPerson, deleteAccount, type Person, tracesOf } from './person.ts';

const PEOPLE = 8;

describe('Deleting an account', () => {
  let service: Service;
  let used = 0;

  before(async () => {
    const worlds = Array.from({ length: PEOPLE }, (_, n) =>
      world({ key: `world ${n}`, owner: { ...owner, id: 1000 + n, phone: `+3460000010${n}` }, ...crowd(40) }),
    );
    service = await startService({ worlds, crm: true, payments: true });
  });
  afterEach(() => {
    service.sandbox.faults.clear();
    service.crm.faults.clear();
    service.payments.faults.clear();
  });
  after(stopServices);

  /** Each test has someone of its own. */
  async function somebody(): Promise<Person> {
    const n = used++;
    return connectedPerson(service, `person${n}@example.com`, n);
  }

  async function expectNoTrace({ userId, email, phone }: Person): Promise<void> {
    // An alert is stored a moment after what it tells of; the next sweep takes it.
    await until(async () => {
      await sweepOrphans(service);
      return (await tracesOf(service, [userId, email, phone])).length === 0;
    }).catch(() => undefined);
    expect(await tracesOf(service, [userId, email, phone])).to.deep.equal([]);
  }

  const alertsSince = async (count: number) => (await service.db('alerts').orderBy('first_at')).slice(count);

  it('stops a running sync, restores nothing and sends no alert @thorough', async () => {
    const person = await somebody();
    service.sandbox.faults.delay(150);
    const { body } = await person.agent.post('/api/sync/trigger').expect(200);
    await until(async () => (await service.db('digests').where({ user_id: person.userId, status: 'COMPLETE' })).length > 2);
    const before = (await service.db('alerts')).length;
    const began = Date.now();
    await deleteAccount(person).expect(303).expect('Location', '/goodbye');
    expect(Date.now() - began).to.be.below(15_000);
    service.sandbox.faults.clear();
    // The queue notices a job that was taken away at its next heartbeat.
    await new Promise(resolve => setTimeout(resolve, 6000));
    expect((await alertsSince(before)).filter(({ kind }) => kind !== 'USER_DELETED')).to.deep.equal([]);
    expect(body.jobId).to.include(person.userId);
    await expectNoTrace(person);
  });

  it('is idempotent under concurrent requests', async () => {
    const person = await somebody();
    const answers = await Promise.all([1, 2, 3].map(() => deleteAccount(person)));
    for (const { status, headers } of answers) {
      expect(status).to.be.oneOf([302, 303]);
      expect(headers.location).to.match(/^\/(goodbye|signin)/);
    }
    expect(answers.some(({ status }) => status === 303)).to.equal(true);
    await deleteAccount(person).expect(302);
    await expectNoTrace(person);
  });

  it('works while messenger, CRM and payment provider are down, and ends the subscription once that is back', async () => {
    const person = await somebody();
    await connectCrm(service, person.agent);
    await buy(service, person.agent);
    service.sandbox.faults.next({ on: 'auth.LogOut', status: 500, message: 'INTERNAL', times: 20 });
    service.crm.faults.next({ on: 'oauth.revoke', status: 500, times: 3 });
    service.payments.faults.next({ status: 500, times: 6 });
    const { headers } = await deleteAccount(person).expect(303);
    expect(headers.location).to.equal('/goodbye?left=messenger,crm,payments');
    expect(wordsOf((await person.agent.get(headers.location ?? '').expect(200)).text))
      .to.include('We couldn’t reach Telegram')
      .and.include('We couldn’t reach the CRM')
      .and.include('We keep trying until your subscription is canceled');
    expect(service.payments.subscriptions().at(-1)?.status).to.equal('active');
    await expectNoTrace(person);
    service.payments.faults.clear();
    await service.db.raw(`update pgboss.job set start_after = now() where name = ? and state = 'retry'`, [
      CANCEL_QUEUE.name,
    ]);
    await until(() => service.payments.subscriptions().at(-1)?.status === 'canceled');
    await until(() => service.payments.events().every(({ dueAt }) => dueAt === null));
    await expectNoTrace(person);
  });

  it('cancels a subscription that was ordered before and paid afterwards', async () => {
    const person = await somebody();
    const { headers } = await post(person.agent, '/settings/billing/checkout', { plan: 'PRO' }).expect(303);
    await deleteAccount(person).expect(303);
    const count = service.payments.subscriptions().length;
    const paid = { method: 'POST', body: new URLSearchParams({ decision: 'pay' }), redirect: 'manual' } as const;
    await fetch(headers.location ?? '', paid);
    await until(() => service.payments.subscriptions().length === count + 1);
    await until(() => service.payments.subscriptions().at(-1)?.status === 'canceled');
    await until(() => service.payments.events().every(({ dueAt }) => dueAt === null));
    await expectNoTrace(person);
  });

  it('also ends a connection made at that moment', async () => {
    const person = await somebody();
    const { messenger, ...deps } = service.worker();
    const account = () => service.db('messenger_accounts').where({ user_id: person.userId });
    const { credentials } = await account().first();
    const ended: string[] = [];
    const logOut = async (session: string) => {
      await messenger.logOut(session);
      if (ended.push(session) === 1) await account().update({ status: 'active', credentials });
    };
    const forgetBrowserSessions = async () => {};
    const unreached = await erase({ ...deps, messenger: { ...messenger, logOut }, forgetBrowserSessions }, person);
    expect([...unreached]).to.deep.equal([]);
    expect(ended).to.have.length(2);
    await expectNoTrace(person);
  });

  it('keeps no connection made right after', async () => {
    const person = await somebody();
    await deleteAccount(person).expect(303);
    const { messenger, ...deps } = service.worker();
    const ended: string[] = [];
    const logOut = async (session: string) => void ended.push(session);
    const messengerUser = { id: '1', firstName: '', lastName: '', username: '', phone: person.phone };
    const signedIn = { userId: person.userId, session: 'just made', messengerUser, choice: undefined };
    const stored = storeAccount({ ...deps, messenger: { ...messenger, logOut } }, signedIn, async () => {});
    await stored.then(
      () => expect.fail('it was stored'),
      err => expect(err).to.have.property('code', '23503'),
    );
    expect(ended).to.deep.equal(['just made']);
    await expectNoTrace(person);
  });
});
