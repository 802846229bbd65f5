import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createWebServer, stopServing } from '../../src/http/webServer.ts';

describe('The web server', () => {
  const agent = new Agent({ keepAlive: true });
  after(() => agent.destroy());

  async function ask(port: number): Promise<IncomingMessage> {
    const [answer] = (await once(get({ port, agent }), 'response')) as [IncomingMessage];
    return answer;
  }

  it('keeps a connection longer than a proxy does', async () => {
    const server = createWebServer((_, res) => res.end('here')).listen(0);
    const answer = await ask((server.address() as AddressInfo).port);
    answer.resume();
    expect(Number(/timeout=(\d+)/.exec(String(answer.headers['keep-alive']))?.[1])).to.be.above(90);
    await stopServing(server);
  });

  it('stops once it has answered, whatever connections others keep', async () => {
    const answering = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const server = createWebServer(async (_, res) => {
      asked.resolve();
      await answering.promise;
      res.end('late');
    }).listen(0);
    const answer = ask((server.address() as AddressInfo).port);
    await asked.promise;
    const stopped = stopServing(server);
    answering.resolve();
    expect((await (await answer).toArray()).join('')).to.equal('late');
    await stopped;
  });
});
