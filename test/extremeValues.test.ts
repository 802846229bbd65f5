import { randomUUID } from 'node:crypto';
import { Agent as Connections } from 'node:http';
import { expect } from 'chai';
import type { Response } from 'supertest';
import { z } from 'zod';
import { fillMornings } from '../bench/support/morning.ts';
import { asQueries, EXTREME_JSON, EXTREME_SHORT, EXTREME_TEXTS } from './support/extremeValues.ts';
import { type Form, formsOf } from './support/forms.ts';
import { type Agent, signIn } from './support/people.ts';
import { type ReadNames, startNoting } from './support/readNames.ts';
import type { Route } from './support/routes.ts';
import { sample } from './support/sample.ts';
import { type Service, startService, stopServices } from './support/service.ts';

/** `npm test` sends one value of so many, by turns: each to some field, and to each field some. */
const PART = 6;
const KEY = 'the-key-of-the-operator-of-this-test';

/** Good bodies of the API, beside which one field is extreme. Nested fields are named with dots. */
const JSON_BODIES: Record<string, (ids: Ids) => Record<string, unknown>> = {
  '/api/promises/:id': () => ({ action: 'move', until: '2026-12-01', dueDate: '2026-12-01' }),
  '/api/waiting': ({ dialogId }) => ({ dialogId, action: 'dismiss', lastMessageId: '1' }),
  '/api/contacts/decide': ({ dialogId }) => ({ dialogId, action: 'confirm' }),
};

type Ids = { dialogId: string; accountId: string; digestId: string; promiseId: string };

