import { expect } from 'chai';
import { digestOf } from '../../../support/ai/model.ts';
import type { AiSandbox } from '../../../support/ai/server.ts';
import { post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectedNora, syncNow } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { dialog, message, owner, person, world } from '../../../support/worlds.ts';
import { startWithModel } from '../../messenger/consent/given.ts';

const ANNA = 2001;
const NO_DAY = { ownerName: null, dueText: null, dueDate: null };

describe('A promise that was shown and that its digest no longer says', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;

  beforeEach(async () => {
    const dialogs = [dialog(`user:${ANNA}`, [message(1, { from: ANNA, text: 'How many boxes fit on one pallet?' })])];
    ({ ai, service } = await startWithModel({ worlds: [world({ users: [person(ANNA, { firstName: 'Anna' })], dialogs })] }));
    nora = await connectedNora(service);
  });
  afterEach(stopServices);

  const items = (list: unknown[]) => ai.script(() => digestOf('Anna asks about pallets.', list));
  const say = (text: string, from = owner.id) => service.sandbox.addMessages('test', `user:${ANNA}`, [{ from, text }]);
  const all = () => service.db('promises').orderBy('number');
  const look = async (path = '/today') => wordsOf((await nora.get(path).expect(200)).text);
  const rewrite = async () => {
    const { id } = await service.db('digests').first();
    await post(nora, `/digests/${id}/regenerate`, { style: 'DETAILED' }).expect(303);
    await until(async () => (await service.db('digest_rewrites')).length === 0);
  };

  it('is closed as answered where it is a question that the user answered, and opens again for good', async () => {
    items([{ text: 'Tell Anna how many boxes fit', owner: 'user', ...NO_DAY, lines: [1] }]);
    await syncNow(nora);
    expect(await look('/promises')).to.include('Tell Anna how many boxes fit');
    say('48 boxes fit on one.');
    items([]);
    await syncNow(nora);
    const [row] = await all();
    expect(row).to.include({ state: 'done', reason: 'answered', changed_by: 'automatic' });
    expect(row.evidence).to.include({ words: '48 boxes fit on one.' });
    expect(await look()).to.match(/Recently closed: 1 kept Tell Anna how many boxes fit .{0,80}Answered\. .{1,60}48 boxes/);
    const { promises } = (await nora.get('/api/promises?state=done').expect(200)).body;
    expect(promises[0]).to.include({ reason: 'answered', replacedBy: null });
    await post(nora, `/promises/${row.id}`, { action: 'undo' }).expect(303);
    await rewrite();
    expect((await all())[0]).to.include({ state: 'open', reason: null });
  });

  it('stays open where the other side wrote last, and the user sent a sticker', async () => {
    items([{ text: 'Tell Anna how many boxes fit', owner: 'user', ...NO_DAY, lines: [1] }]);
    await syncNow(nora);
    await look();
    say('Sorry for the rush, we load at noon', ANNA);
    service.sandbox.addMessages('test', `user:${ANNA}`, [{ from: owner.id, text: '', media: 'sticker' }]);
    items([]);
    await syncNow(nora);
    expect((await all()).map(row => [row.state, row.reason])).to.deep.equal([['open', null]]);
  });

  it('stays open where another one rests on the same last message', async () => {
    say('I will count them tonight');
    say('My brother tells you tomorrow', ANNA);
    items([{ text: 'Count the boxes', owner: 'user', ...NO_DAY, lines: [1, 2, 3] }]);
    await syncNow(nora);
    await look();
    items([{ text: 'Her brother says how many there are', owner: 'contact', ...NO_DAY, lines: [1, 3] }]);
    await rewrite();
    expect((await all()).map(row => [row.state, row.reason])).to.deep.equal(Array(2).fill(['open', null]));
  });

  it('is closed as replaced where a later message takes on what it answers, and names that one', async () => {
    say('I will count them tonight');
    items([{ text: 'Count the boxes', owner: 'user', ...NO_DAY, lines: [1, 2] }]);
    await syncNow(nora);
    await look();
    say('No need, my brother has counted pallets for years, he tells you tomorrow', ANNA);
    items([{ text: 'Her brother says how many there are', owner: 'contact', ...NO_DAY, lines: [1, 3] }]);
    await syncNow(nora);
    const [first, second] = await all();
    expect(first).to.include({ state: 'cancelled', reason: 'replaced', replaced_by: second.id });
    expect(second).to.include({ state: 'open', direction: 'theirs' });
    expect(await look()).to.match(/1 not needed any more Count the boxes .{0,60}Replaced by Her brother says how many/);
    await post(nora, `/promises/${first.id}`, { action: 'undo' }).expect(303);
    await rewrite();
    expect((await all()).map(row => row.state)).to.deep.equal(['open', 'open']);
  });
});
