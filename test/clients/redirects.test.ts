import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createTelegramBot } from '../../src/clients/alertBot/telegramBot.ts';
import { createHubspotClient } from '../../src/clients/crm/hubspot.ts';
import { ClientError } from '../../src/clients/errors.ts';
import { createOllama } from '../../src/clients/modelStore/ollama.ts';
import { createStripeClient } from '../../src/clients/payments/stripe.ts';
import { createOpenAiSummarizer } from '../../src/clients/summarizer/openai.ts';
import { conversation } from './summarizer/conversations.ts';

/** Consent, and a secret, are for one host. */
describe('A server that redirects to another one', () => {
  let here: Server;
  let elsewhere: Server;
  let url: string;
  const asked: string[] = [];
  const carriedOff: string[] = [];
  const reports: string[] = [];
  const report = ({ message }: { message: string }) => void reports.push(message);

  before(async () => {
    elsewhere = createServer((req, res) => {
      carriedOff.push(`${req.method} ${req.url}`);
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    const target = await listen(elsewhere);
    here = createServer((req, res) => {
      asked.push(`${req.method} ${req.url}`);
      res.writeHead(307, { location: `${target}${req.url}` }).end();
    });
    url = await listen(here);
  });
  beforeEach(() => {
    for (const list of [asked, carriedOff, reports]) list.length = 0;
  });
  after(() => {
    for (const server of [here, elsewhere]) server.closeAllConnections();
    for (const server of [here, elsewhere]) server.close();
  });

  const app = { clientId: 'app', clientSecret: 'secret' };
  const crmClient = () => createHubspotClient({ ...app, apiUrl: url, appUrl: url, report, retryPauseMs: 5 });
  const crm = () => {
    const later = async () => undefined;
    return crmClient().open({ portalId: '1', accessToken: async () => 'token', takeTurn: later, pause: later });
  };
  const signal = new AbortController().signal;
  const calls: [string, () => Promise<unknown>][] = [
    ['a conversation', () => model().summarize(conversation(['Ann: Could you send the offer by Friday?']))],
    ['a contact’s name', () => crm().searchContacts({ groups: [[{ field: 'firstName', any: ['nadia'] }]] })],
    ['a contact’s phone number', () => crm().createContact({ firstName: 'Nadia', phone: '+34600111222' })],
    ['a code of the CRM', () => crmClient().exchangeCode({ code: 'code', redirectUri: url })],
    ['a refresh token', () => crmClient().refreshTokens('refresh')],
    ['a key of the CRM', () => crmClient().readAccount('key')],
    ['an order', () => payments().createCheckout(ORDER)],
    ['a payment', () => payments().readSubscription('sub_1')],
    ['an alert', () => createTelegramBot({ token: '1:secret', chatId: '7', apiUrl: url }).send({ title: 'x', lines: [] })],
    ['a download', () => createOllama({ apiUrl: `${url}/v1` }).download('m', { signal, onProgress: () => undefined })],
  ];
  const model = () => createOpenAiSummarizer({ apiKey: 'key', model: 'm', apiUrl: `${url}/v1`, report });
  const payments = () => createStripeClient({ secretKey: 'sk_test_1', webhookSecret: 'whsec_test', apiUrl: url });

  for (const [what, call] of calls) {
    it(`is not followed with ${what}`, async () => {
      const error = await call().catch((err: unknown) => err);
      expect(carriedOff).to.deep.equal([]);
      expect(asked).to.have.length(1);
      expect(error).to.be.instanceOf(ClientError).and.include({ kind: 'permanent' });
    });
  }
});

const ORDER = {
  ...{ userId: 'user-1', email: 'nora@example.com', plan: 'PRO', priceId: 'price_pro' },
  ...{ successUrl: 'http://127.0.0.1:3000/a', cancelUrl: 'http://127.0.0.1:3000/b' },
};

async function listen(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
