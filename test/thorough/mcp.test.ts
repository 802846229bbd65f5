import { expect } from 'chai';
import { storeAccount, storeDigest, storedItem } from '../features/pages/today/stored.ts';
import { createAssistant } from '../support/assistants.ts';
import { type Agent, signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { bearer } from '../support/tokens.ts';

const TOOLS = ['today', 'search', 'list_promises', 'complete_promise', 'ask', 'brief', '__proto__', 'constructor', ''];
const FIELDS = [
  'query',
  'page',
  'limit',
  'state',
  'direction',
  'dueBefore',
  'dueAfter',
  'cursor',
  'promiseId',
  'question',
  'conversationId',
  '__proto__',
];
const VALUES: unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e308, '', ' ', '\0', '\ud800', '%00', "'; --", '{}', [], {}, [[]], { $gt: '' }],
  ...['x'.repeat(300), '∞', 'infinity', '2026-02-30', '0000-00-00', '9999-12-31', 'open', 'mine', '❤️'.repeat(50)],
  ...[Buffer.from('infinity 00000000-0000-4000-8000-000000000000').toString('base64url'), 'tender & !', '(((('],
];
const ENVELOPES: unknown[] = [
  ...[null, 0, '', 'text', [], {}, { jsonrpc: '1.0' }, { jsonrpc: '2.0' }, { jsonrpc: '2.0', id: {}, method: 'ping' }],
  ...[
    { jsonrpc: '2.0', id: null, method: 'tools/call' },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: null },
  ],
  ...[
    { jsonrpc: '2.0', id: 1, method: '__proto__' },
    { jsonrpc: '2.0', id: 1, result: {} },
  ],
  ...[{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
];

describe('Odd requests to the tools for assistants', () => {
  let service: Service;
  let nora: Agent;
  let secret: string;

  before(async () => {
    service = await startService({ worker: false });
    nora = await signIn(service, 'nora@example.com');
    const owner = await storeAccount(service.db, 'nora@example.com');
    await storeDigest(service.db, owner, { structured: { actionItems: [storedItem('Send the offer')] } });
    ({ secret } = await createAssistant(nora, { scopes: ['assistant', 'promises'] }));
  });
  after(stopServices);

  const send = (body: string) =>
    bearer(service, secret)
      .post('/mcp')
      .set({ Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' })
      .send(body);

  it('are answered without an error of ours, and change nothing', async () => {
    const calls = TOOLS.flatMap(name => FIELDS.flatMap(field => VALUES.map(value => ({ name, field, value }))));
    // Every ninth of three thousand: with the others it takes a minute.
    const ninth = calls.filter((_, n) => n % 9 === 0);
    for (const { name, field, value } of ninth) {
      const params = { name, arguments: { query: 'x', question: 'x', [field]: value } };
      const { status, text } = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
      const told = `${name} ${field} ${JSON.stringify(value)}: ${text}`;
      expect(status, told).to.be.below(500);
      expect(text, told).not.to.match(/on our side|node_modules|syntax error|\bselect\b/i);
    }
    expect(await service.db('promises').whereNot({ state: 'open' })).to.deep.equal([]);
  });

  it('are refused as messages that are none', async () => {
    for (const envelope of ENVELOPES) {
      const { status, text } = await send(JSON.stringify(envelope));
      expect(status, `${JSON.stringify(envelope)}: ${text}`).to.be.below(500);
    }
    for (const body of ['', '{', '\0', '[[[[', `"${'x'.repeat(99_000)}"`])
      expect((await send(body)).status).to.be.below(500);
  });
});
