import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { callTool, connectAssistant, createAssistant, disconnectAll } from '../../support/assistants.ts';
import { post } from '../../support/pages.ts';
import { type Agent, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { bearer, createToken } from '../../support/tokens.ts';
import { dayAgo, setClock, storeAccount, storeDigest, storedItem } from '../pages/today/stored.ts';

const SCOPES = ['read', 'promises', 'assistant'];
const TABLES = ['users', 'messenger_accounts', 'dialogs', 'digests', 'promises', 'api_tokens', 'assistant_consents'];

/** Two people with everything connected. Each tries every id of the other at every door. */
describe('Two people with connected apps', () => {
  let service: Service;
  let nora: Agent;
  let ids: string[];
  let secret: string;

  before(async () => {
    service = await startService({ worker: false });
    setClock(service);
    nora = await signIn(service, 'nora@example.com');
    const olu = await signIn(service, 'olu@example.com');
    for (const who of ['nora', 'olu']) {
      const owner = await storeAccount(service.db, `${who}@example.com`);
      const actionItems = [storedItem(`Promise of ${who}`, { dueDate: dayAgo(0) })];
      const { dialogId } = await storeDigest(service.db, owner, { name: `Group of ${who}`, structured: { actionItems } });
      await service.db('dialogs').where({ id: dialogId }).update({ peer_type: 'group', tracking_choice: true });
      const agent = who === 'nora' ? nora : olu;
      const assistant = await createAssistant(agent, { scopes: SCOPES, groups: [dialogId] });
      await post(agent, '/settings/apps/calendar').expect(200);
      if (who === 'nora') secret = assistant.secret;
    }
    const { id: userId } = await service.db('users').where({ email: 'olu@example.com' }).first('id');
    const lists = TABLES.map(table =>
      service
        .db(table)
        .where(table === 'users' ? { id: userId } : { user_id: userId })
        .pluck('id'),
    );
    ids = (await Promise.all(lists)).flat();
    expect(ids).to.have.length.of.at.least(8);
  });
  afterEach(disconnectAll);
  after(stopServices);

  const stateOfOlu = async () => {
    const { id: userId } = await service.db('users').where({ email: 'olu@example.com' }).first('id');
    const tables = [...TABLES.slice(1), 'calendar_feeds'];
    return JSON.stringify(await Promise.all(tables.map(table => service.db(table).where({ user_id: userId }))));
  };

  it('get for every id of the other the same answer as for one that is not there', async () => {
    const before = await stateOfOlu();
    const script = bearer(service, secret);
    const client = await connectAssistant(service, secret);
    const own = await createToken(nora, { name: 'Claude', scopes: ['assistant'] });
    const told = ({ status, body, text }: { status: number; body: object; text: string }, id: string) => {
      const { requestId: _, ...rest } = body as { requestId?: string };
      const words = /<main[\s\S]*<\/main>/.exec(text)?.[0].replaceAll(/\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/g, '');
      return JSON.stringify([status, Object.keys(rest).length > 0 ? rest : words]).replaceAll(id, 'ID');
    };
    const doors: Record<string, (id: string) => Promise<string>> = {
      change: async id => told(await script.patch(`/api/promises/${id}`).send({ action: 'done' }), id),
      edit: async id => told(await script.patch(`/api/promises/${id}/fields`).send({ words: 'Mine' }), id),
      bulk: async id => told(await script.post('/api/promises/bulk').send({ ids: [id], change: { action: 'done' } }), id),
      'list of a conversation': async id => told(await script.get('/api/promises').query({ dialogId: id }), id),
      brief: async id => told(await script.get('/api/brief').query({ dialogId: id }), id),
      'brief of an assistant': async id =>
        JSON.stringify((await callTool(client, 'brief', { conversationId: id })).content).replaceAll(id, 'ID'),
      complete: async id =>
        JSON.stringify((await callTool(client, 'complete_promise', { promiseId: id })).content).replaceAll(id, 'ID'),
      revoke: async id => told(await post(nora, `/settings/apps/tokens/${id}/revoke`), id),
      question: async id => told(await nora.get(`/settings/apps/tokens/${id}/reading`), id),
      answer: async id => told(await post(nora, `/settings/apps/tokens/${id}/reading`, { private: '1' }), id),
      group: async id => told(await post(nora, `/settings/apps/tokens/${own.id}/reading`, { groups: id }), id),
      feed: async id => told(await nora.get(`/calendar/${id}.ics`), id),
    };
    for (const [name, open] of Object.entries(doors)) {
      const unknown = await open(randomUUID());
      for (const id of ids) expect(await open(id), name).to.equal(unknown);
    }
    expect(await stateOfOlu()).to.equal(before);
  });
});
