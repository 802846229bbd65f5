import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import request from 'supertest';
import { z } from 'zod';
import { escaped, schemasOf } from './support/apiContract.ts';
import { expectRefusal, fingerprint, PHONE, startForNorasRequests } from './support/badInput.ts';
import { INVALID_BODIES, INVALID_IDS, INVALID_TEXTS, WRONG_TYPES } from './support/badValues.ts';
import { type Agent, signIn } from './support/people.ts';
import { type Service, stopServices } from './support/service.ts';

const FORM = 'application/x-www-form-urlencoded';

const isHalf = (value: unknown) => typeof value === 'string' && !value.isWellFormed();

const bodySchema = z.looseObject({
  /** What may be null, too, has its type among others. */
  properties: z
    .record(z.string(), z.looseObject({ type: z.unknown().optional(), anyOf: z.array(z.looseObject({})).optional() }))
    .default({}),
  required: z.array(z.string()).default([]),
});
const operation = z.looseObject({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  parameters: z
    .array(z.object({ in: z.enum(['query', 'path']), name: z.string(), required: z.boolean().optional() }))
    .default([]),
  requestBody: z.object({ content: z.record(z.string(), z.looseObject({ example: z.looseObject({}) })) }).optional(),
});
const document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) });

type Method = 'get' | 'post' | 'patch';
type Endpoint = {
  method: Method;
  path: string;
  described: string;
  type: string;
  example: Record<string, unknown>;
} & z.output<typeof operation>;

/** The body's schema, and whether the description lets a field have a value. */
type Shape = z.output<typeof bodySchema> & { allows(field: string, value: unknown): boolean };

