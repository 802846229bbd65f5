import { expect } from 'chai';
import { END_SCAN_QUEUE } from '../../../../src/features/messenger/login/schema.ts';
import { compact, expectNothingInline, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectMessenger, cookiesOf, cookiesOfBoth, signIn } from '../../../support/people.ts';
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

  it('cannot be taken over by another user, not even with the session cookie of the browser that began it', async () => {
    await begin(nora);
    service.sandbox.scan('test');
    const other = await signIn(service, `other${Math.random()}@example.com`);
    await begin(other);
    const asked = await fetch(`${service.url}/connect/scan`, { headers: { Cookie: cookiesOfBoth(nora, other) } });
    expect(wordsOf(await asked.text())).to.include('This code has expired');
    expect(await accounts()).to.deep.equal([]);
    expect(await ledTo(nora)).to.equal('/today');
  });

  it('asks Telegram with one request at a time, however many ask', async () => {
    await begin(nora);
    service.sandbox.faults.endSharedKeys(true);
    service.sandbox.scan('test');
    const [second, third] = [await service.anotherWeb(), await service.anotherWeb()];
    const cookies = await cookiesOf(nora);
    const asking = [service.url, second, third, service.url, second, third].map(url =>
      fetch(`${url}/connect/scan`, { headers: { Cookie: cookies }, redirect: 'manual' }),
    );
    expect((await Promise.all(asking)).map(({ status }) => status)).to.satisfy((all: number[]) =>
      all.every(status => status === 200 || status === 303),
    );
    await nora.get('/connect/scan');
    const [account] = await accounts();
    expect(account).to.include({ status: 'active' });
    const { body } = await nora.get('/api/messenger/dialogs').expect(200);
    expect(body.dialogs).to.be.an('array');
    expect((await accounts()).map(({ status }) => status)).to.deep.equal(['active']);
  });

  it('goes on in another process when one fails between two data centres', async () => {
    await begin(nora);
    service.sandbox.faults.next({ on: 'auth.ImportLoginToken', times: 9, status: -503, message: 'Timeout' });
    service.sandbox.scan('distant');
    await untilSaid(nora, /tries again automatically/);
    service.sandbox.faults.clear();
    const another = await service.anotherWeb();
    const cookies = await cookiesOf(nora);
    const ask = () => fetch(`${another}/connect/scan`, { headers: { Cookie: cookies }, redirect: 'manual' });
    await until(async () => (await ask()) && (await accounts()).length > 0);
    expect((await accounts()).map(({ first_name }) => first_name)).to.deep.equal(['Bo']);
  });

  it('closes the session of a code that was scanned after its page was left', async () => {
    await begin(nora);
    const before = service.sandbox.devices('test');
    service.sandbox.scan('test');
    expect(service.sandbox.devices('test')).to.equal(before + 1);
    const { id } = await service.db('users').where({ email }).first();
    await service
      .db('pgboss.job')
      .where({ name: END_SCAN_QUEUE.name })
      .whereRaw(`data->>'userId' = ?`, [id])
      .update({ start_after: service.db.fn.now() });
    const logins = service.db('messenger_logins').where({ user_id: id });
    await until(async () => (await logins.clone()).length === 0);
    expect(service.sandbox.devices('test')).to.equal(before);
    expect(wordsOf((await nora.get('/connect/scan').expect(200)).text)).to.include('This code has expired');
  });

  it('closes it at once when the person deletes the account first', async () => {
    await begin(nora);
    const before = service.sandbox.devices('test');
    service.sandbox.scan('test');
    await post(nora, '/settings/account/delete', { email }).expect(303).expect('Location', '/goodbye');
    expect(service.sandbox.devices('test')).to.equal(before);
  });

  it('leaves a session alone that is in use', async () => {
    await begin(nora);
    service.sandbox.scan('test');
    expect(await ledTo(nora)).to.equal('/today');
    const before = service.sandbox.devices('test');
    const { id } = await service.db('users').where({ email }).first();
    const job = service.db('pgboss.job').where({ name: END_SCAN_QUEUE.name }).whereRaw(`data->>'userId' = ?`, [id]);
    await job.clone().update({ start_after: service.db.fn.now() });
    await until(async () => (await job.clone().whereNot({ state: 'completed' })).length === 0);
    expect(await job.clone().pluck('state')).to.deep.equal(['completed']);
    expect(service.sandbox.devices('test')).to.equal(before);
  });

  it('keeps no code and no session readable between the steps', async () => {
    await begin(nora);
    const [newest] = service.sandbox.codesShown();
    const token = new URL(newest?.link ?? '').searchParams.get('token') ?? '';
    expect(token).to.have.length.above(20);
    const tables = ['messenger_logins', 'rate_limits', 'browser_sessions', 'pgboss.job'];
    const rows = JSON.stringify(await Promise.all(tables.map(table => service.db(table))));
    expect(rows).not.to.include(token);
  });
});

describe('Asking for codes to scan', () => {
  after(stopServices);

  it('is limited per user across all processes, together with codes sent to phones', async () => {
    const service = await startService({ worlds, worker: false, env: { RATE_LIMIT_CONNECT_USER: '3' } });
    const nora = await signIn(service, 'nora@example.com');
    await post(nora, '/connect', { phone: SECOND.phone ?? '' }).expect(303);
    await post(nora, '/connect/scan').expect(303);
    const another = await signIn({ url: await service.anotherWeb() }, 'nora@example.com');
    await post(another, '/connect/scan').expect(303);
    const { text, headers } = await post(another, '/connect/scan').expect(429);
    expect(wordsOf(text)).to.include('Too many codes. Try again in 15 minutes');
    expect(Number(headers['retry-after'])).to.be.within(1, 900);
    await post(await signIn(service, 'sam@example.com'), '/connect/scan').expect(303);
  });
});
