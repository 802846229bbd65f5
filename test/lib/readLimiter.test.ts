import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { createReadLimiter } from '../../src/lib/readLimiter.ts';

describe('The turns of reads that cost something', () => {
  it('let three run at once, one of one user, and no one wait behind another’s hundred', async () => {
    const turns = createReadLimiter();
    const running = new Map<string, number>();
    const ended: string[] = [];
    let most = 0;
    let mostOfOne = 0;
    const call = (user: string) =>
      turns(user, async () => {
        running.set(user, (running.get(user) ?? 0) + 1);
        const counts = [...running.values()];
        most = Math.max(
          most,
          counts.reduce((sum, count) => sum + count, 0),
        );
        mostOfOne = Math.max(mostOfOne, ...counts);
        for (let n = 0; n < 3; n++) await turn();
        running.set(user, (running.get(user) ?? 0) - 1);
        ended.push(user);
      });
    const many = Array.from({ length: 100 }, () => call('nora'));
    await Promise.all([...many, call('sam'), call('olu'), call('sam')]);
    expect([most, mostOfOne]).to.deep.equal([3, 1]);
    expect(ended).to.have.length(103);
    expect(ended.lastIndexOf('sam')).to.be.below(10);
  });

  it('go on after a call that fails', async () => {
    const turns = createReadLimiter();
    const fail = () =>
      turns('nora', async () => {
        throw new Error('no');
      });
    const ended = await Promise.allSettled([fail(), fail(), fail(), turns('nora', async () => 'yes')]);
    expect(ended.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected', 'fulfilled']);
    expect(await turns('nora', async () => 'again')).to.equal('again');
  });
});
