import { expect } from 'chai';
import { wordsOf } from '../../support/pages.ts';
import { type Agent, connectedNora, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { crowd, world } from '../../support/worlds.ts';

const ALWAYS = 1000;

/** The messenger library cannot read the answer, and the connection it came on is lost with it. */
describe('An unreadable answer', () => {
  let service: Service;
  let nora: Agent;

  const start = async (size: number) => {
    service = await startService({ worlds: [world(crowd(size))] });
    nora = await connectedNora(service);
  };
  afterEach(stopServices);

  const garble = (id: number, times = ALWAYS) =>
    service.sandbox.faults.next({ on: 'messages.GetHistory', about: `user:${id}`, times, isGarbled: true });
  const statuses = () => service.db('digests').orderBy('status').pluck('status');

  it('fails its conversation alone, with a reason, and the next sync has its messages', async () => {
    await start(20);
    garble(5010);
    const { state, result } = await syncNow(nora);
    expect(state).to.equal('completed');
    expect(result).to.include({ dialogsProcessed: 20, digestsCreated: 19 });
    expect(result.errors).to.have.length(1);
    expect(result.errors[0]).to.include({
      peerName: 'Person 5010',
      stage: 'fetch',
      code: 'MESSENGER_UNAVAILABLE',
      message: 'This conversation contains something that can’t be read here yet. Your messages are still in Telegram.',
      retryable: true,
    });
    const [failed] = await service.db('digests').where({ status: 'FAILED' });
    expect(failed).to.include({ reason: 'UNREADABLE', is_started: false });
    const dialog = await service.db('dialogs').where({ id: failed.dialog_id }).first();
    expect(dialog).to.include({ peer_name: 'Person 5010', cursor_message_id: null });
    const words = wordsOf((await nora.get('/today').expect(200)).text);
    expect(words).to.match(/Person 5010 Failed .*This conversation contains something that can’t be read here yet\./);

    service.sandbox.faults.clear();
    expect((await syncNow(nora)).result).to.deep.include({ dialogsProcessed: 1, digestsCreated: 1, errors: [] });
  });

  it('is not retried endlessly when it comes for every conversation', async () => {
    await start(30);
    service.sandbox.faults.always({ on: 'messages.GetHistory', isGarbled: true });
    service.sandbox.resetCalls();
    const { state, result } = await syncNow(nora);
    expect(state).to.equal('completed');
    expect(result.digestsCreated).to.equal(0);
    expect(result.errors.at(0)).to.include({ dialogId: null, stage: 'connect', code: 'MESSENGER_UNAVAILABLE' });
    expect(new Set(await statuses())).to.deep.equal(new Set(['FAILED']));
    expect(service.sandbox.calls()['messages.GetDialogs']).to.be.below(30);

    service.sandbox.faults.clear();
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 30, errors: [] });
  });
});