describe('An extreme value', () => {
  const connections = new Connections({ keepAlive: true });
  let service: Service;
  let noting: ReadNames;
  let nora: Agent;
  let ids: Ids;
  let gets: Route[];
  let posts: Route[];

  before(async () => {
    const env = { ADMIN_API_KEY: KEY, AI_API_KEY: 'key', AI_MODEL: 'model' };
    service = await startService({ crm: true, payments: true, mail: true, worker: false, env });
    noting = await startNoting(service);
    nora = await signIn(noting, 'nora@example.com');
    // Thousands of requests: a connection for each costs as much as many of the answers.
    nora.use((asked: { agent(by: Connections): unknown }) => void asked.agent(connections));
    ids = await fill();
    gets = noting.routes.filter(({ method }) => method === 'get');
    posts = noting.routes.filter(({ method }) => method === 'post' || method === 'patch');
    expect(gets.length).to.be.above(40);
    expect(posts.length).to.be.above(40);
  });
  after(async () => {
    connections.destroy();
    await noting.stop();
    await stopServices();
  });

  it('in the query of any address is never our failure', async () => {
    for (const route of gets) await nora.get(`${addressOf(route)}?key=${KEY}`);
    const told = gets.flatMap(route => noting.namesOf(route).query.map(name => `${route.path}?${name}`));
    expect(told).to.include.members(['/today?changed', '/week?week', '/conversations?page', '/api/promises?cursor']);
    const failed: string[] = [];
    for (const [turn, route] of gets.entries()) {
      const names = noting.namesOf(route).query;
      const together = asQueries(EXTREME_TEXTS).map(value => names.map(name => `${name}${value}`).join('&'));
      // Where one of them is refused, the others were not looked at.
      const apart = names.flatMap(name => [
        ...asQueries(EXTREME_SHORT).map(value => `${name}${value}`),
        `${name}=1&${name}=2`,
      ]);
      const queries = names.length === 0 ? [] : names.length === 1 ? together : [...together, ...apart];
      // Only one field of few routes reads these, and each is read in its own way.
      const cursors = queries.filter(query => query.startsWith('cursor='));
      for (const query of new Set([...sample(queries, PART, turn), ...cursors])) {
        // Node itself refuses longer ones.
        const address = `${addressOf(route)}?${query}`.slice(0, 14_000);
        note(failed, `GET ${address.slice(0, 120)}`, await nora.get(address));
      }
    }
    expect(failed).to.deep.equal([]);
  });

  it('in the address of the page around a fragment is none either', async () => {
    const failed: string[] = [];
    for (const path of ['/today', '/week', '/promises', `/conversations/${ids.dialogId}`, '/contacts']) {
      // It is said three times in one request.
      for (const text of EXTREME_SHORT.filter(({ length }) => length < 1000)) {
        const value = encodeURIComponent(text);
        const back = `${path}?changed=${value}&day=${value}&week=${value}&page=${value}`;
        const asked = () => ({ 'HX-Request': 'true', 'HX-Current-URL': `${noting.url}${back}` });
        note(failed, `GET ${back}`, await nora.get(back).set(asked()));
        const pressed = nora
          .post(`/promises/${ids.promiseId}`)
          .set(asked())
          .type('form')
          .send({ action: 'done', back });
        note(failed, `POST from ${back}`, await pressed);
      }
    }
    expect(failed).to.deep.equal([]);
  });

  it('in place of an id in an address is never our failure', async () => {
    const failed: string[] = [];
    const withIds = [...gets, ...posts].filter(({ path }) => path.includes(':'));
    for (const [turn, route] of withIds.entries()) {
      for (const value of sample([...EXTREME_SHORT.map(encodeURIComponent), '%ED%A0%80', '%ff'], PART, turn)) {
        const address = route.path.replace(/:\w+/g, value);
        const method = route.method === 'get' ? 'get' : route.method === 'patch' ? 'patch' : 'post';
        note(failed, `${route.method} ${address.slice(0, 120)}`, await nora[method](address));
      }
    }
    expect(failed).to.deep.equal([]);
  });

  it('in a field of any form is never our failure', async () => {
    const forms = await formsSeen();
    const failed: string[] = [];
    for (const route of posts.filter(({ path }) => !path.startsWith('/api'))) {
      const address = addressOf(route);
      await nora.post(address).type('form').send('');
      const seen = forms.filter(({ action }) => isOf(route, action));
      const names = [...new Set([...noting.namesOf(route).body, ...seen.flatMap(({ fields }) => Object.keys(fields))])];
      for (const [turn, name] of names.entries()) {
        const { [name]: _left, ...others } = seen[0]?.fields ?? {};
        const rest = new URLSearchParams(others).toString();
        for (const value of sample(asQueries(EXTREME_SHORT), PART, turn)) {
          const answer = await nora.post(address).type('form').send(`${rest}&${name}${value}`);
          note(failed, `POST ${address} ${name}${value.slice(0, 60)} beside ${rest}`, answer);
        }
      }
    }
    expect(failed).to.deep.equal([]);
  });

  it('in a field of any JSON body is never our failure', async () => {
    const failed: string[] = [];
    for (const route of posts.filter(({ path }) => /^\/api\/(?!webhooks|auth\/signout)/.test(path))) {
      const address = addressOf(route);
      const send = (json: string) =>
        nora[route.method === 'patch' ? 'patch' : 'post'](address)
          .type(isForm(route) ? 'form' : 'json')
          .send(json);
      const good = JSON_BODIES[route.path]?.(ids) ?? {};
      await send(isForm(route) ? '' : JSON.stringify(good));
      for (const [turn, name] of noting.namesOf(route).body.entries()) {
        for (const json of sample(EXTREME_JSON, PART, turn)) {
          const others = Object.entries(good).filter(([field]) => field !== name);
          const fields = [
            ...others.map(([field, value]) => `"${field}":${JSON.stringify(value)}`),
            `"${name}":${json}`,
          ];
          const answer = isForm(route)
            ? await send(`${name}=${encodeURIComponent(json.replace(/^"(.*)"$/, '$1'))}`)
            : await send(`{${fields.join()}}`);
          note(failed, `${route.method} ${address} ${name} ${json.slice(0, 60)}`, answer);
        }
      }
    }
    expect(failed).to.deep.equal([]);
  });

  function note(failed: string[], told: string, { status }: Response) {
    if (status >= 500) failed.push(`${status} ${told}`);
  }

  function isForm({ path }: Route): boolean {
    return path.startsWith('/api/auth/');
  }

  /** The route's address with ids that are there. */
  function addressOf({ path }: Route): string {
    return path.replace(/:(\w+)/g, (_, name) => ids[nameIn(path, name)] ?? randomUUID());
  }

  function nameIn(path: string, name: string): keyof Ids {
    if (name !== 'id') return name as keyof Ids;
    if (path.startsWith('/settings/connections/')) return 'accountId';
    return path.includes('promises') ? 'promiseId' : 'dialogId';
  }

  function isOf({ path }: Route, action: string): boolean {
    return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(action.split('?')[0] ?? '');
  }

  async function formsSeen(): Promise<Form[]> {
    const found: Form[] = [];
    for (const route of gets) {
      const { text, type } = await nora.get(addressOf(route));
      if (type === 'text/html') found.push(...formsOf(text));
    }
    return found;
  }

  /** Digests, promises and a match to decide about. No CRM is connected: it would be asked at its own, slow pace. */
  async function fill(): Promise<Ids> {
    const { db } = service;
    const { id: userId } = await db('users').first('id');
    await fillMornings(db, userId, { perDay: 4, days: 4, script: 'latin' });
    // There is no account behind it that could be asked for a newer list.
    await db('messenger_accounts').update({ dialogs_listed_at: new Date(Date.now() + 3_600_000) });
    const dialog = await db('dialogs').first('id', 'account_id');
    const guess = { match_status: 'AUTO_NAME', match_confidence: 0.8, crm_contact_id: '9', crm_contact_name: 'Ada' };
    await db('dialogs').where({ id: dialog.id }).update(guess);
    const asks = { dialog_id: dialog.id, user_id: userId, message_id: 1, asked_at: '2026-01-01', words: 'Asks.' };
    await db('waiting_questions').insert(asks);
    const known = {
      dialogId: dialog.id,
      accountId: dialog.account_id,
      digestId: (await db('digests').where({ dialog_id: dialog.id }).first('id')).id,
      promiseId: (await db('promises').where({ state: 'open' }).first('id')).id,
    };
    return z.record(z.string(), z.string()).parse(known) as Ids;
  }
});
