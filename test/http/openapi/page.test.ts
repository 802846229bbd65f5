import { expect } from 'chai';
import request from 'supertest';
import { describeApi } from '../../../src/openapi.ts';
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
});
