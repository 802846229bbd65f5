import { inspect } from 'node:util';
import { expect } from 'chai';
import { type AlertBotSandbox, startAlertBotSandbox } from '../../../sandbox/alertBot/server.ts';
import { createTelegramBot } from '../../../src/clients/alertBot/telegramBot.ts';
import { ClientError } from '../../../src/clients/errors.ts';
import { errorForLog } from '../../../src/lib/log.ts';

const TOKEN = '42:secret-of-the-bot';
const CHAT = { token: TOKEN, chatId: '-77' };
const HELLO = { title: 'Error · Sync', lines: ['A sync failed.'] };

describe('The alert bot', () => {
  let sandbox: AlertBotSandbox;

  before(async () => {
    sandbox = await startAlertBotSandbox(CHAT);
  });
  afterEach(() => sandbox.faults.clear());
  after(() => sandbox.stop());

  const bot = (own = {}) => createTelegramBot({ ...CHAT, apiUrl: sandbox.url, ...own });
  const newest = () => sandbox.messages().at(-1)?.text ?? '';

  async function failureOf(sending: Promise<void>): Promise<ClientError> {
    try {
      await sending;
    } catch (err) {
      expect(err).to.be.instanceOf(ClientError);
      for (const shown of [inspect(err, { depth: 9 }), JSON.stringify(errorForLog(err))]) {
        expect(shown).not.to.include(TOKEN).and.not.include('secret');
      }
      return err as ClientError;
    }
    throw new Error('it was taken');
  }

  it('escapes whatever looks like markup', async () => {
    const lines = ['<b>not bold</b> & <script>', 'a &lt; b', '</b>', '😀 <'];
    await bot().send({ title: '<i>', lines });
    expect(newest()).to.equal(`<i>\n${lines.join('\n')}`);
  });

  it('distinguishes temporary from permanent errors and never reveals its token', async () => {
    sandbox.faults.next({ status: 502 });
    expect(await failureOf(bot().send(HELLO))).to.include({ kind: 'temporary', code: 'UNAVAILABLE' });
    sandbox.faults.next({ isSilent: true });
    expect(await failureOf(bot({ deadlineMs: 150 }).send(HELLO))).to.include({ kind: 'temporary', code: 'TIMEOUT' });
    expect(await failureOf(bot({ apiUrl: 'http://127.0.0.1:1' }).send(HELLO))).to.include({ code: 'UNREACHABLE' });
    const stranger = createTelegramBot({ token: '1:other-secret', chatId: '-77', apiUrl: sandbox.url });
    expect(await failureOf(stranger.send(HELLO))).to.include({ kind: 'auth', code: 'BOT_TOKEN_REFUSED' });
    expect(await failureOf(bot({ chatId: '-78' }).send(HELLO))).to.include({ kind: 'permanent' });
  });
});
