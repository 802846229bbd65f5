import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import request from 'supertest';
import { warnOfForgottenProxy } from '../../src/http/express.ts';
import { createLog } from '../../src/lib/log.ts';

describe('An unconfigured proxy', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** How often it is said, after these requests. */
  async function warnings(
    options: { https: boolean; trustProxy: number },
    headers: Record<string, string>[],
  ): Promise<string[]> {
    const lines: string[] = [];
    const log = createLog({ level: 'warn', name: 'web' }, { write: line => void lines.push(line) });
    const app = express().set('trust proxy', options.trustProxy);
    app.use(warnOfForgottenProxy({ log, https: options.https }), (_req, res) => void res.end());
    const server = createServer(app);
    servers.push(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const sent of headers) await request(url).get('/').set(sent).expect(200);
    return lines;
  }
  const viaProxy = { 'X-Forwarded-Proto': 'https' };

  it('is reported once, with the variable to set', async () => {
    const said = await warnings({ https: true, trustProxy: 0 }, [viaProxy, viaProxy, {}]);
    expect(said).to.have.length(1);
    expect(said[0]).to.include('TRUST_PROXY').and.include('"level":40');
  });

  it('is not reported when configured, or without https', async () => {
    expect(await warnings({ https: true, trustProxy: 1 }, [viaProxy])).to.deep.equal([]);
    expect(await warnings({ https: false, trustProxy: 0 }, [viaProxy, {}])).to.deep.equal([]);
  });
});
