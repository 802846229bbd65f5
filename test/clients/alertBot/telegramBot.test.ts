import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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

  it('sends a title and lines to the chat', async () => {
    await bot().send(HELLO);
    expect(newest()).to.equal('Error · Sync\nA sync failed.');
  });

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

  it('follows no redirect and does not accept another page as an answer', async () => {
    const seen: string[] = [];
    const server: Server = createServer((req, res) => {
      seen.push(req.url ?? '');
      if (seen.length === 1) res.writeHead(302, { location: '/elsewhere' }).end();
      else res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await failureOf(bot({ apiUrl }).send(HELLO))).to.include({ kind: 'permanent', code: 'REDIRECTED' });
    expect(await failureOf(bot({ apiUrl }).send(HELLO))).to.include({ code: 'UNREADABLE_REPLY' });
    expect(seen).to.deep.equal([`/bot${TOKEN}/sendMessage`, `/bot${TOKEN}/sendMessage`]);
    server.close();
  });
});
