import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import request from 'supertest';
import { type Agent, signIn } from '../../../support/people.ts';
import { mountedRoutes } from '../../../support/routes.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { bearer, createToken, revoke } from '../../../support/tokens.ts';
import { storeAccount, storeDigest, storedItem } from '../../pages/today/stored.ts';

const DAY_MS = 86_400_000;
const READABLE = ['/api/digests', '/api/crm/contacts/search', '/api/promises', '/api/ask', '/api/brief'];

describe('API tokens', () => {
  let service: Service;
  let nora: Agent;
  let promiseId: string;
  /** What an address takes. */
  let queries: Record<string, string>;

  before(async () => {
    service = await startService({ worker: false });
    nora = await signIn(service, 'nora@example.com');
    await signIn(service, 'sam@example.com');
    for (const who of ['nora', 'sam']) {
      const owner = await storeAccount(service.db, `${who}@example.com`);
      const actionItems = [storedItem(`Promise of ${who}`)];
      await storeDigest(service.db, owner, {
        name: `Peer of ${who}`,
        summary: `Day of ${who}`,
        structured: { actionItems },
      });
    }
    const [promise] = (await nora.get('/api/promises').expect(200)).body.promises;
    promiseId = promise.id;
    queries = { '/api/ask': '?q=What+did+Peer+of+nora+say%3F', '/api/brief': `?dialogId=${promise.dialogId}` };
  });
  afterEach(() => service.db('api_tokens').delete());
  after(stopServices);

  const codeOf = (asked: request.Test, status: number) => asked.expect(status).then(({ body }) => body.code);

  it('read what their person sees, and nothing of anyone else', async () => {
    const { secret } = await createToken(nora, { scopes: ['read'] });
    const script = bearer(service, secret);
    for (const path of READABLE) {
      const address = `${path}${queries[path] ?? ''}`;
      const own = await nora.get(address).expect(200);
      const read = await script.get(address).expect(200);
      expect(read.body, path).to.deep.equal(own.body);
      expect(read.text, path).to.include('Peer of nora').and.not.include('sam');
      expect(read.headers, path).not.to.have.property('set-cookie');
      await script.head(address).expect(200);
    }
  });

  it('read nothing without that scope, an assistant’s not by a change either', async () => {
    const others = bearer(service, (await createToken(nora, { scopes: ['promises', 'assistant'] })).secret);
    for (const path of READABLE) {
      const address = `${path}${queries[path] ?? ''}`;
      expect(await codeOf(others.get(address), 403), path).to.equal('TOKEN_SCOPE');
    }
    const path = `/api/promises/${promiseId}`;
    const bulk = { ids: [promiseId], change: { action: 'done' } };
    for (const change of [
      others.patch(`${path}/fields`).send({}),
      others.patch(path).send({ action: 'done' }),
      others.post('/api/promises/bulk').send(bulk),
    ])
      expect(await codeOf(change, 403)).to.equal('TOKEN_SCOPE');
  });

  it('are no assistant’s without that scope', async () => {
    const script = bearer(service, (await createToken(nora, { scopes: ['read', 'promises'] })).secret);
    const asked = script.post('/mcp').send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(await codeOf(asked.set('Accept', 'application/json'), 403)).to.equal('TOKEN_SCOPE');
  });

  it('change promises only with that scope', async () => {
    const reader = bearer(service, (await createToken(nora, { scopes: ['read'] })).secret);
    const changer = bearer(service, (await createToken(nora, { scopes: ['promises'] })).secret);
    const path = `/api/promises/${promiseId}`;
    expect(await codeOf(reader.patch(path).send({ action: 'done' }), 403)).to.equal('TOKEN_SCOPE');
    expect((await nora.get('/api/promises')).body.promises).to.have.length(1);
    expect((await changer.patch(path).send({ action: 'done' }).expect(200)).body.promise.state).to.equal('done');
    const bulk = { ids: [promiseId], change: { action: 'undo' } };
    expect((await changer.post('/api/promises/bulk').send(bulk).expect(200)).body.promises).to.have.length(1);
    const { body } = await changer.patch(`${path}/fields`).send({ words: 'Send it' }).expect(200);
    expect(body.promise.words).to.equal('Send it');
    expect(await codeOf(changer.get('/api/promises'), 403)).to.equal('TOKEN_SCOPE');
  });

  it('open no other address, with every scope and with a session beside them', async () => {
    const { secret } = await createToken(nora, { scopes: ['read', 'promises', 'assistant'] });
    const routes = await mountedRoutes(service);
    const open = new Set([
      ...READABLE.map(path => `get ${path}`),
      ...['patch /api/promises/:id', 'patch /api/promises/:id/fields', 'post /api/promises/bulk'],
    ]);
    // Before a person is asked for: files, health, the operator’s, other services’, and links with a token of their own.
    const early =
      /^\/(healthz|readyz|assets|manifest|api\/admin|metrics|status|api\/webhooks|mail\/unsubscribe|calendar|mcp)/;
    const closed = routes.filter(({ method, path }) => !early.test(path) && !open.has(`${method} ${path}`));
    expect(closed).to.have.length.above(80);
    for (const { method, path } of closed) {
      const address = path.replaceAll(/:\w+/g, randomUUID());
      const asked = nora[method as 'get'](address).set('Authorization', `Bearer ${secret}`);
      const answer = await asked.expect(403);
      if (path.startsWith('/api')) expect(answer.body.code, path).to.equal('TOKEN_NOT_ALLOWED');
    }
  });

  it('end when they are revoked, expire or lose their owner, each with the same answer', async () => {
    const revoked = await createToken(nora, { scopes: ['read'] });
    const expiring = await createToken(nora, { scopes: ['read'], lifetime: '30' });
    const lasting = await createToken(nora, { scopes: ['read'], lifetime: 'never' });
    const get = (secret: string) => bearer(service, secret).get('/api/digests');
    for (const { secret } of [revoked, expiring, lasting]) await get(secret).expect(200);
    await revoke(nora, revoked.id).expect(303);
    const { body, headers } = await get(revoked.secret).expect(401);
    expect(body.code).to.equal('WRONG_TOKEN');
    expect(headers['www-authenticate']).to.equal('Bearer error="invalid_token"');
    await service.db('api_tokens').where({ id: expiring.id }).update({ expires_at: service.clock.now() });
    for (const secret of [expiring.secret, `fnn_${'A'.repeat(43)}`, 'fnn_', `${lasting.secret}x`]) {
      expect(await codeOf(get(secret), 401)).to.equal('WRONG_TOKEN');
    }
    await get(lasting.secret).expect(200);
  });

  it('are taken from the header alone', async () => {
    const { secret } = await createToken(nora, { scopes: ['read'] });
    await request(service.url).get('/api/digests').query({ token: secret, access_token: secret }).expect(401);
    await request(service.url).get('/api/digests').set('Cookie', `authjs.session-token=${secret}`).expect(401);
    await request(service.url).get('/api/digests').set('Authorization', `Basic ${secret}`).expect(401);
    await request(service.url).get('/api/digests').set('Authorization', 'Bearer eyJhbGciOi').expect(401);
    await nora.get('/api/digests').set('Authorization', 'Bearer of-a-proxy').expect(200);
  });

  it('are stored hashed, and their last use to the minute', async () => {
    const { id, secret } = await createToken(nora, { scopes: ['read'] });
    const stored = JSON.stringify(await service.db('api_tokens').where({ id }));
    expect(stored).not.to.include(secret).and.not.include(secret.slice(4));
    const used = async () => (await service.db('api_tokens').where({ id }).first('last_used_at')).last_used_at;
    expect(await used()).to.equal(null);
    await bearer(service, secret).get('/api/digests').expect(200);
    const first = await used();
    await bearer(service, secret).get('/api/digests').expect(200);
    expect(await used()).to.deep.equal(first);
    service.clock.advance(DAY_MS);
    await bearer(service, secret).get('/api/digests').expect(200);
    expect(await used()).to.be.above(first);
  });
});

