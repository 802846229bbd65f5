import { expect } from 'chai';
import { fillMornings } from '../../../bench/support/morning.ts';
import { expectNothingInline, post, wordsOf } from '../../support/pages.ts';
import { type Agent, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const PAGE = '/settings/billing';

describe('The page of plan and billing', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worker: false, payments: true });
  });
  beforeEach(async () => {
    await service.db('subscriptions').delete();
    await service.db('users').delete();
    nora = await signIn(service, 'nora@example.com');
  });
  after(stopServices);

  const show = async (query = '') => (await nora.get(`${PAGE}${query}`).expect(200)).text;
  const words = async (query = '') => wordsOf(await show(query));
  const submit = (address: string, form: Record<string, string>) =>
    fetch(address, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

  async function leaves(path: string, form: Record<string, string> = {}): Promise<string> {
    const { headers } = await post(nora, `${PAGE}/${path}`, form).expect(303);
    return headers.location ?? '';
  }

  async function buy(plan: string): Promise<void> {
    const checkout = await leaves('checkout', { plan });
    const paid = await submit(checkout, { decision: 'pay' });
    expect(paid.headers.get('location')).to.equal('http://127.0.0.1:3000/settings/billing?checkout=success');
    await until(async () => service.payments.events().every(({ dueAt }) => dueAt === null));
  }

  /** On the portal's page of the newest subscription. */
  async function act(form: Record<string, string>): Promise<void> {
    const portal = await leaves('portal');
    await submit(`${portal}/${service.payments.subscriptions().at(-1)?.id}`, form);
    await until(async () => service.payments.events().every(({ dueAt }) => dueAt === null));
  }

  it('shows the free plan, the other plans, and the limits of each', async () => {
    const html = await show();
    expectNothingInline(html);
    expect(wordsOf(html))
      .to.include('Starter, free')
      .and.include('300 conversations a day')
      .and.include('1,000 conversations a day')
      .and.include('Unlimited conversations')
      .and.include('One Telegram account')
      .and.include('10 Telegram accounts')
      .and.include('Choose Pro');
    expect(html).to.include('href="/settings/billing" aria-current="true"').and.not.include('Manage billing');
    expect((await nora.get('/settings').expect(200)).text).to.include('href="/settings/billing"');
  });

  it('shows what each plan costs, asking the provider once', async () => {
    const html = await show();
    expect(wordsOf(html)).to.match(/Starter Your plan Free .*Pro €29 a month .*Enterprise €99 a month/);
    expect(wordsOf(html), 'what everyone has').not.to.include('Subscribe');
    expect(wordsOf(html)).to.include('You pay through our payment provider');
    const asked = service.payments.calls();
    await show();
    expect(service.payments.calls()).to.deep.equal(asked);
    await buy('PRO');
    expect(await words()).to.include('Pro, €29 a month Paid until');
    await service.db('subscriptions').update({ price_id: 'price_of_last_year' });
    expect(await words(), 'what somebody else pays').to.include('Pro Paid until');
  });

  it('shows how much of the plan is used today', async () => {
    expect(await words())
      .to.include('0 of 300 conversations today')
      .and.include('0 of 1 Telegram account');
    await nora.post('/api/settings').send({ timezone: 'UTC' }).expect(200);
    const { id: user_id } = await service.db('users').first('id');
    await fillMornings(service.db, user_id, { perDay: 3, days: 2, script: 'latin' });
    const html = await show();
    expect(wordsOf(html)).to.include('3 of 300 conversations today').and.include('1 of 1 Telegram account');
    expect(html).to.include('max="300" value="3"');
    await buy('ENTERPRISE');
    expect(await words())
      .to.include('3 conversations today No limit on your plan')
      .and.include('1 of 10 Telegram accounts');
  });

  it('sells a plan: redirects to the provider, and back with a confirmation', async () => {
    const checkout = await leaves('checkout', { plan: 'PRO' });
    expect(new URL(checkout).origin).to.equal(new URL(service.payments.url).origin);
    expect(await (await fetch(checkout)).text())
      .to.include('nora@example.com')
      .and.include('€29 a month');
    expect(await words('?checkout=success'))
      .to.include('Waiting for the payment provider')
      .and.include('I didn’t pay');
    expect(await show('?checkout=success'), 'a second buy meanwhile').not.to.include(`${PAGE}/checkout"`);
    const arrived = () => nora.get(`${PAGE}/arrived`).set('HX-Request', 'true');
    await arrived().expect(204);
    await buy('PRO');
    expect((await arrived().expect(200)).headers['hx-refresh']).to.equal('true');
    const said = await words('?checkout=success');
    expect(said)
      .to.include('Pro is your plan now')
      .and.match(/Paid until \d+ \w+ \d{4}, then renewed/);
    expect(said).to.include('Manage billing').and.include('Change to Enterprise');
  });

  it('sends paying users to the provider’s portal instead of selling twice', async () => {
    const before = service.payments.subscriptions().length;
    await buy('PRO');
    for (const status of ['unpaid', 'active']) {
      await service.db('subscriptions').whereNotNull('plan').update({ status });
      expect(await leaves('checkout', { plan: 'ENTERPRISE' }), status).to.match(/\/portal\//);
    }
    await act({ act: 'change', price: 'price_enterprise' });
    expect(await words())
      .to.include('Enterprise, €99 a month Paid until')
      .and.include('Change to Pro');
    await service.db('subscriptions').update({ status: 'unpaid' });
    expect(await leaves('checkout', { plan: 'PRO' })).to.match(/\/portal\//);
    expect(service.payments.subscriptions()).to.have.length(before + 1);
  });

  it('says when a plan is past due, on which day it ends, and that it has ended', async () => {
    await buy('PRO');
    await act({ act: 'fail' });
    await act({ act: 'renew' });
    expect(wordsOf((await nora.get('/today').expect(200)).text)).to.include('The last payment didn’t go through');
    expect(await words())
      .to.include('The last payment didn’t go through')
      .and.include('You keep Pro');
    await act({ act: 'renew' });
    expect(await words()).to.match(/Paid until \d+ \w+ \d{4}/);
    await act({ act: 'end' });
    expect(await words()).to.match(/Ends on \d+ \w+ \d{4} and won’t renew/);
    await act({ act: 'cancel' });
    expect(await words())
      .to.include('Starter, free')
      .and.include('has ended')
      .and.include('Choose Pro');
    await buy('ENTERPRISE');
    const customers = service.payments
      .subscriptions()
      .slice(-2)
      .map(({ customerId }) => customerId);
    expect(customers[0]).to.equal(customers[1]);
  });

  it('comes back with an error message when the provider fails', async () => {
    service.payments.faults.next({ status: 500, times: 2 });
    expect(await leaves('checkout', { plan: 'PRO' })).to.equal(PAGE);
    expect(await words())
      .to.include('can’t be reached right now')
      .and.include('Nothing was bought');
  });
});
