import { expect } from 'chai';
import { createAssistant } from '../../../support/assistants.ts';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { bearer } from '../../../support/tokens.ts';
import { dayAgo, setClock } from '../../pages/today/stored.ts';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const ACCEPT = { Accept: 'application/json, text/event-stream' };

describe('The protocol of assistants', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worker: false });
    setClock(service);
    nora = await signIn(service, 'nora@example.com');
  });
  after(stopServices);

  it('answers whoever takes JSON, whatever else their Accept names or leaves out', async () => {
    const { secret } = await createAssistant(nora);
    const ask = () => bearer(service, secret).post('/mcp').send(INITIALIZE);
    const json = await ask()
      .expect(200)
      .expect('Content-Type', /^application\/json/)
      .expect('Cache-Control', 'no-store');
    expect(Object.keys(json.headers).filter(name => name.startsWith('access-control'))).to.deep.equal([]);
    expect(json.body.result.protocolVersion).to.equal('2025-06-18');
    for (const accept of ['application/json', '*/*', 'application/*;q=0.5', 'text/event-stream, application/json;q=0.1']) {
      expect((await ask().set('Accept', accept).expect(200)).body, accept).to.deep.equal(json.body);
    }
    for (const accept of ['text/html', 'text/event-stream', 'application/json;q=0']) {
      const { body } = await ask().set('Accept', accept).expect(406);
      expect(body.error.message, accept).to.equal('Not Acceptable: Client must accept application/json');
    }
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await bearer(service, secret).post('/mcp').send(initialized).expect(202, '');
  });

  it('takes batches of the one version that has them, each message as a call of its own', async () => {
    const url = await service.anotherWeb({ RATE_LIMIT_TOKENS: '6' });
    const { secret } = await createAssistant(nora);
    const ask = () => bearer({ url }, secret).post('/mcp');
    const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'today', arguments: {} } });
    const { body } = await ask()
      .send([call(1), call(2)])
      .expect(200);
    expect(body.map(({ id }: { id: number }) => id)).to.have.members([1, 2]);
    for (const { result } of body) expect(result.structuredContent.today).to.equal(dayAgo(0));
    await ask().set('MCP-Protocol-Version', '2025-03-26').send([PING]).expect(200);
    const later = await ask().set('MCP-Protocol-Version', '2025-06-18').send([PING]).expect(400);
    expect(later.body.code).to.equal('NO_BATCH');
    await ask().send([PING, PING, PING]).expect(429);
  });

  it('refuses foreign hosts and origins, other methods and what is too large', async () => {
    const { secret } = await createAssistant(nora);
    const ask = () => bearer(service, secret).post('/mcp').set(ACCEPT);
    const foreign = await ask().set('Origin', 'https://evil.example').send(INITIALIZE).expect(403);
    expect(foreign.body.code).to.equal('FOREIGN_ORIGIN');
    await ask().set('Host', 'evil.example').send(INITIALIZE).expect(403);
    await ask().set('MCP-Protocol-Version', '1999-01-01').send(PING).expect(400);
    await ask().set('Origin', service.url).send(INITIALIZE).expect(200);
    for (const method of ['get', 'put', 'delete', 'patch'] as const) {
      await bearer(service, secret)[method]('/mcp').set(ACCEPT).expect(405).expect('Allow', 'POST');
    }
    await ask().send([INITIALIZE, INITIALIZE]).expect(400);
    await ask()
      .send({ ...INITIALIZE, padding: 'x'.repeat(200_000) })
      .expect(413);
    await ask().set('Content-Type', 'application/json').send('{').expect(400);
    for (const odd of [{}, { jsonrpc: '2.0' }, { ...INITIALIZE, method: 5 }, { ...INITIALIZE, params: [] }, 'x']) {
      const { status } = await ask().set('Content-Type', 'application/json').send(JSON.stringify(odd));
      expect(status, JSON.stringify(odd)).to.be.within(200, 499);
    }
  });
});
