import { expect } from 'chai';
import { recordStored } from '../../../../bench/support/recordStored.ts';
import { recordPromises } from '../../../../src/features/promises/fromDigests/repo.ts';
import type { Closing } from '../../../../src/features/promises/fromDigests/schema.ts';
import type { Agent } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { dayAgo, startStored, storeDigest, storePromise } from '../../pages/today/stored.ts';

const LATER = dayAgo(-60);

describe('Promises that new messages close', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };
  let dialogId: string;
  let promiseId: string;

  before(async () => {
    ({ service, nora, owner } = await startStored());
  });
  after(stopServices);
  beforeEach(async () => {
    ({ dialogId, promiseId } = await storePromise(service.db, owner, 'Send the signed contract', {
      dueDate: dayAgo(0),
      dueTime: '15:00',
    }));
  });

  const evidence = (...messageIds: string[]) => {
    return { who: 'Priya', when: '2026-11-24T14:20:00.000Z', words: 'signed and sent', messageIds };
  };
  const done = (...messageIds: string[]) => ({ promiseId, state: 'done', evidence: evidence(...messageIds) });
  const apply = (closings: object | object[], { userId, ...of } = { userId: owner.userId, dialogId }) => {
    const read = { closings: [closings].flat().map(closing => ({ ...closing, ...of }) as Closing) };
    return recordPromises(service.db, { userId, now: new Date() }, read);
  };
  const decide = async (change: object) =>
    (await nora.patch(`/api/promises/${promiseId}`).send(change).expect(200)).body.promise;
  const row = () => service.db('promises').where({ id: promiseId }).first();

  it('are done, with the evidence, and can be opened again', async () => {
    expect(await apply(done('21'))).to.deep.equal(new Set([promiseId]));
    const { body } = await nora.get('/api/promises').query({ state: 'done', dialogId }).expect(200);
    expect(body.promises[0]).to.deep.include({ changedBy: 'automatic', evidence: evidence('21'), canUndo: true });
    expect(await decide({ action: 'undo' })).to.include({ state: 'open', evidence: null, changedBy: null });
  });

  it('are not closed again on the same messages once that was undone, but on others', async () => {
    await apply(done('21', '22'));
    await decide({ action: 'undo' });
    expect(await apply(done('22'))).to.deep.equal(new Set());
    expect((await row()).state).to.equal('open');
    expect(await apply([{ ...done('30'), state: 'doubtful' }, done('31')])).to.deep.equal(new Set([promiseId]));
    expect(await row()).to.include({ state: 'done', is_doubtful: false });
  });

  it('stay reopened for good when the person reopened them', async () => {
    await apply(done('21'));
    await decide({ action: 'reopen' });
    expect(await apply(done('30'))).to.deep.equal(new Set());
  });

  it('move to another day and keep the old one', async () => {
    await apply({ promiseId, state: 'moved', newDueDate: LATER, evidence: evidence('21') });
    const { body } = await nora.get('/api/promises').query({ dialogId }).expect(200);
    expect(body.promises[0]).to.include({ state: 'open', dueDate: LATER, movedFrom: dayAgo(0), dueTime: null });
    const undone = await decide({ action: 'undo' });
    expect(undone).to.include({ dueDate: dayAgo(0), movedFrom: null, dueTime: '15:00', state: 'open' });
  });

  it('stay where they are when the new day is not in the calendar', async () => {
    const moved = { promiseId, state: 'moved', newDueDate: '2027-02-30', evidence: evidence('21') } as const;
    expect(await apply(moved)).to.deep.equal(new Set());
  });

  it('keep the day they were moved to when the digest is rewritten', async () => {
    await apply({ promiseId, state: 'moved', newDueDate: LATER, evidence: evidence('21') });
    const { last_digest_id: digestId } = await row();
    await recordStored(service.db, { userId: owner.userId, digestIds: [digestId], now: new Date() });
    const { body } = await nora.get('/api/promises').query({ dialogId }).expect(200);
    expect(body.promises[0]).to.include({ dueDate: LATER, movedFrom: dayAgo(0) });
  });

  it('stay open where it is doubtful, until the person says so', async () => {
    await apply({ promiseId, state: 'doubtful', evidence: evidence('21') });
    const { body } = await nora.get('/api/promises').query({ dialogId }).expect(200);
    expect(body.promises[0]).to.deep.include({ state: 'open', isDoubtful: true, evidence: evidence('21') });
    expect(await decide({ action: 'undo' })).to.include({ state: 'open', isDoubtful: false, evidence: null });
    await apply({ promiseId, state: 'doubtful', evidence: evidence('21') });
    expect(await row()).to.include({ is_doubtful: false });
    await apply({ promiseId, state: 'doubtful', evidence: evidence('25') });
    expect(await decide({ action: 'done' })).to.include({ state: 'done', isDoubtful: false });
  });

  it('are left alone where the person decided', async () => {
    for (const change of [
      { action: 'snooze', until: LATER },
      { action: 'dismiss' },
      { action: 'cancel' },
      { action: 'move', dueDate: LATER },
    ]) {
      await decide(change);
      const before = await row();
      expect(await apply(done('21'))).to.deep.equal(new Set());
      expect(await row()).to.deep.equal(before);
      await decide({ action: 'undo' });
    }
  });

  it('are those of this conversation and this person alone', async () => {
    const other = await storeDigest(service.db, owner);
    expect(await apply(done('21'), { userId: owner.userId, dialogId: other.dialogId })).to.deep.equal(new Set());
    expect(await apply(done('21'), { userId: dialogId, dialogId })).to.deep.equal(new Set());
    expect((await row()).state).to.equal('open');
  });
});
