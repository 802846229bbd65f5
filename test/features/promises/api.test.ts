import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { addDays } from '../../../src/lib/timezones.ts';
import { type Agent, signIn } from '../../support/people.ts';
import { type Service, stopServices } from '../../support/service.ts';
import { dayAgo, startStored, storeAccount, storeDigest, storedItem, UNDECIDED } from '../pages/today/stored.ts';

type Json = Record<string, unknown> & { id: string; words: string };

describe('The API of promises', () => {
  let service: Service;
  let nora: Agent;
  let dialogId: string;
  let byWords: Record<string, Json>;
  const tomorrow = addDays(dayAgo(0), 1);
  const monday = addDays(dayAgo(0), 6);

  const list = async (query: Record<string, unknown> = {}, agent = nora) =>
    (await agent.get('/api/promises').query(query).expect(200)).body as { promises: Json[]; nextCursor: string | null };
  const wordsIn = async (query?: Record<string, unknown>) => (await list(query)).promises.map(({ words }) => words);
  const change = (id: string, body: object, agent = nora) => agent.patch(`/api/promises/${id}`).send(body);
  const bulk = (ids: string[], body: object, agent = nora) => agent.post('/api/promises/bulk').send({ ids, change: body });
  const idOf = (words: string) => byWords[words]?.id ?? expect.fail(`no ${words}`);

  before(async () => {
    const { owner, ...started } = await startStored();
    ({ service, nora } = started);
    await signIn(service, 'sam@example.com');
    const actionItems = [
      storedItem('Late', { dueDate: dayAgo(3), dueText: 'on Monday', sourceMessageIds: ['11'] }),
      storedItem('Today', { dueDate: dayAgo(0), dueTime: '15:00' }),
      storedItem('No day'),
      storedItem('Theirs', { owner: 'contact', ownerName: 'Farid', dueDate: tomorrow }),
      storedItem('Whose', { owner: 'unknown' }),
    ];
    ({ dialogId } = await storeDigest(service.db, owner, { name: 'Farid Nazari', structured: { actionItems } }));
    const other = { name: 'Olu', structured: { actionItems: [storedItem('Elsewhere', { dueDate: monday })] } };
    await storeDigest(service.db, owner, other);
    const ofSam = await storeAccount(service.db, 'sam@example.com');
    await storeDigest(service.db, ofSam, { structured: { actionItems: [storedItem('Of Sam')] } });
  });
  after(stopServices);
  beforeEach(async () => {
    await service.db('promises').update({ ...UNDECIDED, state: 'open', evidence: null });
    byWords = Object.fromEntries((await list()).promises.map(one => [one.words, one]));
  });

  it('lists open promises by due day, those without one last', async () => {
    const words = await wordsIn();
    expect(words.slice(0, 4)).to.deep.equal(['Late', 'Today', 'Theirs', 'Elsewhere']);
    expect(words.slice(4)).to.have.members(['No day', 'Whose']);
    expect(byWords.Late).to.deep.include({ dialogId, direction: 'mine', dueDate: dayAgo(3), dueText: 'on Monday' });
    expect(byWords.Late).to.deep.include({ state: 'open', sourceMessageIds: ['11'], canUndo: false, evidence: null });
    expect(byWords.Late?.dialog).to.deep.equal({ peerName: 'Farid Nazari', peerUsername: '' });
    expect(byWords.Theirs).to.include({ direction: 'theirs', who: 'Farid' });
    expect(byWords.Whose).to.include({ direction: 'unassigned', who: null, dueDate: null });
  });

  it('lists by state, direction, conversation and due day', async () => {
    expect(await wordsIn({ direction: 'theirs' })).to.deep.equal(['Theirs']);
    expect(await wordsIn({ dialogId, dueAfter: dayAgo(0) })).to.deep.equal(['Theirs']);
    expect(await wordsIn({ dueBefore: dayAgo(0) })).to.deep.equal(['Late']);
    expect(await wordsIn({ dueAfter: dayAgo(4), dueBefore: tomorrow })).to.deep.equal(['Late', 'Today']);
    expect(await wordsIn({ state: 'done' })).to.deep.equal([]);
    expect(await wordsIn({ dialogId: randomUUID() })).to.deep.equal([]);
  });

  it('lists page by page, each promise once', async () => {
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await list({ limit: 1, ...(cursor && { cursor }) });
      expect(page.promises.length).to.be.at.most(1);
      seen.push(...page.promises.map(({ words }) => words));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).to.have.length(6);
    expect(new Set(seen).size).to.equal(6);
  });

  it('makes every move that is allowed from open, and undoes it, also when it was asked for twice at once', async () => {
    const moves: [object, object][] = [
      [{ action: 'reopen' }, { state: 'open' }],
      [{ action: 'done' }, { state: 'done' }],
      [{ action: 'cancel' }, { state: 'cancelled' }],
      [{ action: 'dismiss' }, { state: 'dismissed' }],
      [
        { action: 'snooze', until: tomorrow },
        { state: 'snoozed', snoozedUntil: tomorrow },
      ],
      [
        { action: 'move', dueDate: monday },
        { state: 'open', dueDate: monday, movedFrom: dayAgo(0), dueTime: null },
      ],
    ];
    for (const [body, expected] of moves) {
      const ask = async () => (await change(idOf('Today'), body).expect(200)).body;
      const [{ promise }] = await Promise.all([ask(), ask()]);
      expect(promise).to.include({ ...expected, changedBy: 'person', canUndo: true });
      const undone = (await change(idOf('Today'), { action: 'undo' }).expect(200)).body.promise;
      expect({ ...undone, changedAt: '' }).to.deep.equal({ ...byWords.Today, changedAt: '' });
    }
  });

  it('rejects a move that the state does not allow, and changes nothing', async () => {
    await change(idOf('Late'), { action: 'done' }).expect(200);
    const [before] = (await list({ state: 'done' })).promises;
    for (const body of [{ action: 'dismiss' }, { action: 'snooze', until: tomorrow }, { action: 'move', dueDate: monday }]) {
      expect((await change(idOf('Late'), body).expect(409)).body.code).to.equal('PROMISE_STATE');
    }
    expect((await change(idOf('Today'), { action: 'undo' }).expect(409)).body.code).to.equal('NOTHING_TO_UNDO');
    expect((await list({ state: 'done' })).promises).to.deep.equal([before]);
  });

  it('reopens what was snoozed when its day comes, without a job', async () => {
    await change(idOf('Late'), { action: 'snooze', until: tomorrow }).expect(200);
    expect(await wordsIn()).not.to.include('Late');
    expect(await wordsIn({ state: 'snoozed' })).to.deep.equal(['Late']);
    await service
      .db('promises')
      .where({ id: idOf('Late') })
      .update({ snoozed_until: dayAgo(0) });
    expect(await wordsIn({ state: 'snoozed' })).to.deep.equal([]);
    const [late] = (await list()).promises;
    expect(late).to.include({ words: 'Late', state: 'open' });
  });

  it('rejects days that are over or invalid', async () => {
    for (const body of [
      { action: 'snooze' },
      { action: 'snooze', until: dayAgo(0) },
      { action: 'snooze', until: '2026-02-30' },
      { action: 'move', dueDate: dayAgo(1) },
      { action: 'move', dueDate: '0000-01-01' },
    ]) {
      const answer = await change(idOf('Late'), body).expect(400);
      expect(Object.keys(answer.body.fields)).to.deep.equal([body.action === 'snooze' ? 'until' : 'dueDate']);
    }
  });

  it('changes many at once, undoes them at once, and names what it can’t change', async () => {
    const [late, today, theirs] = ['Late', 'Today', 'Theirs'].map(idOf);
    await change(String(theirs), { action: 'done' }).expect(200);
    const unknown = randomUUID();
    const { id: ofSam } = await service.db('promises').where({ words: 'Of Sam' }).first('id');
    const { body } = await bulk([late, today, theirs, unknown, ofSam] as string[], { action: 'dismiss' }).expect(200);
    expect(body.promises.map(({ state }: Json) => state)).to.deep.equal(['dismissed', 'dismissed']);
    expect(body.refused).to.have.deep.members([
      { id: theirs, code: 'PROMISE_STATE' },
      { id: unknown, code: 'NOT_FOUND' },
      { id: ofSam, code: 'NOT_FOUND' },
    ]);
    expect(await wordsIn({ state: 'dismissed' })).to.deep.equal(['Late', 'Today']);
    expect((await bulk([late, today] as string[], { action: 'undo' }).expect(200)).body.promises).to.have.length(2);
    expect(await wordsIn({ state: 'dismissed' })).to.deep.equal([]);
  });
});
