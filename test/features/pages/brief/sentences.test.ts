import { expect } from 'chai';
import type { AiSandbox } from '../../../support/ai/server.ts';
import { compact, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, signIn } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { MODEL, startWithModel } from '../../messenger/consent/given.ts';
import { dayAgo, setClock, storeAccount, storeDigest, storedItem } from '../today/stored.ts';

describe('A model over a brief', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };
  let claire: { dialogId: string; digestId: string };

  const pageOf = async () => compact((await nora.get(`/brief/${claire.dialogId}`).expect(200)).text);
  const write = () => post(nora, `/brief/${claire.dialogId}/sentences`, {});
  const get = async (sentences = 'true') =>
    (await nora.get('/api/brief').query({ dialogId: claire.dialogId, sentences }).expect(200)).body;

  before(async () => {
    ({ ai, service } = await startWithModel({ worker: false }));
    setClock(service);
    nora = await signIn(service, 'nora@example.com');
    owner = await storeAccount(service.db, 'nora@example.com');
    const message = { sender: 'Claire Whitfield', fromUser: false };
    const sources = {
      sentences: [{ from: 0, to: 40, messageIds: ['7'] }],
      messages: ['7', '8'].map(id => ({ ...message, id, sentAt: `${dayAgo(1)}T11:0${id}:00Z` })),
    };
    claire = await storeDigest(service.db, owner, {
      ...{ name: 'Claire Whitfield', day: dayAgo(1), summary: 'She needs 1,100 units for £70,000 before May.' },
      ...{ sources, structured: { actionItems: [storedItem('Send Claire the price', { sourceMessageIds: ['8'] })] } },
    });
    await service.db('digests').update({ engine: MODEL });
    await service.db('promises').update({ quoted_at: null });
    await post(nora, `/settings/connections/${owner.accountId}/writer`, { writer: 'model' }).expect(303);
    const sentences = [
      { text: 'You owe Claire the price.', passages: [1] },
      { text: 'Claire needs 1,200 units.', passages: [2] },
      { text: 'Claire needs 1,100 units.', passages: [2] },
    ];
    ai.script(() => ({ sentences }));
  });
  after(async () => {
    await stopServices();
    await ai.stop();
  });

  it('is asked when the page is there, and its sentences are on top, each with its source', async () => {
    const before = ai.calls();
    expect(await pageOf()).to.include('Write it in three sentences');
    expect((await get('false')).sentences).to.deep.equal([]);
    expect(ai.calls()).to.equal(before);
    await write().expect(303);
    const html = await pageOf();
    expect(wordsOf(html)).to.match(/How things stand You owe Claire the price\. ?1 .*Claire needs 1,100 units\. ?2 /);
    expect(html).to.include('<a href="#f1" aria-label="Source 1">1</a>').and.not.include('1,200');
    const { sentences, text } = await get();
    expect(sentences).to.deep.equal([
      { text: 'You owe Claire the price.', sources: [1] },
      { text: 'Claire needs 1,100 units.', sources: [2] },
    ]);
    expect(text).to.include('How things stand\nYou owe Claire the price. [1]\nClaire needs 1,100 units. [2]');
    expect(ai.calls()).to.equal(before + 1);
  });

  it('is given the lines of the brief as data, with their days and what is open', () => {
    const lines = ai.requests().at(-1)?.lines ?? [];
    expect(lines[0]).to.deep.include({ n: 1, with: 'Claire', promise: { by: 'you', state: 'open' } });
    expect(lines[1]).to.deep.include({ n: 2, day: dayAgo(1) });
    expect(ai.requests().at(-1)?.system).to.include('how things stand before a call').and.not.include('Claire');
  });

  it('is not asked about a conversation that it may not read', async () => {
    await post(nora, `/conversations/${claire.dialogId}/writer`, { writer: 'built-in' }).expect(303);
    const before = ai.calls();
    await write().expect(303);
    expect((await get()).sentences).to.deep.equal([]);
    expect(wordsOf(await pageOf())).not.to.match(/How things stand|put this into sentences/);
    expect(ai.calls()).to.equal(before);
  });
});
