import { expect } from 'chai';
import { wordsOf } from '../../support/pages.ts';
import { type Agent, connectedNora, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { dialog, message, person, world } from '../../support/worlds.ts';

const ANNA = 2001;
const KEY = `user:${ANNA}`;

/** What a worker left in the middle, or a try that failed, when the messages it was about are gone by the next sync. */
describe('A digest left open, whose messages were deleted', () => {
  let service: Service;
  let nora: Agent;

  beforeEach(async () => {
    const talk = [1, 2, 3].map(id => message(id, { from: ANNA, text: `Offer number ${id} for you` }));
    service = await startService({ worlds: [world({ users: [person(ANNA)], dialogs: [dialog(KEY, talk)] })] });
    nora = await connectedNora(service);
  });
  afterEach(stopServices);

  const rows = () => service.db('digests').orderBy('digest_date');
  const write = (text: string, service_: string | null = null) =>
    service.sandbox.addMessages('test', KEY, [{ from: ANNA, text, service: service_ }]);
  const unwrite = () => service.sandbox.deleteNewest('test', KEY);
  const nextDay = () => service.clock.advance(24 * 3600 * 1000);
  const today = async () => wordsOf((await nora.get('/today').expect(200)).text);

  /** As a worker leaves the newest row and the cursor that is killed before it stores a digest. */
  const leaveOpen = async (left: { cursor: number | null; status?: string; summary?: string }) => {
    const newest = await service.db('digests').orderBy('digest_date', 'desc').first();
    const { cursor, status = 'PENDING', ...rest } = left;
    await service
      .db('digests')
      .where({ id: newest.id })
      .update({ summary: '', message_count: 0, ...rest, status });
    await service.db('dialogs').update({ cursor_message_id: cursor });
  };

  for (const status of ['SUMMARIZING', 'FAILED']) {
    it(`is gone with them (${status})`, async () => {
      await syncNow(nora);
      nextDay();
      write('Forget it');
      await syncNow(nora);
      await leaveOpen({ cursor: 3, status });
      unwrite();
      const { state, result } = await syncNow(nora);
      expect(state).to.equal('completed');
      expect(result).to.deep.include({ dialogsProcessed: 0, errors: [] });
      expect((await rows()).map(row => row.status)).to.deep.equal(['COMPLETE']);
      expect(await today()).not.to.match(/Not finished|next one will pick it up/);
    });
  }

  it('is what it was before when it had been written that day', async () => {
    await syncNow(nora);
    const [before] = await rows();
    write('Forget it');
    await syncNow(nora);
    await leaveOpen({ cursor: 3, summary: before.summary });
    unwrite();
    await syncNow(nora);
    const [after] = await rows();
    expect(after).to.include({ status: 'COMPLETE', summary: before.summary, last_message_id: '3', is_started: false });
  });

  it('keeps what had been written that day beside the next day’s digest', async () => {
    await syncNow(nora);
    const [{ summary }] = await rows();
    write('One more thing');
    await leaveOpen({ cursor: 3, status: 'FAILED', summary });
    await service.db('digests').update({ last_message_id: 4 });
    nextDay();
    expect((await syncNow(nora)).result).to.include({ digestsCreated: 1 });
    const [kept, next] = await rows();
    expect(kept).to.include({ status: 'COMPLETE', summary, last_message_id: '3', covered_by: null });
    expect(next).to.include({ status: 'COMPLETE', after_message_id: '3', message_count: 1 });
  });

  it('is covered by the next day’s digest when only its newest message is gone', async () => {
    await syncNow(nora);
    await leaveOpen({ cursor: null });
    unwrite();
    nextDay();
    expect((await syncNow(nora)).result).to.include({ digestsCreated: 1 });
    const [left, written] = await rows();
    expect(written).to.include({ status: 'COMPLETE', message_count: 2, last_message_id: '2' });
    expect(left.covered_by).to.equal(written.id);
  });

  it('is gone when its conversation is not read any more', async () => {
    await syncNow(nora);
    await leaveOpen({ cursor: null });
    const { id } = await service.db('dialogs').first();
    await nora.patch('/api/messenger/dialogs').send({ dialogId: id, isTracked: false }).expect(200);
    await syncNow(nora);
    expect(await rows()).to.deep.equal([]);
    await nora.patch('/api/messenger/dialogs').send({ dialogId: id, isTracked: true }).expect(200);
    expect((await syncNow(nora)).result).to.include({ digestsCreated: 1 });
    expect((await rows())[0]).to.include({ message_count: 3 });
  });
});
