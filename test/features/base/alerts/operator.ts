import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AlertBotSandbox, startAlertBotSandbox } from '../../../../sandbox/alertBot/server.ts';
import { ALERT_QUEUE } from '../../../../src/features/base/alerts/schema.ts';
import { type Alerts, kindKey, notify } from '../../../../src/features/base/alerts/service.ts';
import { type Service, stopLater } from '../../../support/service.ts';
import { PATIENCE_SECONDS, until } from '../../../support/until.ts';

export const HOUR = 3_600_000;

export const BOT = { token: '7001:test-token-of-the-bot', chatId: '-1007' };

/** A bot interface, and what leads the service to it. */
export async function startBot(): Promise<{ bot: AlertBotSandbox; env: Record<string, string> }> {
  const bot = stopLater(await startAlertBotSandbox(BOT));
  const env = {
    ADMIN_MESSENGER_BOT_TOKEN: BOT.token,
    ADMIN_MESSENGER_CHAT_ID: BOT.chatId,
    ADMIN_MESSENGER_API_URL: bot.url,
  };
  return { bot, env };
}

/** The texts in the operator's chat once at least one is as wanted. Throws when it does not come. */
export async function arrival(bot: AlertBotSandbox, wanted: RegExp): Promise<string> {
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const found = bot.messages().find(({ text }) => wanted.test(text));
    if (found) return found.text;
    const heard = bot.messages().map(({ text }) => text.split('\n').at(-1));
    if (Date.now() > end) throw new Error(`${wanted} did not arrive, but ${heard.join(', ')}`);
    await sleep(50);
  }
}

/** What the minute's round does. */
export async function sendDue(service: Service): Promise<void> {
  await service.worker().queue.send(ALERT_QUEUE.name, {});
}

/** Until everything that these workers told was stored and nothing more is to be sent now. */
export async function calm(service: Service, workers: { alerts: Alerts }[] = [service.worker()]): Promise<void> {
  for (const worker of workers) await untilStored(service, worker);
  const due = () => service.db('alerts').where({ state: 'waiting' }).where('due_at', '<=', service.clock.now());
  await until(async () => (await due()).length === 0);
}

/** Alerts are stored one after the other: once a last one is, all are. It repeats one that was sent, so it waits an hour. */
async function untilStored({ db, clock }: Service, worker: { alerts: Alerts }): Promise<void> {
  const last = { level: 'info', source: 'users', kind: `LAST ${randomUUID()}`, about: {} } as const;
  const at = clock.now();
  const sent = { kind_key: kindKey(last), state: 'sent', count: 1, is_repeat: false, first_at: at, last_at: at, due_at: at };
  await db('alerts').insert({ ...last, ...sent });
  notify(worker, last);
  const rows = () => db('alerts').where({ kind: last.kind });
  await until(async () => (await rows()).length === 2);
  await rows().delete();
}
