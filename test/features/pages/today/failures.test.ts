import { expect } from 'chai';
import { compact, expectNothingInline, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectedNora, connectMessenger, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { crowd, dialog, message, owner, person, world } from '../../../support/worlds.ts';

const PHONE = owner.phone ?? '';
const WORK = person(1900, { firstName: 'Nora', lastName: 'At Work', phone: '+34600111555' });

/** What breaks between Telegram and us, as the person meets it: the page, the status answer, and the next try. */
describe('A connection that breaks', () => {
  let service: Service;
  let nora: Agent;

  beforeEach(async () => {
    const atWork = { users: [person(2001)], dialogs: [dialog('user:2001', [message(1, { from: 2001 })])] };
    const worlds = [world(crowd(3)), world({ key: 'work', owner: WORK, ...atWork })];
    service = await startService({ worlds, env: { RATE_LIMIT_CONNECT: '50' } });
    nora = await connectedNora(service);
  });
  afterEach(stopServices);

  const page = async (path: string) => {
    const { text } = await nora.get(path).expect(200);
    expectNothingInline(text);
    return compact(text);
  };
  const today = async () => wordsOf(await page('/today'));
  const settings = async () => wordsOf(await page('/settings'));
  const write = (id: number) => service.sandbox.addMessages('test', `user:${id}`, [{ from: id, text: 'Hello again' }]);
  const nextDay = () => service.clock.advance(24 * 3600 * 1000);
  const flood = (seconds: number) =>
    service.sandbox.faults.next({ on: 'messages.GetDialogs', status: 420, message: `FLOOD_WAIT_${seconds}` });

  it('because the session was ended offers a link, and connecting again picks up where it stopped', async () => {
    await syncNow(nora);
    nextDay();
    write(5001);
    service.sandbox.faults.revokeSessions(PHONE);
    const { state, result } = await syncNow(nora);
    expect(state).to.equal('failed');
    expect(result.errors).to.have.length(1);
    expect(result.errors[0]).to.deep.include({
      dialogId: null,
      stage: 'connect',
      code: 'SESSION_EXPIRED',
      message: 'Telegram signed Forenoon out. New messages aren’t read until you connect again.',
      retryable: false,
    });

    const html = await page('/today');
    expect(html).to.match(/role="alert">.*Telegram signed Forenoon out.*href="\/connect">Connect again/);
    expect(wordsOf(html)).to.match(/As of yesterday \d\d:\d\d\./);
    expect(wordsOf(html)).to.include('Stopped at').and.not.include('Sync now').and.not.include('Try again');
    expect(await settings())
      .to.include('Signed out')
      .and.include('Connect again');
    expect((await syncNow(nora)).result.errors[0]?.code).to.equal('SESSION_EXPIRED');

    await connectMessenger(service, nora, PHONE);
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 1, errors: [] });
    expect(await today()).not.to.include('signed Forenoon out');
  });

  it('because the number was banned says so', async () => {
    await syncNow(nora);
    service.sandbox.faults.deactivate(PHONE);
    for (const _try of ['first', 'next']) {
      const { state, result } = await syncNow(nora);
      expect(state).to.equal('failed');
      expect(result.errors[0]).to.include({
        code: 'SESSION_EXPIRED',
        message: 'Telegram has banned this account. New messages can’t be read.',
      });
    }
    const words = await today();
    expect(words).to.include('Telegram has banned this account').and.include('Connect again');
    expect(words).not.to.include('signed Forenoon out');
    expect(await settings())
      .to.include('Banned by Telegram')
      .and.include('New messages can’t be read');
    const refused = await post(nora, '/connect', { phone: PHONE }).expect(400);
    expect(wordsOf(refused.text)).to.include('Telegram has banned this number.');
  });

  it('because the account is frozen says so, and reads on once it no longer is', async () => {
    await syncNow(nora);
    nextDay();
    write(5001);
    const frozen = { status: 420, message: 'FROZEN_METHOD_INVALID' };
    service.sandbox.faults.always({ on: 'messages.GetDialogs', ...frozen });
    const { state, result } = await syncNow(nora);
    expect(state).to.equal('failed');
    expect(result.errors).to.have.length(1);
    expect(result.errors[0]).to.include({ code: 'MESSENGER_UNAVAILABLE', retryable: false });
    expect(await today())
      .to.include('Telegram has frozen this account. You can appeal in Telegram.')
      .and.not.include('banned');
    service.sandbox.faults.clear();
    service.sandbox.faults.always({ on: 'messages.GetHistory', ...frozen });
    expect((await syncNow(nora)).result.errors).to.have.length(1);
    expect(await today())
      .to.match(/Failed .*/)
      .and.not.include('We couldn’t get this conversation');
    service.sandbox.faults.clear();
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 1, errors: [] });
  });

  it('names the affected account when another one works', async () => {
    await connectMessenger(service, nora, WORK.phone ?? '');
    service.sandbox.faults.revokeSessions(WORK.phone ?? '');
    const { state, result } = await syncNow(nora);
    expect(state).to.equal('completed');
    expect(result.digestsCreated).to.equal(3);
    const words = await today();
    expect(words).to.include('Telegram signed Forenoon out of Nora At Work, +34 600 ••••• 55');
    expect(words).to.include('Sync now').and.not.include('As of');
  });

  it('for a long flood wait says until when, offers no retry, and resumes automatically', async () => {
    flood(1800);
    const { state, result } = await syncNow(nora);
    expect(state).to.equal('failed');
    expect(result.errors[0]).to.include({ stage: 'connect', code: 'FLOOD_WAIT', retryable: true });

    const until = '\\d\\d:\\d\\d( on \\w+ \\d+ \\w+)?';
    const words = await today();
    expect(words).to.match(new RegExp(`Telegram asks us to wait until ${until} Trying again earlier makes the wait longer`));
    expect(words)
      .to.include('Nothing could be read yet.')
      .and.not.match(/Sync now|Try again|Read my conversations/);
    expect(await settings()).to.match(new RegExp(`Waiting .* Telegram asks us to wait until ${until}`));

    service.sandbox.resetCalls();
    expect((await syncNow(nora)).result.errors[0]?.code).to.equal('FLOOD_WAIT');
    const listed = await nora.get('/conversations').expect(429).expect('Retry-After', /^\d+$/);
    expectNothingInline(listed.text);
    expect(wordsOf(listed.text)).to.match(
      new RegExp(`^Conversations .*Telegram asks us to wait until ${until} Your conversations can be listed after that`),
    );
    expect(listed.text).to.include('href="/conversations">Check again').and.not.include('Connect Telegram');
    expect(service.sandbox.calls()).to.deep.equal({});

    service.clock.advance(1_801_000);
    const after = await today();
    expect(after).to.include('Try again').and.not.include('asks us to wait until');
    expect((await syncNow(nora)).result.digestsCreated).to.equal(3);
  });
});