describe('The limit of API tokens', () => {
  after(stopServices);

  it('is one for all tokens of a user, and takes nothing from the pages', async () => {
    const service = await startService({ worker: false, env: { RATE_LIMIT_TOKENS: '4', RATE_LIMIT_API: '8' } });
    const nora = await signIn(service, 'nora@example.com');
    const sam = await signIn(service, 'sam@example.com');
    const [one, other] = [await createToken(nora, { scopes: ['read'] }), await createToken(nora, { scopes: ['read'] })];
    for (const { secret } of [one, other, one, other]) await bearer(service, secret).get('/api/digests').expect(200);
    const { headers } = await bearer(service, one.secret).get('/api/digests').expect(429);
    expect(headers.ratelimit).to.match(/"tokens"; r=0/);
    await nora.get('/api/digests').expect(200);
    const ofSam = await createToken(sam, { scopes: ['read'] });
    await bearer(service, ofSam.secret).get('/api/digests').expect(200);
  });

  it('refuses a network’s wrong tokens after so many, and none of its right ones', async () => {
    const service = await startService({ worker: false, env: { RATE_LIMIT_API: '5' } });
    const nora = await signIn(service, 'nora@example.com');
    const { secret } = await createToken(nora, { scopes: ['read'] });
    for (let n = 0; n < 6; n++) await bearer(service, secret).get('/api/digests').expect(200);
    const wrong = bearer(service, `fnn_${'x'.repeat(43)}`);
    for (const path of ['/api/digests', '/mcp', '/today', '/api/promises', '/mcp']) await wrong.get(path);
    for (const path of ['/api/digests', '/mcp', '/today']) await wrong.get(path).expect(429);
    for (let n = 0; n < 6; n++) await bearer(service, secret).get('/api/digests').expect(200);
    const assistant = await createToken(nora, { scopes: ['assistant'] });
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    await bearer(service, assistant.secret).post('/mcp').send(ping).expect(200);
    await wrong.post('/mcp').send(ping).expect(429);
    await nora.get('/api/digests').expect(200);
  });
});
