import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { dayAgo, storeAccount, storeDigest, storedItem } from '../features/pages/today/stored.ts';
import { createAssistant } from '../support/assistants.ts';
import { post } from '../support/pages.ts';
import { type Agent, signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';

const JSON_TYPE = 'application/json';
const TYPES = [JSON_TYPE, `${JSON_TYPE}; charset=utf-16`, 'text/plain', 'application/x-www-form-urlencoded', 'x', ''];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE'];
const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;
const call = (args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":${args}}}`;
const BODIES: (string | Buffer<ArrayBuffer>)[] = [
  ...['', '{}', '[]', 'null', '0', '"', '{"', '\0', '{"__proto__":{"action":"done"},"constructor":1}', '[{},{}]'],
  ...['ids=1&ids=2&change=done', 'ids[0]=1&change[action]=done', '%', '%ff=%ff', 'a=b'.repeat(2000)],
  ...['{"action":"snooze","until":"9999-12-31"}', '{"action":"move","dueDate":"-000001-01-01"}'],
  ...[
    '{"ids":["infinity"],"change":{"action":{}}}',
    `{"ids":${JSON.stringify(Array.from({ length: 600 }, randomUUID))}}`,
  ],
  ...[nested(20_000, '[', ']'), nested(15_000, '{"a":', '}'), call(nested(20_000, '[', ']'))],
  ...[call(`{"query":"x","y":${nested(15_000, '{"a":', '}')}}`), call('{"query":"\\ud800"}'), call('{"query":1e999}')],
  `{"jsonrpc":"2.0","id":1,"result":${nested(15_000, '{"a":', '}')}}`,
  '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x","_meta":{"progressToken":{}}}}',
  '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]',
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.concat([Buffer.from('{"action":"'), Buffer.from([0xed, 0xa0, 0x80, 0xc0, 0x80]), Buffer.from('"}')]),
  `"${'x'.repeat(120_000)}"`,
];
const IDS = [
  ...['0', '-1', '1e999', '%00', '%ff', '%', '%2e%2e', '..%2f..', 'null', '__proto__', "'%20or%201=1", '%F0%9F%98%80'],
  ...['9'.repeat(400), 'x'.repeat(5000), '00000000-0000-0000-0000-000000000000', `${randomUUID()}%0d%0aX:%20y`],
];
const QUERIES = [
  ...['', '?', '?%', '?%ff=%ff', '?q=%00', '?q=%ed%a0%80', '?q[]=1&q[]=2', '?q[a]=b', '?__proto__[x]=1', '?q=a&q=b'],
  ...[
    '?limit=-1',
    '?limit=1e999',
    '?limit=9007199254740993',
    '?cursor=AAAA',
    '?cursor=%00',
    '?dialogId=%00',
    '?page=1e99',
  ],
  ...[
    `?q=${'x'.repeat(9000)}`,
    `?dialogId=${randomUUID()}%0d%0a`,
    '?dueBefore=0000-00-00',
    '?state[]=open',
    '?date=infinity',
  ],
];
const HEADERS: Record<string, string>[] = [
  ...[{ 'Content-Encoding': 'gzip' }, { 'Content-Encoding': 'x' }, { 'Mcp-Session-Id': 'x'.repeat(4000) }],
  ...[
    { 'MCP-Protocol-Version': 'ü' },
    { 'Last-Event-ID': '1' },
    { Accept: 'x' },
    { Accept: '' },
    { Range: 'bytes=0-1' },
  ],
  ...[{ 'If-None-Match': '*' }, { 'X-HTTP-Method-Override': 'DELETE' }, { Cookie: 'authjs.session-token=%ff; a=b; =' }],
  ...[{ 'If-Modified-Since': 'never' }, { Expect: 'x' }, { 'HX-Request': 'true' }, { Authorization: 'Bearer fnn_' }],
];

describe('Odd requests at every door of connected apps', () => {
  let service: Service;
  let nora: Agent;
  let doors: string[];
  let secret: string;
  let cookie: string;

  before(async () => {
    service = await startService({
      ...{ worker: false },
      env: {
        RATE_LIMIT_API: '100000',
        RATE_LIMIT_TOKENS: '100000',
        RATE_LIMIT_CALENDAR: '100000',
        RATE_LIMIT_PAGES: '100000',
      },
    });
    nora = await signIn(service, 'nora@example.com');
    const owner = await storeAccount(service.db, 'nora@example.com');
    const actionItems = [storedItem('Send the offer', { dueDate: dayAgo(0) })];
    await storeDigest(service.db, owner, { structured: { actionItems } });
    const assistant = await createAssistant(nora, { scopes: ['read', 'promises', 'assistant'] });
    ({ secret } = assistant);
    const { text } = await post(nora, '/settings/apps/calendar').expect(200);
    const feed = /\/calendar\/[\w-]{43}\.ics/.exec(text)?.[0] ?? '';
    const signedIn = await fetch(`${service.url}/api/auth/callback/dev-credentials`, {
      ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ email: 'nora@example.com' }) },
    });
    cookie = String(signedIn.headers.get('set-cookie')).split(';')[0] ?? '';
    const { id } = await service.db('promises').first('id');
    doors = [
      ...['/mcp', '/api/digests', '/api/crm/contacts/search', '/api/ask', '/api/brief', '/api/promises', feed],
      ...[`/api/promises/${id}`, `/api/promises/${id}/fields`, '/api/promises/bulk'],
    ];
  });
  after(stopServices);

  type Odd = { method?: string; headers?: Record<string, string>; body?: string | Buffer<ArrayBuffer> };

  /** The status; 400 where the client itself or the server's parser refuses to pass it on. */
  async function statusOf(path: string, { method = 'POST', headers = {}, body }: Odd): Promise<number> {
    const own = path.startsWith('/settings') ? { Cookie: cookie } : { Authorization: `Bearer ${secret}` };
    const accept = { Accept: 'application/json, text/event-stream' };
    const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
    try {
      const answer = await fetch(`${service.url}${path}`, {
        ...{ method, redirect: 'manual', headers: { ...own, ...accept, ...headers } },
        ...(hasBody && { body }),
      });
      const text = await answer.text();
      expect(text, `${method} ${path}`).not.to.match(/node_modules|syntax error at|\bat \w+ \(/);
      return answer.status;
    } catch (err) {
      if (err instanceof TypeError) return 400;
      throw err;
    }
  }

  const expectFine = async (path: string, odd: Odd) => {
    const told = `${odd.method} ${path.slice(0, 120)} ${JSON.stringify(odd.headers)} ${String(odd.body).slice(0, 80)}`;
    expect(await statusOf(path, odd), told).to.be.below(500);
  };
  const writing = (path: string) => (path === '/mcp' || path.endsWith('bulk') ? 'POST' : 'PATCH');

  it('are answered without an error of ours: methods, bodies and what they are called', async () => {
    for (const path of doors) {
      for (const method of METHODS)
        await expectFine(path, { method, body: '{}', headers: { 'Content-Type': JSON_TYPE } });
      for (const [n, body] of BODIES.entries()) {
        await expectFine(path, { method: writing(path), body, headers: { 'Content-Type': JSON_TYPE } });
        const type = TYPES[n % TYPES.length] ?? '';
        await expectFine(path, { method: writing(path), body, headers: { 'Content-Type': type } });
      }
    }
    const [{ state }] = await service.db('promises').select('state');
    expect(state).to.equal('open');
  });

  it('are answered without an error of ours: headers and queries', async () => {
    for (const path of doors) {
      for (const headers of HEADERS) {
        await expectFine(path, { method: 'GET', headers });
        await expectFine(path, {
          method: writing(path),
          headers: { 'Content-Type': JSON_TYPE, ...headers },
          body: '{}',
        });
      }
      for (const query of QUERIES) {
        await expectFine(`${path}${query}`, { method: 'GET' });
        await expectFine(`${path}${query}`, {
          method: writing(path),
          headers: { 'Content-Type': JSON_TYPE },
          body: '{}',
        });
      }
    }
  });

  it('are answered without an error of ours: ids, also on the pages', async () => {
    const type = 'application/x-www-form-urlencoded';
    for (const id of IDS) {
      for (const path of [`/api/promises/${id}`, `/api/promises/${id}/fields`]) {
        await expectFine(path, { method: 'PATCH', body: '{"action":"done"}', headers: { 'Content-Type': JSON_TYPE } });
      }
      await expectFine(`/calendar/${id}.ics`, { method: 'GET' });
      await expectFine(`/mcp/${id}`, { method: 'POST', body: '{}', headers: { 'Content-Type': JSON_TYPE } });
      const pages = [`/settings/apps/tokens/${id}/reading`, `/settings/apps/tokens/${id}/revoke`];
      for (const path of pages) {
        await expectFine(path, { method: 'GET' });
        await expectFine(path, { body: 'private=1&groups=x', headers: { 'Content-Type': type } });
      }
    }
    for (const path of ['/settings/apps/tokens', '/settings/apps/calendar']) {
      for (const body of BODIES) await expectFine(path, { body, headers: { 'Content-Type': type } });
    }
    expect(await service.db('api_tokens')).to.have.length(1);
  });
});