describe('Bad input by the description of the API', () => {
  let service: Service;
  let nora: Agent;
  let mallory: Agent;
  let endpoints: Endpoint[];
  let schemas: ReturnType<typeof schemasOf>;
  const known: Record<string, string> = { phone: PHONE };

  before(async () => {
    const start = await startForNorasRequests({ ADMIN_API_KEY: 'operators-key-of-this-test' });
    ({ service, nora } = start);
    Object.assign(known, start.known);
    mallory = await signIn(service, 'mallory@example.com');
    const described = JSON.parse((await nora.get('/api/openapi.json').expect(200)).text);
    schemas = schemasOf(described);
    endpoints = endpointsOf(described);
  });
  after(stopServices);

  it('is refused in each field of each body', async () => {
    for (const endpoint of endpoints.filter(({ requestBody, method }) => requestBody && method !== 'get')) {
      if (!endpoint.path.startsWith('/api/webhooks')) await changesNothing(endpoint, () => tryFields(endpoint));
    }
  });

  it('is refused as a body', async () => {
    for (const endpoint of endpoints.filter(
      ({ method, path }) => method !== 'get' && !path.startsWith('/api/webhooks'),
    )) {
      await changesNothing(endpoint, () => tryBodies(endpoint));
    }
  });

  it('is refused in each query', async () => {
    for (const endpoint of endpoints.filter(({ parameters }) => parameters.length > 0)) {
      await changesNothing(endpoint, () => tryQueries(endpoint));
    }
  });

  it('is rejected as an event with another signature', async () => {
    for (const endpoint of endpoints.filter(({ path }) => path.startsWith('/api/webhooks'))) {
      // What is refused is counted, one row an hour.
      const but = ['crm_webhook_counts'];
      await changesNothing(endpoint, () => tryEvents(endpoint), but);
    }
  });

  it('is rejected without a session and from another site', async () => {
    for (const endpoint of endpoints) {
      const needsSession = endpoint.security === undefined;
      await changesNothing(endpoint, async () => {
        if (needsSession) await asStranger(endpoint);
        if (endpoint.method !== 'get' && !endpoint.path.startsWith('/api/webhooks')) await fromElsewhere(endpoint);
      });
    }
  });

  it('is rejected with ids of another user', async () => {
    const others = endpoints.filter(({ example }) => ['dialogId', 'accountId', 'authToken'].some(id => id in example));
    expect(others).not.to.equal([]);
    for (const endpoint of others) {
      await changesNothing(endpoint, async () => {
        const answer = await mallory[endpoint.method](endpoint.path).send(endpoint.example);
        expectRefusal(answer, endpoint.operationId);
        expect(answer.status, endpoint.operationId).to.equal('authToken' in endpoint.example ? 400 : 404);
      });
    }
  });

  function endpointsOf(described: unknown): Endpoint[] {
    return Object.entries(document.parse(described).paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, told]) => {
        const [type = '', media] = Object.entries(told.requestBody?.content ?? {})[0] ?? [];
        const fields = Object.entries(media?.example ?? {}).map(([name, value]) => [name, known[name] ?? value]);
        const asked = { method: method as Method, path: path.replace('{id}', randomUUID()), described: path };
        const parameters = told.parameters.filter(one => one.in === 'query');
        return { ...told, ...asked, parameters, type, example: Object.fromEntries(fields) };
      }),
    );
  }

  async function changesNothing(endpoint: Endpoint, act: () => Promise<void>, but?: string[]) {
    const before = await fingerprint(service.db, { but: but ?? [] });
    await act();
    expect(await fingerprint(service.db, { but: but ?? [] }), endpoint.operationId).to.deep.equal(before);
  }

  function shapeOf({ described, method, type }: Endpoint): Shape {
    const place = `/paths/${escaped(described)}/${method}/requestBody/content/${escaped(type)}/schema`;
    const { at, found } = schemas.find(place, bodySchema);
    return { ...found, allows: (field, value) => schemas.validator(`${at}/properties/${field}`)(value) };
  }

  async function tryFields(endpoint: Endpoint) {
    const shape = shapeOf(endpoint);
    for (const [field, about] of Object.entries(shape.properties)) {
      const isText = [about, ...(about.anyOf ?? [])].some(({ type }) => type === 'string');
      const isId = /Id$|Token$/.test(field);
      const values = [null, '', ...WRONG_TYPES, 'hush'].filter(value => !shape.allows(field, value));
      for (const value of [...values, ...(isText ? INVALID_TEXTS : []), ...(isId ? INVALID_IDS : [])]) {
        // A CRM that is connected knows its contacts; a number like those it has may be one.
        await refused(
          endpoint,
          { ...endpoint.example, [field]: value },
          `${field} ${JSON.stringify(value).slice(0, 60)}`,
        );
      }
      const { [field]: _left, ...without } = endpoint.example;
      if (shape.required.includes(field)) await refused(endpoint, without, `without ${field}`);
    }
    if (shape.required.length === 0) return;
    const own = JSON.stringify(endpoint.example);
    for (const body of [
      `{"__proto__":${own}}`,
      `{"constructor":{"prototype":${own}}}`,
      `[${own}]`,
      `{"body":${own}}`,
    ]) {
      const answer = await nora[endpoint.method](endpoint.path).set('Content-Type', 'application/json').send(body);
      expectRefusal(answer, `${endpoint.operationId} ${body.slice(0, 20)}`);
    }
  }

  /** A form says the same twice, as a list and as parts, where JSON has values of another kind. */
  async function refused(endpoint: Endpoint, body: Record<string, unknown>, told: string) {
    const answer = await nora[endpoint.method](endpoint.path).send(body);
    expectRefusal(answer, `${endpoint.operationId} ${told}`);
    // No form can say half a character.
    if (endpoint.type !== FORM || Object.values(body).some(isHalf)) return;
    for (const form of formsOf(body, shapeOf(endpoint).required)) {
      const sent = await nora[endpoint.method](endpoint.path).set('Accept', 'application/json').type('form').send(form);
      expectRefusal(sent, `${endpoint.operationId} as a form: ${told}`);
    }
  }

  function formsOf(body: Record<string, unknown>, required: string[]): string[] {
    const texts = Object.entries(body).filter(([, value]) => typeof value === 'string') as [string, string][];
    const plain = new URLSearchParams(texts);
    if (texts.length === Object.keys(body).length) return [plain.toString()];
    const lists = Object.keys(body).filter(name => Array.isArray(body[name]));
    const twice = lists.map(name => `${name}=hush&${name}=hush`);
    const parts = lists.filter(name => required.includes(name)).flatMap(name => [`${name}[]=hush`, `${name}[x]=hush`]);
    return [...twice, ...parts].map(more => `${plain}&${more}`);
  }

  async function tryBodies({ method, path, type, operationId }: Endpoint) {
    const isForm = type === FORM || path === '/api/auth/signout';
    for (const [body, kind] of INVALID_BODIES) {
      if (isForm && kind === FORM) continue;
      expectRefusal(await nora[method](path).set('Content-Type', kind).send(body), `${operationId} ${kind}`);
    }
    const large = `hush=${'x'.repeat(11 * 1024)}`;
    if (isForm) expectRefusal(await nora[method](path).type('form').send(large), `${operationId} large form`);
    const packed = nora[method](path)
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'hush' })
      .send('{}');
    expectRefusal(await packed, `${operationId} of an unknown encoding`);
  }

  async function tryQueries({ method, path, parameters, operationId }: Endpoint) {
    for (const { name, required } of parameters) {
      const bad = [`${name}=a&${name}=b`, `${name}=hush%00`, `${name}=hush%1b`];
      // The specification answers a job id of any length: it is not found.
      if (name !== 'jobId') bad.push(`${name}=${'x'.repeat(5000)}`);
      const missing = required ? ['', name, `${name}=`, `${name}[]=a`, `${name}[x]=a`, `__proto__[${name}]=a`] : [];
      for (const query of [...bad, ...missing]) {
        const answer = await nora[method](`${path}?${query}`).set('Accept', 'application/json');
        expectRefusal(answer, `${operationId} ${query.slice(0, 40)}`);
      }
    }
  }

  async function tryEvents({ path, example, operationId }: Endpoint) {
    const signatures = [{}, { 'Stripe-Signature': 't=1,v1=00', 'X-HubSpot-Signature-v3': 'AA==' }];
    const bodies = ['', '{', 'null', JSON.stringify(example), `{"hush":"${'x'.repeat(1100 * 1024)}"}`];
    for (const headers of signatures) {
      for (const body of bodies) {
        const sent = request(service.url).post(path).set(headers).set('Content-Type', 'application/json').send(body);
        expectRefusal(await sent, `${operationId} ${body.slice(0, 20)}`);
      }
    }
  }

  async function asStranger({ method, path, example, operationId }: Endpoint) {
    const asked = request(service.url)[method](path).set('Accept', 'application/json');
    const answer = await (method === 'get' ? asked : asked.send(example));
    expectRefusal(answer, operationId);
    expect(answer.status, operationId).to.equal(401);
  }

  async function fromElsewhere({ method, path, example, operationId }: Endpoint) {
    const answer = await nora[method](path).set('Sec-Fetch-Site', 'cross-site').send(example);
    expectRefusal(answer, operationId);
    expect(answer.status, operationId).to.equal(403);
  }
});
