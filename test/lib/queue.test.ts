import { expect } from 'chai';
import { createLog } from '../../src/lib/log.ts';
import { createQueue, createQueues, type Queue, workOn } from '../../src/lib/queue.ts';
import { testDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const LETTERS = { name: 'letters', policy: 'standard', retryLimit: 0 } as const;

describe('A worker of a queue', () => {
  let queue: Queue;
  const done: string[] = [];

  before(async () => {
    const { url } = await testDatabase();
    queue = createQueue({ url, works: true, pool: 3, log: createLog({ level: 'silent', name: 'test' }) });
    await queue.start();
    await createQueues(queue, [LETTERS]);
  });
  after(() => queue.stop({ graceful: false }));

  it('goes on to the next job at once, also after one that failed, and looks around only when there is none', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `letter ${n}`);
    await queue.insert(
      LETTERS.name,
      names.map(name => ({ data: { name } })),
    );
    const handle = async ({ data }: { data: unknown }) => {
      done.push((data as { name: string }).name);
      if (done.length % 3 === 0) throw new Error('lost');
    };
    const began = Date.now();
    await workOn(queue, LETTERS, { concurrency: 2, everySeconds: 60, handle });
    await until(() => done.length >= names.length);
    expect(new Set(done)).to.deep.equal(new Set(names));
    expect(Date.now() - began).to.be.below(50_000);
  });
});
