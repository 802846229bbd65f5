import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type AlertBotSandbox, startAlertBotSandbox } from '../../sandbox/alertBot/server.ts';
import { type CrmSandbox, startCrmSandbox } from '../../sandbox/crm/server.ts';
import { priceVariables, samplePrices } from '../../sandbox/payments/prices.ts';
import { type PaymentsSandbox, startPaymentsSandbox } from '../../sandbox/payments/server.ts';
import { codeOf, startMessenger } from '../clients/messenger/messenger.ts';
import { type AiSandbox, startAiSandbox } from '../support/ai/server.ts';
import { startMail, type TestMail } from '../support/mail.ts';
import { dialog, message, owner, person, world } from '../support/worlds.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PHONE = owner.phone ?? '';
const ada = person(2001, { firstName: 'Ada', lastName: 'Secretname' });
const APP = { clientId: 'check-app', clientSecret: 'check-secret' };
const KEYS = { secretKey: 'sk_test_check', webhookSecret: 'whsec_check' };
const MODEL_KEY = 'sk-test-0123456789abcdefghij';

describe('npm run check-real', () => {
  let folder: string;
  let messenger: Awaited<ReturnType<typeof startMessenger>>;
  let crm: CrmSandbox;
  let payments: PaymentsSandbox;
  let mail: TestMail;
  let bot: AlertBotSandbox;
  let ai: AiSandbox;
  let env: Record<string, string>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forenoon-check-'));
    const unread = [1, 2, 3].map(id => message(id, { from: ada.id, text: `Please send the offer ${id} by Friday.` }));
    const chat = dialog(`user:${ada.id}`, unread, { unreadCount: 3 });
    messenger = await startMessenger(world({ users: [ada], dialogs: [chat] }));
    crm = await startCrmSandbox({ port: 0, stateDir: join(folder, 'crm'), searchDelayMs: 0, contacts: [], ...APP });
    payments = await startPaymentsSandbox({ port: 0, stateDir: join(folder, 'pay'), prices: samplePrices(), ...KEYS });
    const started = await startMail();
    mail = started.mail;
    bot = await startAlertBotSandbox({ port: 0, token: '1:check', chatId: '7' });
    ai = await startAiSandbox({ apiKey: MODEL_KEY });
    const { host, port, publicKeyPem } = messenger.sandbox;
    env = {
      ...{ PATH: process.env.PATH ?? '', APP_URL: 'http://127.0.0.1:3000' },
      ...{ MESSENGER_API_ID: '1', MESSENGER_API_HASH: 'hash', MESSENGER_SERVER: `${host}:${port}` },
      MESSENGER_SERVER_KEY: Buffer.from(publicKeyPem).toString('base64'),
      ...{ CRM_CLIENT_ID: APP.clientId, CRM_CLIENT_SECRET: APP.clientSecret },
      ...{ CRM_API_URL: crm.url, CRM_APP_URL: crm.url, PAYMENT_API_URL: payments.url },
      ...{ PAYMENT_SECRET_KEY: KEYS.secretKey, PAYMENT_WEBHOOK_SECRET: KEYS.webhookSecret },
      ...priceVariables(samplePrices()),
      ...started.env,
      ...{ ADMIN_MESSENGER_BOT_TOKEN: '1:check', ADMIN_MESSENGER_CHAT_ID: '7', ADMIN_MESSENGER_API_URL: bot.url },
      ...{ AI_API_KEY: MODEL_KEY, AI_MODEL: 'gpt-test', AI_API_URL: ai.url },
    };
  });

  after(async () => {
    await Promise.all([messenger.stop(), crm.stop(), payments.stop(), mail.stop(), bot.stop(), ai.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** What a person does at each question, by a part of it. The question is passed with the addresses in it. */
  type Person = [question: RegExp, answer: (question: string) => string | Promise<string>][];

  const willing: Person = [
    [/phone number/, () => PHONE],
    [/The code that/, () => codeOf(messenger.sandbox, PHONE)],
    [/Show the digest/, () => ''],
    [/allow it for a test account/, allowedAddress],
    [/Paid\?/, paid],
    [/email address of yours/, () => 'me@forenoon.example'],
    [/arrive\?/, () => 'y'],
  ];

  async function allowedAddress(question: string): Promise<string> {
    const address = new URL(/https?:\S+/.exec(question)?.[0] ?? '');
    const form = new URLSearchParams([
      ...address.searchParams,
      ['account', crm.portals()[0]?.id ?? ''],
      ['decision', 'allow'],
    ]);
    const answer = await fetch(`${crm.url}/oauth/authorize`, { method: 'POST', body: form, redirect: 'manual' });
    return answer.headers.get('location') ?? '';
  }

  async function paid(question: string): Promise<string> {
    const address = /https?:\S+/.exec(question)?.[0] ?? '';
    await fetch(address, { method: 'POST', body: new URLSearchParams({ decision: 'pay' }), redirect: 'manual' });
    return 'y';
  }

  async function check(variables: Record<string, string>, answers: Person) {
    const args = ['checkReal/index.ts'];
    const child = spawn(process.execPath, args, { cwd: ROOT, env: variables, stdio: ['pipe', 'pipe', 'pipe'] });
    const output = { text: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        output.text += chunk;
      });
    }
    const code = new Promise<number | null>(resolve => child.once('close', resolve));
    await answerAll(child, output, answers);
    return { code: await code, said: output.text };
  }

  async function answerAll(child: ChildProcess, output: { text: string }, answers: Person): Promise<void> {
    let read = 0;
    while (child.exitCode === null) {
      const asked = output.text.slice(read);
      const [, answer] = answers.find(([question]) => question.test(asked) && /[:?)] $/.test(asked)) ?? [];
      if (answer) {
        read = output.text.length;
        child.stdin?.write(`${await answer(asked)}\n`);
      }
      await sleep(20);
    }
  }

  it('makes ten checks against every service, and leaves nothing behind', async () => {
    const { code, said } = await check(env, willing);
    expect(said).to.include('10 hold, 0 do not, 0 left out');
    expect(code).to.equal(0);
    expect(said)
      .to.include('nothing was marked as read')
      .and.not.match(/Secretname|offer 1|Ada/);
    for (const secret of [APP.clientSecret, KEYS.secretKey, MODEL_KEY, '1:check']) expect(said).not.to.include(secret);
    expect(crm.contacts()).to.deep.equal([]);
    expect(crm.notes()).to.deep.equal([]);
    expect(payments.subscriptions().map(({ status }) => status)).to.deep.equal(['canceled']);
    expect(mail.mails()).to.have.length(1);
    expect(bot.messages()).to.have.length(1);
  });
});
