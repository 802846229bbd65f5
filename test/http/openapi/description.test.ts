import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import request from 'supertest';
import { z } from 'zod';
import { escaped, schemasOf } from '../../support/apiContract.ts';
import { mountedRoutes } from '../../support/routes.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';

const media = z.looseObject({ schema: z.unknown(), example: z.unknown().optional() });
const withContent = z.looseObject({ content: z.record(z.string(), media) });
const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()).length(1),
  requestBody: withContent.optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), media).optional() })),
});
const document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
});

describe('The description of the API', () => {
  let service: Service;
  let text: string;
  let described: z.output<typeof document>;

  before(async () => {
    service = await startService({ worker: false, mail: true, env: { ADMIN_API_KEY: 'operators-key-of-this-test' } });
    ({ text } = await request(service.url).get('/api/openapi.json').expect(200));
    described = document.parse(JSON.parse(text));
  });
  after(stopServices);

  it('is open to everybody, and kept for five minutes', async () => {
    const { headers } = await request(service.url).get('/api/openapi.json').expect(200);
    expect(headers['cache-control']).to.equal('public, max-age=300');
    expect(headers['content-type']).to.match(/^application\/json/);
    expect(headers['x-api-version']).to.equal('1');
  });

  it('is valid by the schema of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(text));
    expect(valid, JSON.stringify(errors)).to.equal(true);
    expect(validator.version).to.equal('3.1');
    expect(described.openapi).to.equal('3.1.1');
  });

  it('has every address that the service mounts under /api, and no other', async () => {
    const mounted = (await mountedRoutes(service)).filter(({ path }) => path.startsWith('/api'));
    const inDocument = Object.entries(described.paths).flatMap(([path, item]) =>
      Object.keys(item).map(method => `${method} ${path}`),
    );
    const inApp = mounted.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(inDocument.sort()).to.deep.equal([...new Set(inApp)].sort());
  });

  it('closes every answer of ours: the fields it lists and no others', () => {
    const ours = everyOperation().filter(({ operationId }) => operationId !== 'getDescription');
    const answers = ours.map(({ responses }) => responses);
    expect(openObjects([answers, described.components.schemas])).to.deep.equal([]);
  });

  it('has an example for every body and every JSON answer', () => {
    for (const { operationId, requestBody, responses } of everyOperation()) {
      for (const one of Object.values(requestBody?.content ?? {})) {
        expect(one.example, `body of ${operationId}`).not.to.equal(undefined);
      }
      const { '200': done } = responses;
      const json = done?.content?.['application/json'];
      if (json) expect(json.example, `answer of ${operationId}`).not.to.equal(undefined);
    }
  });

  it('has only examples that are as it says', () => {
    const { validator } = schemasOf(JSON.parse(text));
    const wrong = Object.entries(described.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { requestBody, responses }]) => {
        const parts = { requestBody, ...(responses['200'] && { 'responses/200': responses['200'] }) };
        return Object.entries(parts).flatMap(([part, sent]) =>
          Object.entries(sent?.content ?? {}).flatMap(([type, { example }]) => {
            if (example === undefined) return [];
            const place = `/paths/${escaped(path)}/${method}/${part}/content/${escaped(type)}/schema`;
            return validator(place)(example) ? [] : place;
          }),
        );
      }),
    );
    expect(wrong).to.deep.equal([]);
  });

  function everyOperation() {
    return Object.values(described.paths).flatMap(item => Object.values(item));
  }
});

/** The names of the fields of objects that let others pass. */
function openObjects(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const isOpen = 'properties' in part && !('additionalProperties' in part && part.additionalProperties === false);
  const own = isOpen ? [Object.keys(part.properties ?? {}).join()] : [];
  return [...own, ...Object.values(part).flatMap(openObjects)];
}
