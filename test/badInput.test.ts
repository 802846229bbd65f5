import { randomUUID } from 'node:crypto';
import { Agent as Connections } from 'node:http';
import { expect } from 'chai';
import request from 'supertest';
import { z } from 'zod';
import { escaped, schemasOf } from './support/apiContract.ts';
import {
  type Endpoint,
  endpointsOf,
  expectRefusal,
  expectRefusalPage,
  fingerprint,
  formsAt,
  type Method,
  PHONE,
  startForNora,
  storeForNora,
} from './support/badInput.ts';
import { BAD_BODIES, BAD_JSON, BAD_TEXTS, NEAR_MISSES, NOBODY, UNWRITABLE } from './support/badValues.ts';
import type { Form } from './support/forms.ts';
import { type Agent, signIn } from './support/people.ts';
import { mountedRoutes, type Route } from './support/routes.ts';
import { type Service, stopServices } from './support/service.ts';

const FORM = 'application/x-www-form-urlencoded';
/** Where a form came from and what the page is to show next: what can't be read counts as not sent. */
const ABOUT_THE_PAGE = new Set(['back', 'from', 'view', 'page', 'writer', 'callbackUrl']);
/** Opened by the token in a mail, without a session; the first also by other sites. */
const BY_TOKEN = /^\/mail\/(un|re)subscribe\//;
const bodySchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});
describe('Bad input', () => {
  const connections = new Connections({ keepAlive: true });
  let service: Service;
  /** Has an account with a conversation, a CRM and a digest; no request of these tests changes anything of hers. */
  let nora: Agent;
  let noraIds: string[];
  let mallory: Agent;
  let schemas: ReturnType<typeof schemasOf>;
  let endpoints: Endpoint[];
  let events: Endpoint[];
  let gets: Route[];
  let changing: Route[];
  let posts: string[];
  let noraForms: Form[];
  const known: Record<string, unknown> = { phone: PHONE };

  before(async () => {
    const env = { ADMIN_API_KEY: 'operators-key-of-this-test' };
    const start = await startForNora(env);
    ({ service, nora } = start);
    mallory = await signIn(service, 'mallory@example.com');
    // Thousands of requests: a connection for each costs as much as many of the answers.
    for (const agent of [nora, mallory])
      agent.use((asked: { agent(by: Connections): unknown }) => void asked.agent(connections));
    noraIds = await storeForNora(start);
    const { authToken } = (await nora.post('/api/messenger/connect').send({ phone: PHONE }).expect(200)).body;
    await nora.post('/api/settings').send({ minMessages: 2 }).expect(200);
    Object.assign(known, { authToken, accountId: start.accountId, dialogId: start.dialogId });
    const described = JSON.parse((await nora.get('/api/openapi.json').expect(200)).text);
    schemas = schemasOf(described);
    const all = endpointsOf(described, known);
    events = all.filter(({ path }) => path.startsWith('/api/webhooks'));
    endpoints = all.filter(one => !events.includes(one));
    const routes = await mountedRoutes(service);
    gets = routes.filter(({ method }) => method === 'get');
    changing = routes.filter(({ method }) => method === 'post' || method === 'patch');
    posts = changing.map(({ path }) => path).filter(path => !/^\/(api|mcp)/.test(path));
    // To look at a page may begin something: it is done before anything is compared.
    const pages = gets
      .map(({ path }) => path)
      .filter(path => !/^\/(api|mcp|metrics|healthz|readyz|assets|status)/.test(path));
    const addresses = pages.flatMap(path => (path.includes(':') ? noraIds.map(id => at(path, id)) : [path]));
    noraForms = await formsAt(nora, addresses);
    expect([gets.length, changing.length, posts.length].every(count => count >= 20)).to.equal(true);
  });
  after(async () => {
    connections.destroy();
    await stopServices();
  });

  describe('changes nothing and is refused in words', () => {
    let stored: Record<string, string>;
    beforeEach(async () => {
      stored = await fingerprint(service.db);
    });
    afterEach(async () => {
      expect(await fingerprint(service.db), 'the database').to.deep.equal(stored);
    });

    it('in each field of each body of the API @thorough', async () => {
      for (const endpoint of endpoints.filter(({ requestBody, method }) => requestBody && method !== 'get')) {
        await tryFields(endpoint);
      }
    });

    it('as the body of each endpoint', async () => {
      for (const endpoint of endpoints.filter(({ method }) => method !== 'get')) await tryBodies(endpoint);
    });

    it('in each query of the API', async () => {
      for (const { method, path, parameters } of endpoints) {
        for (const { name, required } of parameters) {
          const bad = [`${name}=a&${name}=b`, `${name}=hush%00`, `${name}=hush%1b`];
          // The specification answers a job id of any length: it is not found.
          if (name !== 'jobId') bad.push(`${name}=${'x'.repeat(5000)}`);
          if (required) bad.push('', name, `${name}=`, `${name}[]=a`, `${name}[x]=a`, `__proto__[${name}]=a`);
          for (const query of bad) {
            expectRefusal(await nora[method](`${path}?${query}`).set('Accept', 'application/json'), `${path} ${query}`);
          }
        }
      }
    });

    it('without a session and from another site, at each endpoint', async () => {
      for (const { method, path, example, security } of endpoints) {
        const send = (agent: Agent | ReturnType<typeof request>) => {
          const asked = agent[method](path).set('Accept', 'application/json');
          return method === 'get' ? asked : asked.send(example);
        };
        if (security === undefined) expectRefusal(await send(request(service.url)), path, 401);
        if (method !== 'get') expectRefusal(await send(nora).set('Sec-Fetch-Site', 'cross-site'), path, 403);
      }
    });

    it('with ids of another user, in each body of the API', async () => {
      const others = endpoints.filter(({ example }) => ['dialogId', 'accountId', 'authToken'].some(id => id in example));
      expect(others).not.to.deep.equal([]);
      for (const { method, path, example } of others) {
        expectRefusal(await mallory[method](path).send(example), path, 'authToken' in example ? 400 : 404);
      }
    });

    it('with ids of another user in any address: as with ids that nobody has @thorough', async () => {
      for (const { method, path } of [...gets, ...changing].filter(one => one.path.includes(':'))) {
        const send = (id: string) => mallory[method as Method](at(path, id)).type('form');
        const unknown = await send(randomUUID());
        for (const id of noraIds) expect((await send(id)).status, `${method} ${path}`).to.equal(unknown.status);
        if (method === 'post') expectRefusalPage(unknown, path);
      }
    });

    it('in an id of the address of each form @thorough', async () => {
      for (const path of posts.filter(one => one.includes(':'))) {
        for (const id of BAD_TEXTS.filter(text => text !== '')) {
          expectRefusalPage(await post(nora, at(path, id)), `${path} ${id.slice(0, 20)}`);
        }
      }
    });

    it('without a session and from another site, at each form', async () => {
      for (const path of posts) {
        for (const id of path.includes(':') ? noraIds : [NOBODY]) {
          const stranger = await request(service.url).post(at(path, id)).type('form').send('');
          if (BY_TOKEN.test(path)) expectRefusalPage(stranger, path);
          else expect(stranger.headers.location ?? stranger.status, path).to.match(/^\/signin\?callbackUrl=|^403$/);
          if (path.startsWith('/mail/unsubscribe')) continue;
          const elsewhere = await nora.post(at(path, id)).set('Sec-Fetch-Site', 'cross-site').type('form').send('');
          expectRefusalPage(elsewhere, path);
          expect(elsewhere.status, path).to.equal(403);
        }
      }
    });

    it('as a form that is too large or unreadable @thorough', async () => {
      // Those with a box for each conversation have more room.
      const hasBoxes = (path: string) => /^\/contacts\/bulk$|\/reading$/.test(path);
      for (const path of posts) {
        const large = `hush=${'x'.repeat((hasBoxes(path) ? 201 : 11) * 1024)}`;
        const sent = (type: string) => nora.post(at(path, randomUUID())).set('Content-Type', type);
        expectRefusalPage(await sent(FORM).send(large), `${path} large`);
        expectRefusalPage(await sent(`${FORM}; charset=hush`).send('a=b'), `${path} charset`);
        expectRefusalPage(await sent('application/json').send('{"hush":1}'), `${path} JSON`);
        expectRefusalPage(await sent('text/plain').send('hush=1'), `${path} plain text`);
      }
    });

    it('in each field of the forms people see @thorough', async () => {
      const fields = noraForms.flatMap(form => Object.keys(form.fields).map(field => ({ form, field })));
      expect(fields.length).to.be.at.least(15);
      const taken: string[] = [];
      for (const { form, field } of fields.filter(one => !ABOUT_THE_PAGE.has(one.field))) {
        const values = [...UNWRITABLE, ...(NEAR_MISSES[field] ?? [])];
        const bodies = values.map(value => new URLSearchParams({ ...form.fields, [field]: value }).toString());
        const good = new URLSearchParams(form.fields).toString();
        for (const body of [...bodies, `${good}&${field}=hush`]) {
          const before = JSON.stringify(await fingerprint(service.db));
          const answer = await nora.post(form.action).type('form').send(body);
          const told = `${form.action} ${body.slice(-60)}`;
          expect(answer.status, told).to.be.below(500);
          if (answer.status >= 400) expectRefusalPage(answer, told);
          if (JSON.stringify(await fingerprint(service.db)) !== before) taken.push(told);
        }
      }
      expect(taken).to.deep.equal([]);
    });
  });

  it('as an event with another signature is refused and stores nothing', async () => {
    const before = await fingerprint(service.db);
    for (const { path, example } of events) {
      for (const headers of [{}, { 'Stripe-Signature': 't=1,v1=00', 'X-HubSpot-Signature-v3': 'AA==' }]) {
        for (const body of ['', '{', 'null', JSON.stringify(example), `{"hush":"${'x'.repeat(1100 * 1024)}"}`]) {
          const sent = request(service.url).post(path).set(headers).set('Content-Type', 'application/json').send(body);
          expectRefusal(await sent, `${path} ${body.slice(0, 20)}`);
        }
      }
    }
    expect(await fingerprint(service.db)).to.deep.equal(before);
  });

  /** What the description does not allow, what no text may hold, and almost right ones; a required field left out. */
  async function tryFields(endpoint: Endpoint) {
    const { method, path, described, type, example } = endpoint;
    const place = `/paths/${escaped(described)}/${method}/requestBody/content/${escaped(type)}/schema`;
    const { at: pointer, found } = schemas.find(place, bodySchema);
    const isForm = type === FORM;
    const send = async (json: string, told: string) =>
      expectRefusal(await nora[method](path).set('Content-Type', 'application/json').send(json), `${path} ${told}`);
    for (const field of Object.keys(found.properties)) {
      const allows = schemas.validator(`${pointer}/properties/${field}`);
      const { [field]: _left, ...others } = example;
      const rest = JSON.stringify(others).slice(1, -1);
      const isId = /Id$|Token$/.test(field);
      const never = (value: unknown) =>
        typeof value === 'string' && (UNWRITABLE.includes(value) || !value.isWellFormed() || (isId && value !== ''));
      const bad = [
        ...BAD_JSON.filter(json => !allows(JSON.parse(json)) || (allows('text') && never(JSON.parse(json)))),
        ...(NEAR_MISSES[field] ?? []).map(text => JSON.stringify(text)),
      ];
      for (const json of bad) {
        await send(`{${rest}${rest && ','}"${field}":${json}}`, `${field} ${json.slice(0, 60)}`);
        if (isForm) await tryForms(endpoint, field, JSON.parse(json), found.required.includes(field));
      }
      if (found.required.includes(field)) await send(`{${rest}}`, `without ${field}`);
    }
    if (found.required.length === 0) return;
    const own = JSON.stringify(example);
    for (const json of [`{"__proto__":${own}}`, `{"constructor":{"prototype":${own}}}`, `[${own}]`, `{"body":${own}}`])
      await send(json, json.slice(0, 20));
  }

  /** A form says the same twice, as a list and as parts, where JSON has values of another kind. */
  async function tryForms({ method, path, example }: Endpoint, field: string, value: unknown, isRequired: boolean) {
    const { [field]: _left, ...others } = example;
    const rest = new URLSearchParams(others as Record<string, string>).toString();
    const lists = [`${field}=hush&${field}=hush`, ...(isRequired ? [`${field}[]=hush`, `${field}[x]=hush`] : [])];
    const isText = typeof value === 'string' && value.isWellFormed();
    for (const body of isText ? [`${field}=${encodeURIComponent(value)}`] : Array.isArray(value) ? lists : []) {
      const answer = await nora[method](path).set('Accept', 'application/json').type('form').send(`${rest}&${body}`);
      expectRefusal(answer, `${path} as a form: ${body.slice(0, 60)}`);
    }
  }

  async function tryBodies({ method, path, type, requestBody }: Endpoint) {
    const isForm = type === FORM || path === '/api/auth/signout';
    for (const [body, kind] of BAD_BODIES) {
      if (isForm && kind === FORM) continue;
      expectRefusal(await nora[method](path).set('Content-Type', kind).send(body), `${path} ${kind}`);
    }
    if (isForm)
      expectRefusal(
        await nora[method](path)
          .type('form')
          .send(`hush=${'x'.repeat(11 * 1024)}`),
        path,
      );
    for (const list of requestBody ? ['[]', '[{}]', 'null'] : [])
      expectRefusal(await nora[method](path).type('json').send(list), `${path} ${list}`);
    const packed = { 'Content-Type': 'application/json', 'Content-Encoding': 'hush' };
    expectRefusal(await nora[method](path).set(packed).send('{}'), `${path} of an unknown encoding`);
  }

  /** The address with every id in it replaced. */
  function at(path: string, id: string): string {
    return path.replace(/:\w+/g, () => encodeURIComponent(id));
  }

  function post(agent: Agent, address: string, body = 'hush=1&__proto__[x]=1') {
    return agent.post(address).type('form').send(body);
  }
});
