import { randomUUID } from 'node:crypto';
import { Agent as Connections } from 'node:http';
import { expect } from 'chai';
import type { Response } from 'supertest';
import { fillForMia, formsAt, type Ids, type Method } from '../support/badInput.ts';
import { BAD_FIELDS, BAD_JSON, BAD_TEXTS } from '../support/badValues.ts';
import { type Agent, signIn } from '../support/people.ts';
import { type ReadNames, startNoting } from '../support/readNames.ts';
import type { Route } from '../support/routes.ts';
import { type Service, startService, stopServices } from '../support/service.ts';

const KEY = 'operators-key-of-this-test';
/** Good bodies beside which one field is bad, where the description's example is about nobody. */
const GOOD: Record<string, object> = {
  '/api/promises/:id': { action: 'move', until: '2026-12-01', dueDate: '2026-12-01' },
  '/api/waiting': { action: 'dismiss', lastMessageId: '1' },
  '/api/contacts/decide': { action: 'confirm' },
};

describe('Bad input, each in each place,', function () {
  // Thousands of requests.
  this.timeout(900_000);
  const connections = new Connections({ keepAlive: true });
  let service: Service;
  let noting: ReadNames;
  /** Has four mornings and no CRM, which would answer at its own, slow pace. Her requests may do something. */
  let mia: Agent;
  let ids: Ids;
  let gets: Route[];
  let changing: Route[];

  before(async () => {
    const env = { ADMIN_API_KEY: KEY, AI_API_KEY: 'key', AI_MODEL: 'model' };
    service = await startService({ crm: true, payments: true, mail: true, worker: false, env });
    noting = await startNoting(service);
    mia = await signIn(noting, 'mia@example.com');
    // Thousands of requests: a connection for each costs as much as many of the answers.
    mia.use((asked: { agent(by: Connections): unknown }) => void asked.agent(connections));
    ids = await fillForMia(service);
    gets = noting.routes.filter(({ method }) => method === 'get');
    changing = noting.routes.filter(({ method }) => method === 'post' || method === 'patch');
    expect([gets.length, changing.length].every(count => count > 40)).to.equal(true);
  });
  after(async () => {
    connections.destroy();
    await noting.stop();
    await stopServices();
  });

  let failed: string[];
  beforeEach(async () => {
    failed = [];
    await mia.get('/api/digests').expect(200);
  });
  afterEach(() => expect(failed).to.deep.equal([]));

  const note = (told: string, { status }: Response) => {
    if (status >= 500) failed.push(`${status} ${told.slice(0, 160)}`);
  };

  it('is never our failure in the query of any address', async () => {
    for (const route of gets) await mia.get(`${addressOf(route)}?key=${KEY}`);
    const told = gets.flatMap(route => noting.namesOf(route).query.map(name => `${route.path}?${name}`));
    expect(told).to.include.members(['/today?changed', '/week?week', '/conversations?page', '/api/promises?cursor']);
    for (const route of gets) await tryQueries(route);
  });

  async function tryQueries(route: Route) {
    const names = noting.namesOf(route).query;
    const ask = async (query: string) => {
      // Node itself refuses longer ones.
      const address = `${addressOf(route)}?${query}`.slice(0, 14_000);
      const answer = await mia.get(address);
      note(`GET ${address}`, answer);
      return answer.status;
    };
    for (const value of names.length > 0 ? BAD_FIELDS : []) {
      const status = await ask(names.map(name => name + value).join('&'));
      // Where one of them is refused, the others were not looked at.
      if (status >= 400) for (const name of names) await ask(name + value);
    }
    for (const name of names) await ask(`${name}=1&${name}=2`);
  }

  it('is never our failure in the address of the page around a fragment', async () => {
    for (const path of ['/today', '/week', '/promises', `/conversations/${ids.dialogId}`, '/contacts']) {
      // It is said three times in one request.
      for (const text of BAD_TEXTS.filter(({ length }) => length < 1000)) {
        const value = encodeURIComponent(text);
        const back = `${path}?changed=${value}&day=${value}&week=${value}&page=${value}`;
        const around = { 'HX-Request': 'true', 'HX-Current-URL': `${noting.url}${back}` };
        note(`GET ${back}`, await mia.get(back).set(around));
        const pressed = mia.post(`/promises/${ids.promiseId}`).set(around).type('form');
        note(`POST from ${back}`, await pressed.send({ action: 'done', back }));
      }
    }
  });

  it('is never our failure in place of an id in an address', async () => {
    const values = [...BAD_TEXTS.filter(text => text !== '').map(encodeURIComponent), '%ED%A0%80', '%ff'];
    for (const { method, path } of [...gets, ...changing].filter(one => one.path.includes(':'))) {
      for (const value of values) {
        const address = path.replace(/:\w+/g, value);
        note(`${method} ${address}`, await mia[method as Method](address));
      }
    }
  });

  it('is never our failure in a field of any body of the API', async () => {
    for (const route of changing.filter(({ path }) => /^\/api\/(?!webhooks|auth\/signout)/.test(path))) {
      const isForm = route.path.startsWith('/api/auth/');
      const send = (body: string) =>
        mia[route.method as Method](addressOf(route))
          .type(isForm ? 'form' : 'json')
          .send(body);
      const good = { dialogId: ids.dialogId, ...GOOD[route.path] };
      await send(isForm ? '' : JSON.stringify(good));
      for (const name of noting.namesOf(route).body) {
        const rest = Object.entries(good).filter(([field]) => field !== name);
        const others = rest.map(([field, value]) => `"${field}":${JSON.stringify(value)},`).join('');
        const bodies = isForm
          ? BAD_FIELDS.map(value => name + value)
          : BAD_JSON.map(json => `{${others}"${name}":${json}}`);
        for (const body of bodies) note(`${route.method} ${route.path} ${body}`, await send(body));
      }
    }
  });

  it('is never our failure in a field of any form', async () => {
    const forms = await formsAt(mia, gets.map(addressOf));
    for (const route of changing.filter(({ path }) => !/^\/(api|mcp)/.test(path))) {
      const address = addressOf(route);
      await mia.post(address).type('form').send('');
      const isOf = new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`);
      const seen = forms.filter(({ action }) => isOf.test(action.split('?')[0] ?? '')).map(({ fields }) => fields);
      for (const name of new Set([...noting.namesOf(route).body, ...seen.flatMap(Object.keys)])) {
        const { [name]: _left, ...others } = seen[0] ?? {};
        const rest = new URLSearchParams(others).toString();
        for (const value of BAD_FIELDS) {
          note(`POST ${address} ${name}${value}`, await mia.post(address).type('form').send(`${rest}&${name}${value}`));
        }
      }
    }
  });

  /** The route's address with ids of Mia's. */
  function addressOf({ path }: Route): string {
    return path.replace(/:(\w+)/g, (_, name: string) => {
      if (name !== 'id') return ids[name as keyof Ids] ?? randomUUID();
      if (path.startsWith('/settings/connections/')) return ids.accountId;
      return path.includes('promises') ? ids.promiseId : ids.dialogId;
    });
  }
});
