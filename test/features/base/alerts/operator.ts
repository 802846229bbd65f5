import { setTimeout as sleep } from 'node:timers/promises';
import { type AlertBotSandbox, startAlertBotSandbox } from '../../../../sandbox/alertBot/server.ts';
import { ALERT_QUEUE } from '../../../../src/features/base/alerts/schema.ts';
import { type Service, stopLater } from '../../../support/service.ts';
import { PATIENCE_SECONDS } from '../../../support/until.ts';

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

/** Until everything told was stored and nothing more is to be sent now. */
export async function calm(service: Service): Promise<void> {
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  for (let quiet = 0; quiet < 3; ) {
    const due = await service.db('alerts').where({ state: 'waiting' }).where('due_at', '<=', service.clock.now()).first();
    quiet = due ? 0 : quiet + 1;
    if (Date.now() > end) throw new Error('alerts are still to be sent');
    await sleep(150);
  }
}
