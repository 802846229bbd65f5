import { expect } from 'chai';
import { callTool, connectAssistant, createAssistant, disconnectAll, readTool } from '../../support/assistants.ts';
import { wordsOf } from '../../support/pages.ts';
import type { Agent } from '../../support/people.ts';
import { type Service, stopServices } from '../../support/service.ts';
import { bearer, createToken, revoke } from '../../support/tokens.ts';
import { startStored, storeDigest, storedItem } from '../pages/today/stored.ts';

const HOUR_MS = 3_600_000;
const PAGE = '/settings/apps';

describe('What tokens did in the last day', () => {
  let service: Service;
  let nora: Agent;
  let promiseId: string;

  before(async () => {
    const { owner, ...started } = await startStored();
    ({ service, nora } = started);
    await storeDigest(service.db, owner, { structured: { actionItems: [storedItem('Send it')] } });
    const { dialogId } = await storeDigest(service.db, owner, { name: 'The team', summary: 'They wrote.' });
    await service.db('dialogs').where({ id: dialogId }).update({ peer_type: 'group', tracking_choice: true });
    ({ id: promiseId } = await service.db('promises').first('id'));
  });
  afterEach(async () => {
    await disconnectAll();
    await service.db('api_tokens').delete();
  });
  after(stopServices);

  const show = async (agent = nora) => wordsOf((await agent.get(PAGE).expect(200)).text);

  it('is counted by reads, changes and what was refused, for a day', async () => {
    const reader = await createToken(nora, { scopes: ['read'] });
    const both = await createToken(nora, { scopes: ['read', 'promises'] });
    expect(await show()).to.include('Last 24 hours Reads None');
    for (let n = 0; n < 3; n++) await bearer(service, reader.secret).get('/api/digests').expect(200);
    await bearer(service, reader.secret).get('/api/brief?dialogId=none').expect(400);
    const path = `/api/promises/${promiseId}`;
    await bearer(service, reader.secret).patch(path).send({ action: 'done' }).expect(403);
    await bearer(service, both.secret).get('/api/promises').expect(200);
    await bearer(service, both.secret).patch(path).send({ action: 'done' }).expect(200);
    await bearer(service, both.secret).patch(path).send({ action: 'undo' }).expect(200);
    await bearer(service, both.secret).patch('/api/promises/none').send({ action: 'undo' }).expect(404);
    expect(await show()).to.include('Last 24 hours Reads 4 by 2 tokens Changes 2 Refused 1, scope missing');
    service.clock.advance(23 * HOUR_MS);
    await bearer(service, both.secret).get('/api/promises').expect(200);
    expect(await show()).to.include('Reads 5 by 2 tokens');
    service.clock.advance(2 * HOUR_MS);
    expect(await show())
      .to.include('Last 24 hours Reads 1 by 1 token')
      .and.not.match(/Changes \d|Refused/);
    await bearer(service, both.secret).get('/api/promises').expect(200);
    await show();
    const { uses } = await service.db('api_tokens').where({ id: both.id }).first('uses');
    expect(uses).to.have.length(2);
    await revoke(nora, reader.id).expect(303);
  });

  it('names the last call of an assistant, and counts the conversations left out', async () => {
    const { secret } = await createAssistant(nora, { scopes: ['assistant', 'promises'] });
    const client = await connectAssistant(service, secret);
    await client.listTools();
    expect(await show()).not.to.include('Last call');
    await readTool(client, 'today');
    await readTool(client, 'complete_promise', { promiseId });
    await callTool(client, 'complete_promise', { promiseId: 'none' });
    const page = await show();
    expect(page).to.match(/Last call today at [\d:]+: complete_promise\. 1 conversation is left out\./);
    expect(page).to.include('Reads 1 by 1 token Changes 1');
    await nora.patch(`/api/promises/${promiseId}`).send({ action: 'undo' }).expect(200);
  });
});
