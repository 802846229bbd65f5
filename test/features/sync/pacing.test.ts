import { expect } from 'chai';
import { fasterLimits } from '../../../sandbox/messenger/floods.ts';
import { type Agent, connectedNora, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { crowd, world } from '../../support/worlds.ts';

const DAY = 24 * 3600 * 1000;
const PEOPLE = 12;
/** Of one message each. The window is longer than any test, so that only the number counts; after its wait it begins anew. */
const TEN_MESSAGES = { ...fasterLimits(30), historyMessages: 10, windowSeconds: 3600 };

describe('A sync at a messenger that floods', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worlds: [world(crowd(PEOPLE))], env: { RATE_LIMIT_CONNECT: '50' } });
    nora = await connectedNora(service);
  });
  after(stopServices);

  const rates = async () => (await service.db('messenger_accounts').first()).call_rates;
  const writeToAll = () => {
    for (let id = 5001; id <= 5000 + PEOPLE; id += 1)
      service.sandbox.addMessages('test', `user:${id}`, [{ from: id, text: 'Please call me back today.' }]);
  };
  /** Milliseconds that the newest sync took. */
  const tookMs = async () => {
    const job = await service.db('sync_jobs').orderBy('created_at', 'desc').first();
    return job.finished_at - job.started_at;
  };

  it('waits for a short flood, loses nothing and remembers the rate that was taken', async () => {
    service.sandbox.faults.flood(TEN_MESSAGES);
    const { state, result } = await syncNow(nora);
    expect(state).to.equal('completed');
    expect(result).to.deep.include({ dialogsProcessed: PEOPLE, digestsCreated: PEOPLE, errors: [] });
    expect(service.sandbox.faults.floods().waits).to.equal(1);
    // Ten calls, and a second of waiting.
    const { history, ...others } = await rates();
    expect(history.everyMs).to.be.at.least(1000 / (10 * 0.8));
    expect(others).to.deep.equal({});
    expect((await service.db('messenger_accounts').first()).flood_until, 'no page may call meanwhile').to.be.a('date');
  });

  it('starts at that rate the next time, in a worker that was started anew', async () => {
    service.sandbox.faults.clear();
    await service.worker().close();
    const { history } = await rates();
    await service.startWorker();
    service.clock.advance(DAY);
    writeToAll();
    const { result } = await syncNow(nora);
    expect(result).to.include({ digestsCreated: PEOPLE });
    expect(await tookMs()).to.be.at.least((PEOPLE - 1) * history.everyMs * 0.5 ** (1 / 7) * 0.9);
  });
});
