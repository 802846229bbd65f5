import { expect } from 'chai';
import { type Agent, PRODUCTION, signInInProduction } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';

const APP_URL = 'https://forenoon.example:8080';

describe('A request that changes something', () => {
  let service: Service;
  let lena: Agent;
  let host: string;
  before(async () => {
    // A proxy in front may have put another name into the Host header.
    service = await startService({ worker: false, env: { ...PRODUCTION, APP_URL } });
    lena = await signInInProduction(service, 'lena@example.com');
    host = new URL(service.url).host;
  });
  after(stopServices);

  const save = (headers: Record<string, string>) => lena.post('/api/settings').set(headers).send({ minMessages: 2 });

  it('is done when our own page sends it, or no browser at all', async () => {
    const own: Record<string, string>[] = [
      {},
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'same-origin', Origin: `http://${host}` },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: `http://${host}` },
      { Origin: APP_URL },
    ];
    for (const headers of own) expect((await save(headers)).status, JSON.stringify(headers)).to.equal(200);
  });

  it('is refused when another site made the browser send it', async () => {
    const foreign: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: `http://${host}` },
      { 'Sec-Fetch-Site': 'anything' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'http://forenoon.example:8080' },
      { Origin: 'http://forenoon.example' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: APP_URL },
      { Origin: `http://${host}.evil.example` },
      { Origin: `http://evil.example/${host}` },
      { Origin: 'http://127.0.0.1:1' },
      { Origin: host },
      { Origin: 'x' },
    ];
    const before = await service.db('sync_configs');
    for (const headers of foreign) {
      const { body } = await save(headers).expect(403);
      expect(body.code, JSON.stringify(headers)).to.equal('FORBIDDEN');
      expect(body.error).to.equal('This request came from another site and was blocked.');
    }
    expect(await service.db('sync_configs')).to.deep.equal(before);
  });

  it('may be read from anywhere a link can lead from, but not by another site’s scripts', async () => {
    const { headers } = await lena.get('/today').set('Sec-Fetch-Site', 'cross-site').expect(200);
    expect(headers).not.to.have.property('access-control-allow-origin');
    expect(headers['cross-origin-resource-policy']).to.equal('same-origin');
    const preflight = await lena.options('/api/settings').set('Origin', 'https://evil.example');
    expect(preflight.headers).not.to.have.property('access-control-allow-origin');
  });
});
