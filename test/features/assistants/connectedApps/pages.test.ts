import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import request from 'supertest';
import { expectNothingInline, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { bearer, createToken, revoke } from '../../../support/tokens.ts';

const PAGE = '/settings/apps';
const DAY_MS = 86_400_000;

describe('The page of connected apps', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worker: false, env: { ADMIN_API_KEY: 'the-key-of-the-operator' } });
    nora = await signIn(service, 'nora@example.com');
  });
  afterEach(async () => {
    for (const table of ['api_tokens', 'calendar_feeds', 'assistant_consents']) await service.db(table).delete();
  });
  after(stopServices);

  const show = async (agent = nora) => (await agent.get(PAGE).expect(200)).text;

  it('is linked from the settings, requires sign-in, and begins with everything off', async () => {
    expect((await nora.get('/settings').expect(200)).text).to.include(`href="${PAGE}"`);
    await request(service.url).get(PAGE).expect(302);
    for (const path of ['tokens', 'calendar', 'calendar/close', 'revoke-all']) {
      await request(service.url).post(`${PAGE}/${path}`).expect(302);
    }
    const html = await show();
    expectNothingInline(html);
    expect(html).to.include('http://127.0.0.1:3000/mcp').and.include(`href="${PAGE}" aria-current="true"`);
    expect(wordsOf(html)).to.include('AI assistants (MCP) Off').and.include('Calendar feed Off');
    expect(wordsOf(html)).not.to.include('Revoke all');
  });

  it('shows a token once, and afterwards what it may, its end and its last use', async () => {
    const { secret } = await createToken(nora, { name: '<b>Report</b>', scopes: ['read', 'promises'] });
    const before = await show();
    expect(before).not.to.include(secret).and.not.include('<b>Report');
    const ends = new Date(service.clock.now().getTime() + 90 * DAY_MS);
    const day = ends.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    expect(wordsOf(before))
      .to.include('Read digests, contacts and promises and change promises')
      .and.include(day)
      .and.include('not used yet');
    await bearer(service, secret).get('/api/digests').expect(200);
    expect(wordsOf(await show())).to.include('used today at');
  });

  it('creates one token, however often its form is sent, and none with an id that someone has', async () => {
    const { id, secret } = await createToken(nora, { scopes: ['read'] });
    const again = { id, name: 'Again', scopes: 'read', lifetime: '30' };
    const { text } = await post(nora, `${PAGE}/tokens`, again).expect(303).expect('Location', PAGE);
    expect(text).not.to.include('fnn_');
    const olu = await signIn(service, 'olu@example.com');
    await post(olu, `${PAGE}/tokens`, again).expect(303);
    expect(await service.db('api_tokens')).to.have.length(1);
    await bearer(service, secret).get('/api/digests').expect(200);
  });

  it('says at the field what is wrong, and keeps what was typed', async () => {
    const fine = { id: randomUUID(), name: 'Report', scopes: 'read', lifetime: '30' };
    const wrong: [object, string][] = [
      [{ name: '' }, 'Give it a name.'],
      [{ name: 'x'.repeat(61) }, 'Use at most 60 characters.'],
      [{ name: 'a\0b' }, 'invalid character'],
      [{ scopes: 'account' }, 'Choose what it may do.'],
      [{ scopes: undefined }, 'Choose what it may do.'],
      [{ lifetime: '1000' }, 'Choose when it ends.'],
      [{ id: 'none' }, 'Reload the page'],
    ];
    for (const [field, sentence] of wrong) {
      const { text } = await post(nora, `${PAGE}/tokens`, { ...fine, ...field }).expect(400);
      expect(wordsOf(text), JSON.stringify(field)).to.include(sentence).and.include('There is a problem');
      expect(text).to.include('<title>Error: Connected apps').and.not.include('fnn_');
    }
    const { text } = await post(nora, `${PAGE}/tokens`, { ...fine, scopes: 'promises', name: '' }).expect(400);
    expect(text).to.match(/value="promises"[^>]*checked/);
    expect(await service.db('api_tokens')).to.deep.equal([]);
  });

  it('has at most 50 tokens of a user, also when they are created at the same moment', async () => {
    const { id: userId } = await service.db('users').where({ email: 'nora@example.com' }).first('id');
    const rows = Array.from({ length: 48 }, (_, n) => ({
      ...{ id: randomUUID(), user_id: userId, name: `Token ${n}`, scopes: ['read'], token_hash: `hash ${n}` },
      created_at: new Date(),
    }));
    await service.db('api_tokens').insert(rows);
    const create = () =>
      post(nora, `${PAGE}/tokens`, { id: randomUUID(), name: 'More', scopes: 'read', lifetime: '30' });
    const statuses = (await Promise.all([create(), create(), create(), create()])).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([200, 200, 409, 409]);
  });

  it('revokes only one’s own tokens', async () => {
    const { id, secret } = await createToken(nora, { scopes: ['read'] });
    const olu = await signIn(service, 'olu@example.com');
    for (const wrong of [id, randomUUID(), 'none']) await revoke(olu, wrong).expect(404);
    await post(olu, `${PAGE}/revoke-all`).expect(303);
    await bearer(service, secret).get('/api/digests').expect(200);
    await revoke(nora, id).expect(303);
    await bearer(service, secret).get('/api/digests').expect(401);
  });

  it('takes an answer to what an assistant may read and its end at the same moment', async () => {
    for (const end of ['revoke', 'revoke-all', 'revoke', 'revoke-all', 'revoke', 'revoke-all']) {
      const { id } = await createToken(nora, { name: 'Claude', scopes: ['assistant'] });
      const agree = () => post(nora, `${PAGE}/tokens/${id}/reading`, { private: '1' });
      const over = () => (end === 'revoke' ? revoke(nora, id) : post(nora, `${PAGE}/revoke-all`));
      const answers = await Promise.all([agree(), agree(), over(), agree(), agree()]);
      for (const { status } of answers) expect(status).to.be.oneOf([303, 404]);
      expect(await service.db('assistant_consents').whereNull('ended_at'), end).to.deep.equal([]);
    }
  });

  it('is followed by the export, the deletion, the privacy page and the status', async () => {
    const { id, secret } = await createToken(nora, { name: 'Claude', scopes: ['assistant'] });
    await post(nora, `${PAGE}/tokens/${id}/reading`, { private: '1' }).expect(303);
    await post(nora, `${PAGE}/calendar`).expect(200);
    const { text: exported } = await nora.get('/settings/account/export').expect(200);
    const { apiTokens, calendarFeeds, assistantConsents } = JSON.parse(exported);
    expect(apiTokens[0]).to.include({ name: 'Claude', tokenHash: 'kept, not shown' });
    expect(calendarFeeds[0].tokenHash).to.equal('kept, not shown');
    expect(assistantConsents[0].wording).to.include('What may Claude read?');
    expect(exported).not.to.include(secret);
    const privacy = wordsOf((await nora.get('/privacy').expect(200)).text);
    expect(privacy).to.include('Claude may read All private conversations').and.include('Access tokens As a hash');
    expect(wordsOf((await nora.get('/settings/account/delete').expect(200)).text)).to.include(
      'Access tokens, assistants and the calendar feed stop working',
    );
    const key = { Authorization: 'Bearer the-key-of-the-operator' };
    const status = await request(service.url).get('/status').set(key).expect(200);
    expect(wordsOf(status.text)).to.include('1 token (1 for assistants), 1 calendar feed');
    const { text: metrics } = await request(service.url).get('/metrics').set(key).expect(200);
    expect(metrics)
      .to.match(/^forenoon_api_tokens 1$/m)
      .and.match(/^forenoon_calendar_feeds 1$/m);
    await post(nora, `${PAGE}/revoke-all`).expect(303);
    expect(wordsOf((await nora.get('/privacy').expect(200)).text)).to.match(/Claude may read .* Ended today/);
    expect(await service.db('assistant_consents').whereNull('ended_at')).to.deep.equal([]);
  });

  it('ends with the account', async () => {
    const olu = await signIn(service, 'olu@example.com');
    const { id, secret } = await createToken(olu, { name: 'Claude', scopes: ['read', 'assistant'] });
    await post(olu, `${PAGE}/tokens/${id}/reading`, { private: '1' }).expect(303);
    const { text } = await post(olu, `${PAGE}/calendar`).expect(200);
    const feed = /\/calendar\/[\w-]{43}\.ics/.exec(text)?.[0] ?? '';
    await request(service.url).get(feed).expect(200);
    await post(olu, '/settings/account/delete', { email: 'olu@example.com' }).expect(303);
    await bearer(service, secret).get('/api/digests').expect(401);
    await bearer(service, secret).post('/mcp').send({}).expect(401);
    await request(service.url).get(feed).expect(404);
    for (const table of ['api_tokens', 'assistant_consents', 'calendar_feeds']) {
      expect(await service.db(table), table).to.deep.equal([]);
    }
  });
});
