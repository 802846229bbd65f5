import { expect } from 'chai';
import { htmxPost, post, wordsOf } from '../../support/pages.ts';
import { type Agent, connectMessenger, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { owner, person, world } from '../../support/worlds.ts';

const PHONES = [owner, person(1900, { phone: '+34600111555' })];
const [FIRST = '', SECOND = ''] = PHONES.map(({ phone }) => phone ?? '');
const worlds = PHONES.map((one, index) => world({ key: `world-${index}`, owner: one }));

describe('The plan’s messenger accounts', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worlds, worker: false, env: { RATE_LIMIT_CONNECT: '20' } });
    nora = await signIn(service, 'nora@example.com');
    await connectMessenger(service, nora, FIRST);
  });
  after(stopServices);

  const ask = (phone: string) => post(nora, '/connect', { phone });
  const codesSent = () => service.sandbox.calls()['auth.SendCode'] ?? 0;

  it('are refused on the page before a code is sent, in words with what to do', async () => {
    service.sandbox.resetCalls();
    const answer = await ask(SECOND).expect(409);
    expect(wordsOf(answer.text))
      .to.include('Your plan includes 1 Telegram account, which is already connected')
      .and.include('No code was sent. Disconnect one first');
    expect(answer.text).to.match(/href="\/settings\/billing">Choose a larger plan/);
    expect(answer.text).to.include('href="/settings#connections"').and.include(`value="${SECOND}"`);
    expect((await htmxPost(nora, '/connect', { phone: SECOND }).expect(409)).text.trim()).to.match(/^<div id="wizard">/);
    expect(codesSent()).to.equal(0);
  });

  it('leave room to sign in again with a phone that is connected, in any spelling', async () => {
    await ask(`00${FIRST.slice(1, 3)} ${FIRST.slice(3)}`).expect(303);
    expect(codesSent()).to.equal(1);
  });

  it('count only accounts that are active', async () => {
    await service.db('messenger_accounts').update({ status: 'expired' });
    await ask(SECOND).expect(303);
    await service.db('messenger_accounts').update({ status: 'active' });
    await ask(SECOND).expect(409);
  });

  it('grow with a live subscription', async () => {
    const { id: userId } = await service.db('users').where({ email: 'nora@example.com' }).first();
    await service.db('subscriptions').insert({ user_id: userId, plan: 'PRO', status: 'active', subscription_id: 'sub_1' });
    await ask(SECOND).expect(303);
    await service.db('subscriptions').update({ status: 'unpaid' });
    await ask(SECOND).expect(409);
  });

  it('do not limit the JSON API', async () => {
    await connectMessenger(service, nora, SECOND);
    expect(await service.db('messenger_accounts').where({ status: 'active' })).to.have.length(2);
  });
});
