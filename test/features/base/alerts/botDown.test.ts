import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type AlertBotSandbox, startAlertBotSandbox } from '../../../../sandbox/alertBot/server.ts';
import { notify } from '../../../../src/features/base/alerts/service.ts';
import { type Agent, connectedNora, signIn, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { crowd, world } from '../../../support/worlds.ts';
import { BOT, calm, HOUR, sendDue, startBot } from './operator.ts';

const ALERTS = 20;
/** Longer than everything else in here takes together. */
const SLOWNESS_MS = 8000;

describe('A failing bot API @thorough', () => {
  let bot: AlertBotSandbox;
  let service: Service;
  let nora: Agent;

  before(async () => {
    const started = await startBot();
    bot = started.bot;
    service = await startService({ worlds: [world({ ...crowd(3) })], env: started.env });
    nora = await connectedNora(service);
    await syncNow(nora);
    await calm(service);
  });
  after(async () => {
    await stopServices();
    await bot.stop();
  });

  const outages: Record<string, { begin: () => unknown; end: () => unknown }> = {
    down: {
      begin: () => bot.stop(),
      end: async () => {
        bot = await startAlertBotSandbox({ ...BOT, port: Number(new URL(bot.url).port) });
      },
    },
    slow: { begin: () => bot.faults.delay(SLOWNESS_MS), end: () => bot.faults.clear() },
    failing: { begin: () => bot.faults.always({ status: 502 }), end: () => bot.faults.clear() },
  };

  for (const [state, { begin, end }] of Object.entries(outages)) {
    it(`that is ${state} delays no page, sync or other alert, and gets each one once it works again`, async () => {
      await begin();
      const kind = (n: number) => `${state.toUpperCase()}_${n}`;
      const began = Date.now();
      for (let n = 0; n < ALERTS; n += 1) {
        notify(service.worker(), { level: 'error', source: 'crm', kind: kind(n), about: {} });
      }
      service.sandbox.addMessages('test', 'user:5001', [{ from: 5001, text: 'Could you call me?' }]);
      await nora.get('/api/digests').expect(200);
      await signIn(service, `${state}@example.com`);
      expect((await syncNow(nora)).result).to.include({ digestsCreated: 1 });
      const stored = () => service.db('alerts').where('kind', 'like', `${state.toUpperCase()}_%`);
      while ((await stored()).length < ALERTS) await sleep(50);
      expect(Date.now() - began).to.be.below(SLOWNESS_MS);

      await end();
      await sleep(state === 'slow' ? SLOWNESS_MS : 500);
      service.clock.advance(HOUR / 2);
      await sendDue(service);
      await calm(service);
      const heard = bot.messages().map(({ text }) => text.split('\n').at(-1));
      for (let n = 0; n < ALERTS; n += 1) {
        expect(
          heard.filter(one => one === kind(n)),
          kind(n),
        ).to.have.length(1);
      }
    });
  }
});
