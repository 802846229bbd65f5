import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import request from 'supertest';
import { type AlertBotSandbox, startAlertBotSandbox } from '../../../sandbox/alertBot/server.ts';

const BOT = { token: '1:token', chatId: '7' };

describe('The local bot interface', () => {
  let stateDir: string;
  let sandbox: AlertBotSandbox;

  before(async () => {
    stateDir = mkdtempSync(join(tmpdir(), 'forenoon-bot-'));
    sandbox = await startAlertBotSandbox({ ...BOT, stateDir });
  });
  after(async () => {
    await sandbox.stop();
    rmSync(stateDir, { recursive: true, force: true });
  });

  const send = (body: object, path = '/bot1:token/sendMessage') => request(sandbox.url).post(path).send(body);

  it('takes a message and answers as Telegram does', async () => {
    const { body } = await send({ chat_id: '7', text: '<b>Hi</b> &amp; welcome', parse_mode: 'HTML' }).expect(200);
    expect(body.ok).to.equal(true);
    expect(body.result).to.include({ message_id: 1, text: 'Hi & welcome' });
    expect(sandbox.messages().at(-1)?.text).to.equal('Hi & welcome');
  });

  it('refuses what Telegram refuses', async () => {
    const cases: [body: object, status: number, description: RegExp, path?: string][] = [
      [{ chat_id: '8', text: 'x' }, 400, /chat not found/],
      [{ chat_id: '7', text: '' }, 400, /text is empty/],
      [{ chat_id: '7' }, 400, /text is empty/],
      [{ chat_id: '7', text: 'x'.repeat(4097) }, 400, /too long/],
      [{ chat_id: '7', text: '<b>x', parse_mode: 'HTML' }, 400, /parse entities/],
      [{ chat_id: '7', text: '<h1>x</h1>', parse_mode: 'HTML' }, 400, /parse entities/],
      [{ chat_id: '7', text: 'x' }, 401, /Unauthorized/, '/bot2:token/sendMessage'],
      [{ chat_id: '7', text: 'x' }, 404, /Not Found/, '/sendMessage'],
    ];
    for (const [message, status, description, path] of cases) {
      const { body } = await send(message, path).expect(status);
      expect(body).to.include({ ok: false, error_code: status });
      expect(body.description).to.match(description);
    }
    expect(sandbox.messages()).to.have.length(1);
  });
});
