import { expect } from 'chai';
import { compact, expectNothingInline, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectMessenger, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { owner } from '../../../support/worlds.ts';
import { begin, codeShown, ledTo, PASSWORD, SECOND, untilSaid, worlds } from './scanning.ts';

describe('Connecting an account by a code to scan', () => {
  let service: Service;
  let nora: Agent;
  let email: string;

  before(async () => {
    service = await startService({ worlds, env: { RATE_LIMIT_CONNECT: '100' } });
  });
  beforeEach(async () => {
    email = `nora${Math.random()}@example.com`;
    nora = await signIn(service, email);
  });
  afterEach(() => service.sandbox.faults.clear());
  after(stopServices);

  const accounts = async () => {
    const { id } = await service.db('users').where({ email }).first();
    return service.db('messenger_accounts').where({ user_id: id }).select();
  };

  it('shows a code without scripts, and begins the first sync once it is scanned', async () => {
    const { text: offered } = await nora.get('/connect').expect(200);
    expect(offered).to.include('formaction="/connect/scan"');
    await begin(nora);
    const { text } = await nora.get('/connect/scan').expect(200);
    expectNothingInline(text);
    expect(codeShown(text)).to.match(/^<svg xmlns=.* viewBox=.*<path /);
    expect(compact(text)).to.include('<noscript><meta http-equiv="refresh" content="6"></noscript>');
    expect(wordsOf(text))
      .to.include('Settings, Devices, Link Desktop Device')
      .and.match(/New code in \d+ seconds?/);
    service.sandbox.scan('test');
    expect(await ledTo(nora)).to.equal('/today');
    expect(wordsOf((await nora.get('/today').expect(200)).text)).to.include('Telegram is connected: Nora');
    const [account, ...others] = await accounts();
    expect(account).to.include({ status: 'active', phone: owner.phone, first_name: 'Nora' });
    expect(others).to.deep.equal([]);
    await nora.get('/connect/scan').expect(303).expect('Location', '/connect');
  });

  it('goes on with the password of an account that has one, which keeps its form after a wrong one', async () => {
    await begin(nora);
    service.sandbox.scan('locked');
    expect(await ledTo(nora)).to.equal('/connect/password');
    const form = compact((await nora.get('/connect/password').expect(200)).text);
    expect(form, 'a password manager keeps it under a name').to.match(/autocomplete="username" value="Telegram"/);
    await nora.get('/connect/scan').expect(303).expect('Location', '/connect/password');
    const { text } = await post(nora, '/connect/password', { password: 'wrong horse' }).expect(400);
    expect(text).not.to.include('wrong horse');
    expect(wordsOf(text)).to.include('That isn’t your two-step verification password.');
    service.clock.advance(5 * 60_000);
    await post(nora, '/connect/password', { password: PASSWORD }).expect(303).expect('Location', '/today');
    expect((await accounts()).map(({ first_name }) => first_name)).to.deep.equal(['Olu']);
  });

  it('reuses the row of an account that is connected, and signs out its former session', async () => {
    await giveRoom();
    const accountId = await connectMessenger(service, nora, SECOND.phone ?? '');
    const before = service.sandbox.devices('second');
    await begin(nora);
    service.sandbox.scan('second');
    expect(await ledTo(nora)).to.equal('/today');
    expect((await accounts()).map(({ id, status }) => [id, status])).to.deep.equal([[accountId, 'active']]);
    expect(service.sandbox.devices('second')).to.equal(before);
  });

  it('signs an account out again when the plan no longer had room for it at the scan', async () => {
    await begin(nora);
    await connectMessenger(service, nora, owner.phone ?? '');
    const before = service.sandbox.devices('second');
    service.sandbox.scan('second');
    const text = await untilSaid(nora, /Your plan includes/);
    expect(wordsOf(text)).to.include('Nothing was connected.');
    expect(service.sandbox.devices('second')).to.equal(before);
    expect((await accounts()).map(({ phone }) => phone)).to.deep.equal([owner.phone]);
  });

  it('signs it out later where Telegram can’t be told at once, also after its password', async () => {
    const kim = await signIn(service, `kim${Math.random()}@example.com`);
    await begin(kim);
    service.sandbox.scan('locked');
    expect(await ledTo(kim)).to.equal('/connect/password');
    const before = devices();
    await begin(nora);
    service.sandbox.scan('second');
    for (const person of [nora, kim]) await connectMessenger(service, person, owner.phone ?? '');
    service.sandbox.faults.next({ on: 'auth.LogOut', times: 999, status: -503, message: 'Timeout' });
    await untilSaid(nora, /Your plan includes/);
    await post(kim, '/connect/password', { password: PASSWORD }).expect(409);
    service.sandbox.faults.clear();
    await until(() => devices().every((count, n) => count === (before[n] ?? 0)));
    expect((await accounts()).map(({ phone }) => phone)).to.deep.equal([owner.phone]);
  });

  const devices = () => ['second', 'locked'].map(key => service.sandbox.devices(key));

  async function giveRoom() {
    const { id: userId } = await service.db('users').where({ email }).first();
    const live = { plan: 'PRO', status: 'active', subscription_id: `sub_${Math.random()}` };
    await service.db('subscriptions').insert({ user_id: userId, ...live });
  }
});
