import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { post, wordsOf } from '../../support/pages.ts';
import { type Agent, signIn } from '../../support/people.ts';
import { emptyTables, type Service, startService, stopServices } from '../../support/service.ts';
import { bearer, createToken, revoke } from '../../support/tokens.ts';

const PAGE = '/settings/apps';
const DAY_MS = 86_400_000;

describe('The page of connected apps', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worker: false, env: { ADMIN_API_KEY: 'the-key-of-the-operator' } });
    nora = await signIn(service, 'nora@example.com');
  });
  afterEach(() => emptyTables(service, 'api_tokens', 'calendar_feeds', 'assistant_consents'));
  after(stopServices);

  const show = async (agent = nora) => (await agent.get(PAGE).expect(200)).text;

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

  it('has at most 50 tokens of a user, also when they are created at the same moment', async () => {
    const { id: userId } = await service.db('users').where({ email: 'nora@example.com' }).first('id');
    const rows = Array.from({ length: 48 }, (_, n) => ({
      ...{ id: randomUUID(), user_id: userId, name: `Token ${n}`, scopes: ['read'], token_hash: `hash ${n}` },
      created_at: new Date(),
    }));
    await service.db('api_tokens').insert(rows);
    const create = () => post(nora, `${PAGE}/tokens`, { id: randomUUID(), name: 'More', scopes: 'read', lifetime: '30' });
    const statuses = (await Promise.all([create(), create(), create(), create()])).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([200, 200, 409, 409]);
    const { id } = await service.db('api_tokens').where({ user_id: userId, name: 'More' }).first('id');
    const again = { id, name: 'More', scopes: 'read', lifetime: '30' };
    await post(nora, `${PAGE}/tokens`, again).expect(303).expect('Location', PAGE);
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
});
