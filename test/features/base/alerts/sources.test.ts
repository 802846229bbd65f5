import { expect } from 'chai';
import type { AlertBotSandbox } from '../../../../sandbox/alertBot/server.ts';
import { type AiSandbox, startAiSandbox } from '../../../support/ai/server.ts';
import { type Agent, connectCrm, connectedNora, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopLater, stopServices } from '../../../support/service.ts';
import { crowd, owner, world } from '../../../support/worlds.ts';
import { arrival, calm, HOUR, sendDue, startBot } from './operator.ts';

/** Each source of alerts of the specification's section 6, from its event to the operator's chat. Payments' are tested with their webhook. */
describe('The operator is alerted', () => {
  let bot: AlertBotSandbox;
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;

  before(async () => {
    const started = await startBot();
    bot = started.bot;
    ai = stopLater(await startAiSandbox({}));
    const env = { ...started.env, AI_API_KEY: 'key', AI_MODEL: 'model', AI_API_URL: ai.url };
    service = await startService({ worlds: [world({ ...crowd(2) })], env, crm: true });
    nora = await connectedNora(service);
  });
  after(stopServices);
  afterEach(async () => {
    ai.faults.clear();
    service.crm.faults.clear();
    service.clock.advance(2 * HOUR);
    await sendDue(service);
    await calm(service);
  });

  const somethingNew = () => service.sandbox.addMessages('test', 'user:5001', [{ from: 5001, text: 'Could you call me?' }]);

  it('of a sign-up, a connected account and a connected CRM', async () => {
    expect(await arrival(bot, /USER_SIGNED_UP$/)).to.match(/^Info · Users\nSomeone signed up\.\nuserId: [-\da-f]{36}\n/);
    expect(await arrival(bot, /MESSENGER_CONNECTED$/)).to.match(/^Info · Telegram\nA Telegram account was connected\./);
    await connectCrm(service, nora);
    expect(await arrival(bot, /CRM_CONNECTED$/)).to.match(/^Info · CRM\n/);
  });

  it('of a finished sync', async () => {
    await syncNow(nora);
    const text = await arrival(bot, /SYNC_COMPLETED$/);
    expect(text)
      .to.match(/^Info · Sync\nA sync finished\.\n/)
      .and.match(/\ndigestsCreated: 2\nerrors: 0\n/);
  });

  it('of a model that answers with anything but JSON, and of the partly failed sync', async () => {
    somethingNew();
    ai.faults.always({ kind: 'notJson' });
    await syncNow(nora);
    expect(await arrival(bot, /AI_BAD_OUTPUT$/)).to.match(/^Error · Summaries\n/);
    expect(await arrival(bot, /SYNC_PARTIAL$/)).to.match(/^Warning · Sync\nA sync finished with errors\./);
  });

  it('of a CRM that fails', async () => {
    service.crm.faults.next({ status: 500 });
    await nora.get('/api/crm/contacts/suggest').query({ name: 'Nadia Keller' });
    expect(await arrival(bot, /^Error · CRM\n/)).to.match(/CRM_(RETRIED|UNAVAILABLE)$/);
  });

  it('of a sync ended by a flood wait', async () => {
    somethingNew();
    service.sandbox.faults.next({ on: 'messages.GetDialogs', status: 420, message: 'FLOOD_WAIT_1800' });
    await syncNow(nora);
    expect(await arrival(bot, /^Warning · Sync[\s\S]*FLOOD_WAIT$/)).to.match(
      /^Warning · Sync\nTelegram asks us to wait\.[\s\S]*seconds: 1[78]\d\d/,
    );
    expect(await arrival(bot, /SYNC_FAILED$/)).to.match(/^Error · Sync\nA sync failed: nothing could be read\./);
  });

  it('of an account that Telegram signed out', async () => {
    service.sandbox.faults.revokeSessions(owner.phone ?? '');
    await syncNow(nora);
    expect(await arrival(bot, /SESSION_EXPIRED$/)).to.match(/^Error · Telegram\nTelegram signed an account out/);
  });

  it('without messages, names or contact details', async () => {
    const all = bot
      .messages()
      .map(({ text }) => text)
      .join('\n');
    const names = await service.db('dialogs').pluck('peer_name');
    for (const told of [...names, owner.phone ?? '', 'Could you call me', 'nora@example.com']) {
      expect(all).not.to.include(told);
    }
  });
});
