import { expect } from 'chai';
import request from 'supertest';
import { describeApi } from '../../../src/openapi.ts';
import { expectNothingInline, wordsOf } from '../../support/pages.ts';
import { signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';

describe('The page of the API', () => {
  let service: Service;
  let html: string;

  before(async () => {
    service = await startService({ worker: false });
    ({ text: html } = await request(service.url).get('/api/docs').expect(200));
  });
  after(stopServices);

  it('shows every endpoint under an address of its own', () => {
    const { paths = {} } = describeApi({ appName: 'Forenoon' });
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, { operationId }] of Object.entries(item)) {
        expect(html).to.include(`id="${operationId}"`).and.to.include(`href="#${operationId}"`);
        expect(html).to.include(`<b>${method.toUpperCase()}</b> ${path}</code>`);
      }
    }
  });

  it('leads to every group and to openapi.json', () => {
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets).to.include.members(['sync', 'crm-connection', 'errors']);
    for (const id of targets) expect(html, id).to.include(`id="${id}"`);
    expect(html).to.include('href="/api/openapi.json"');
  });

  it('says what is sent, what is answered and what is refused', () => {
    const words = wordsOf(html);
    expect(words).to.include('jobId text');
    expect(words).to.include('digests[].structuredData.action_items[].dueDate text or null');
    expect(words).to.include('matchStatus one of UNMATCHED, AUTO_PHONE,');
    expect(words).to.include('409 It is never read, so there is no switch ( NEVER_READ ).');
    expect(words).to.include('Needs the operator’s key');
    expect(words).to.include('"peerName": "Marta Silva"');
  });

  it('needs no script and no style of its own', () => {
    expectNothingInline(html);
    expect(html).not.to.match(/undefined|\[object/);
  });

  it('may be kept for five minutes by the browser that asked, and by no one else', async () => {
    const lena = await signIn(service, 'lena@example.com');
    const { headers, text } = await lena.get('/api/docs').expect(200);
    expect(headers['cache-control']).to.equal('private, max-age=300');
    expect(headers.vary).to.include('Cookie');
    expect(text).to.include('lena@example.com');
  });
});
