import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { AlertBotSandbox } from '../../../../sandbox/alertBot/server.ts';
import { deleteAlertsAbout, listAlerts } from '../../../../src/features/base/alerts/repo.ts';
import { notify } from '../../../../src/features/base/alerts/service.ts';
import { signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { crowd, world } from '../../../support/worlds.ts';
import { arrival, BOT, calm, HOUR, sendDue, startBot } from './operator.ts';

describe('Alerts', () => {
  let bot: AlertBotSandbox;
  let service: Service;

  before(async () => {
    const started = await startBot();
    bot = started.bot;
    service = await startService({ worlds: [world({ ...crowd(3) })], env: started.env });
  });
  after(stopServices);
  afterEach(async () => {
    bot.faults.clear();
    service.clock.advance(2 * HOUR);
    await sendDue(service);
    await calm(service);
  });

  const tell = (kind: string, about = {}) =>
    notify(service.worker(), { level: 'error', source: 'crm', kind, about: { jobId: 'job 1', ...about } });
  const textsOf = (kind: string) =>
    bot
      .messages()
      .map(({ text }) => text)
      .filter(text => text.endsWith(kind));

  it('of a thousand identical failures in two processes become two messages, the first and a count', async () => {
    const first = service.worker();
    const second = await service.startWorker();
    for (let i = 0; i < 500; i += 1) {
      for (const { alerts } of [first, second]) {
        notify({ alerts }, { level: 'error', source: 'crm', kind: 'SAME_FAILURE', about: { number: i } });
      }
    }
    await arrival(bot, /SAME_FAILURE$/);
    await calm(service, [first, second]);
    expect(textsOf('SAME_FAILURE')).to.have.length(1);
    expect(textsOf('SAME_FAILURE')[0]).to.match(/^Error · CRM\nSame failure\.\nnumber: \d+\nSAME_FAILURE$/);
    service.clock.advance(59 * 60_000);
    await sendDue(service);
    await calm(service);
    expect(textsOf('SAME_FAILURE')).to.have.length(1);
    service.clock.advance(2 * 60_000);
    await sendDue(service);
    await arrival(bot, /999 more between \d\d:\d\d and \d\d:\d\d UTC/);
    await calm(service);
    expect(textsOf('SAME_FAILURE')).to.have.length(2);
  });

  it('of revenue are never grouped', async () => {
    for (const plan of ['PRO', 'PRO', 'PRO']) {
      notify(service.worker(), { level: 'revenue', source: 'payments', kind: 'SUBSCRIPTION_STARTED', about: { plan } });
    }
    await until(() => textsOf('SUBSCRIPTION_STARTED').length > 2);
    await calm(service);
    expect(textsOf('SUBSCRIPTION_STARTED')).to.have.length(3);
  });

  it('rejected by the API don’t block the next one', async () => {
    bot.faults.next({ status: 400 });
    tell('NOT_TAKEN');
    tell('TAKEN');
    await arrival(bot, /TAKEN$/);
    await calm(service);
    expect(textsOf('NOT_TAKEN')).to.deep.equal([]);
    expect((await listAlerts(service.db, { limit: 50 })).find(({ kind }) => kind === 'NOT_TAKEN')?.state).to.equal(
      'refused',
    );
  });

  it('cause no error when the database rejects them', async () => {
    await service.db.raw('alter table alerts rename to alerts_away');
    tell('WITHOUT_TABLE');
    await sleep(200);
    await service.db.raw('alter table alerts_away rename to alerts');
    await arrival(bot, /WITHOUT_TABLE$/);
  });

  it('never name the bot’s token', async () => {
    const rows = JSON.stringify(await service.db('alerts'));
    const jobs = JSON.stringify(await service.db('pgboss.job'));
    expect(rows + jobs).not.to.include(BOT.token);
  });

  it('are forgotten with the user they are about', async () => {
    await signIn(service, 'nora@example.com');
    const [user] = await service.db('users');
    notify(service.worker(), { level: 'info', source: 'sync', kind: 'OF_USER', about: { jobId: `sync:${user.id}:1` } });
    await arrival(bot, /OF_USER$/);
    await calm(service);
    expect(await deleteAlertsAbout(service.db, { userId: user.id })).to.be.above(0);
    expect(JSON.stringify(await service.db('alerts'))).not.to.include(user.id);
  });
});
