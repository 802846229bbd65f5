import { expect } from 'chai';
import { expectNothingInline, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectedNora, finished, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { crowd, world } from '../../../support/worlds.ts';

const TRY_AGAIN = /Try again : Person \d+/g;

/** What keeps a conversation without its digest, as the person meets it: the page, the status answer, the next try. */
describe('A conversation without its digest', () => {
  let service: Service;
  let nora: Agent;

  const start = async (size: number, env: Record<string, string> = {}) => {
    service = await startService({ worlds: [world(crowd(size))], env });
    nora = await connectedNora(service);
  };
  afterEach(stopServices);

  const page = async (path = '/today') => {
    const { text } = await nora.get(path).expect(200);
    expectNothingInline(text);
    return wordsOf(text);
  };
  const nextDay = () => service.clock.advance(24 * 3600 * 1000);
  const dayOf = async (where: object) => {
    const row = await service.db('digests').where(where).first(service.db.raw("to_char(digest_date, 'YYYY-MM-DD') d"));
    return row.d;
  };

  it('because Telegram failed is shown with its reason, and the next sync has its messages', async () => {
    await start(3);
    service.sandbox.faults.next({ on: 'messages.GetHistory', status: 400, message: 'PEER_ID_INVALID' });
    const { state, result } = await syncNow(nora);
    expect(state).to.equal('completed');
    expect(result).to.include({ dialogsProcessed: 3, digestsCreated: 2 });
    expect(result.errors[0]).to.include({
      stage: 'fetch',
      code: 'MESSENGER_UNAVAILABLE',
      message: 'We couldn’t get this conversation from Telegram. Your messages are still there.',
      retryable: true,
    });
    const words = await page();
    expect(words).to.include('1 couldn’t be finished.').and.include('Not finished 1').and.include('Try all again');
    expect(words).to.include('We couldn’t get this conversation from Telegram. The messages are still in Telegram.');
    expect(words.match(TRY_AGAIN)).to.have.length(1);
    expect(words).not.to.include('service couldn’t be reached');

    nextDay();
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 1, errors: [] });
    const earlier = await page(`/today?day=${await dayOf({ status: 'FAILED' })}`);
    expect(earlier).to.include('Written later').and.include('A later digest has its messages.');
    expect(earlier).not.to.match(/Try again|Not finished|couldn’t be finished/);
  });

  it('because workers crashed on it three times is set aside, and retried on request', async () => {
    await start(3);
    const { body } = await nora.post('/api/sync/trigger').expect(200);
    await finished(nora, body.jobId);
    await leaveAsKilled(service, body.jobId, { peerName: 'Person 5002', crashes: 2 });
    const { id: userId } = await service.db('users').first();
    await service.worker().queue.send('sync', { userId, jobId: body.jobId }, { singletonKey: userId });
    const { state, result } = await finished(nora, body.jobId);
    expect(state).to.equal('completed');
    expect(result.errors).to.have.length(1);
    expect(result.errors[0]).to.include({ peerName: 'Person 5002', retryable: true });
    expect(await page()).to.match(/Person 5002 Failed .*failed again and again, so it was set aside\./);

    await post(nora, '/sync').expect(303).expect('Location', '/today');
    const { id: jobId } = await service.db('sync_jobs').orderBy('created_at', 'desc').first();
    expect((await finished(nora, jobId)).result).to.deep.include({ digestsCreated: 1, errors: [] });
    expect(await page()).not.to.include('Not finished');
  });
});

/** As a worker leaves the rows that was killed while it read this conversation. */
async function leaveAsKilled({ db }: Service, jobId: string, left: { peerName: string; crashes: number }) {
  const { id } = await db('dialogs').where({ peer_name: left.peerName }).first();
  const row = { is_started: true, status: 'PENDING', summary: '', crashes: left.crashes };
  await db('digests').where({ dialog_id: id }).update(row);
  await db('dialogs').where({ id }).update({ cursor_message_id: null });
  await db('sync_jobs').where({ id: jobId }).update({ state: 'active' });
}
