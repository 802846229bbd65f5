import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import request, { type Response } from 'supertest';
import { storeDigest, storedItem } from './features/pages/today/stored.ts';
import { expectRefusalPage, fingerprint, startForNora } from './support/badInput.ts';
import { INVALID_IDS } from './support/badValues.ts';
import { type Form, formsOf } from './support/forms.ts';
import { type Agent, signIn } from './support/people.ts';
import { mountedRoutes } from './support/routes.ts';
import { type Service, stopServices } from './support/service.ts';

/** Where a form came from and what the page is to show next: what can't be read counts as not sent. */
const ABOUT_THE_PAGE = new Set(['back', 'from', 'view', 'page', 'writer', 'callbackUrl']);
/** Opened by the token in a mail, without a session; the first also by other sites. */
const BY_TOKEN = /^\/mail\/(un|re)subscribe\//;
const NO_FIELD_OF_OURS = ['hush\u0000', 'hush\u0007\u001b[2J', 'hush'.repeat(2000)];

describe('Bad input in a form of a page', () => {
  let service: Service;
  let nora: Agent;
  let mallory: Agent;
  let posts: string[];
  let gets: string[];
  let stored: Record<string, string>;
  let ids: string[];
  let forms: Form[];

  before(async () => {
    const start = await startForNora();
    ({ service, nora } = start);
    mallory = await signIn(service, 'mallory@example.com');
    ids = await prepare(start);
    const pages = (await mountedRoutes(service)).filter(({ path }) => !/^\/(api|mcp)/.test(path));
    const of = (method: string) => pages.filter(route => route.method === method).map(({ path }) => path);
    posts = of('post');
    gets = of('get').filter(path => !/^\/(metrics|healthz|readyz|assets|status)/.test(path));
    expect(posts).to.have.lengthOf.at.least(20);
    forms = await formsSeen();
  });
  beforeEach(async () => {
    stored = await fingerprint(service.db);
  });
  afterEach(async () => {
    expect(await fingerprint(service.db), 'the database').to.deep.equal(stored);
  });
  after(stopServices);

  /** @returns every id of Nora's that is in an address */
  async function prepare({ accountId, dialogId }: { accountId: string; dialogId: string }): Promise<string[]> {
    const { db } = service;
    const { id: userId } = await db('users').where({ email: 'nora@example.com' }).first('id');
    const item = storedItem('Send the offer');
    const structured = { actionItems: [item], urgency: 'high' as const };
    const { digestId } = await storeDigest(db, { userId, accountId }, { dialogId, structured });
    await nora.get('/today').expect(200);
    const { id: sessionId } = await db('user_sessions').where({ user_id: userId }).first('id');
    return [accountId, dialogId, digestId, sessionId, item.id, userId];
  }

  /** The address with every id in it replaced. */
  function at(path: string, id: string): string {
    return path.replace(/:\w+/g, encodeURIComponent(id.replace('\ud800', '?')));
  }

  it('is rejected by every form when it is too large or unreadable', async () => {
    const large = `hush=${'x'.repeat(11 * 1024)}`;
    for (const path of posts) {
      const sent = (type: string) => nora.post(at(path, randomUUID())).set('Content-Type', type);
      expectRefusalPage(await sent('application/x-www-form-urlencoded').send(large), `${path} large`);
      expectRefusalPage(await sent('application/x-www-form-urlencoded; charset=hush').send('a=b'), `${path} charset`);
      expectRefusalPage(await sent('application/json').send('{"hush":1}'), `${path} JSON`);
      expectRefusalPage(await sent('text/plain').send('hush=1'), `${path} plain text`);
    }
  });

  it('in an id of the address gets an error page and changes nothing', async () => {
    for (const path of posts.filter(one => one.includes(':'))) {
      for (const id of INVALID_IDS) expectRefusalPage(await post(nora, at(path, id)), `${path} ${id.slice(0, 20)}`);
    }
  });

  it('with ids of another user gets the same answer as with unknown ids', async () => {
    for (const path of posts.filter(one => one.includes(':'))) {
      for (const id of ids) {
        const answer = await post(mallory, at(path, id));
        expectRefusalPage(answer, path);
        const unknown = await post(mallory, at(path, randomUUID()));
        expect(answer.status, path).to.equal(unknown.status);
      }
    }
  });

  it('without a session redirects to sign-in and changes nothing', async () => {
    for (const path of posts) {
      for (const id of ids) {
        const answer = await request(service.url).post(at(path, id)).type('form').send('');
        if (BY_TOKEN.test(path)) expectRefusalPage(answer, path);
        else expect(answer.headers.location ?? answer.status, path).to.match(/^\/signin\?callbackUrl=|^403$/);
      }
    }
  });

  it('from another site is rejected', async () => {
    for (const path of posts.filter(one => !one.startsWith('/mail/unsubscribe'))) {
      for (const id of ids) {
        const answer = await nora.post(at(path, id)).set('Sec-Fetch-Site', 'cross-site').type('form').send('');
        expectRefusalPage(answer, path);
        expect(answer.status, path).to.equal(403);
      }
    }
  });

  it('with missing, repeated or partial fields changes nothing', async () => {
    const bodies = [
      'hush',
      'phone=&phone=hush',
      'phone[x]=1&code[x]=1',
      '__proto__[phone]=1&constructor[prototype][x]=1',
      'timezone=%00&syncTime=%00&phone=%00&code=%00&theme=%00',
    ];
    for (const path of ['/settings', '/settings/theme', '/connect', '/connect/code', '/connect/password']) {
      for (const body of bodies) {
        const answer = await nora.post(path).type('form').send(body);
        if (answer.status === 303) expect(answer.headers.location, path).to.equal('/connect');
        else expectRefusalPage(answer, `${path} ${body}`);
      }
    }
  });

  it('in each field of the forms people see changes nothing', async () => {
    const seen = forms.flatMap(form => Object.keys(form.fields).map(field => ({ form, field })));
    expect(seen.length).to.be.at.least(15);
    const taken: string[] = [];
    for (const { form, field } of seen.filter(one => !ABOUT_THE_PAGE.has(one.field))) {
      for (const bad of NO_FIELD_OF_OURS) {
        const isTaken = await takes(form, new URLSearchParams({ ...form.fields, [field]: bad }));
        if (isTaken) taken.push(`${form.action} ${field} ${JSON.stringify(bad).slice(0, 20)}`);
      }
      const twice = new URLSearchParams(form.fields);
      twice.append(field, 'hush');
      if (await takes(form, twice)) taken.push(`${form.action} ${field} twice`);
    }
    expect(taken).to.deep.equal([]);
  });

  /** The forms of every page Nora can open, each once. */
  async function formsSeen(): Promise<Form[]> {
    const addresses = gets.flatMap(path => (path.includes(':') ? ids.map(id => at(path, id)) : [path]));
    const found = new Map<string, Form>();
    for (const address of addresses) {
      const { text, type } = await nora.get(address);
      if (type !== 'text/html') continue;
      for (const form of formsOf(text)) found.set(`${form.action} ${Object.keys(form.fields)}`, form);
    }
    return [...found.values()].filter(({ action }) => !action.startsWith('/api'));
  }

  /** Whether anything was done. What is refused must be refused in words. */
  async function takes({ action }: Form, fields: URLSearchParams): Promise<boolean> {
    const before = await fingerprint(service.db);
    const answer = await nora.post(action).type('form').send(fields.toString());
    const told = `${action} ${fields.toString().slice(0, 60)}`;
    expect(answer.status, told).to.be.below(500);
    if (answer.status >= 400) expectRefusalPage(answer, told);
    return JSON.stringify(await fingerprint(service.db)) !== JSON.stringify(before);
  }

  function post(agent: Agent, address: string): Promise<Response> {
    return agent.post(address).type('form').send('hush=1&__proto__[x]=1');
  }
});
