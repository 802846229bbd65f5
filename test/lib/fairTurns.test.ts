import { expect } from 'chai';
import { createFairTurns } from '../../src/lib/fairTurns.ts';

describe('fair turns', () => {
  let clock = 0;
  let order: string[] = [];

  beforeEach(() => {
    [clock, order] = [0, []];
  });

  const turns = () => createFairTurns(() => clock);
  const work = (name: string, took: number) => async () => {
    order.push(name);
    clock += took;
  };

  it('do one thing at a time', async () => {
    const { take } = turns();
    let running = 0;
    const once = async () => {
      running += 1;
      await Promise.resolve();
      expect(running).to.equal(1);
      running -= 1;
    };
    await Promise.all(['a', 'b', 'a', 'c'].map(owner => take(owner, once)));
  });

  it('let who needs little pass who needs much', async () => {
    const { take } = turns();
    const heavy = Array.from({ length: 5 }, (_, n) => take('heavy', work(`heavy ${n}`, 500)));
    const light = Array.from({ length: 5 }, (_, n) => take('light', work(`light ${n}`, 5)));
    await Promise.all([...heavy, ...light]);
    expect(order.slice(0, 6)).to.deep.equal(['heavy 0', ...[0, 1, 2, 3, 4].map(n => `light ${n}`)]);
  });

  it('serve who waits alone in the order of asking', async () => {
    const { take } = turns();
    await Promise.all([1, 2, 3].map(n => take('a', work(String(n), 10))));
    expect(order).to.deep.equal(['1', '2', '3']);
  });

  it('let no one save time up: who comes late gets a share, not everything', async () => {
    const { take } = turns();
    const early = Array.from({ length: 4 }, (_, n) => take('early', work('early', n === 0 ? 1000 : 10)));
    const late = Array.from({ length: 300 }, () => take('late', work('late', 10)));
    await Promise.all([...early, ...late]);
    expect(order.lastIndexOf('early')).to.be.below(120);
  });

  it('let long work wait for a pause, though not for ever', async () => {
    const { take } = turns();
    const long = { isLong: true };
    await take('a', work('first', 1));
    const longOnes = [1, 2].map(n => take('a', work(`long ${n}`, 1000), long));
    // The first comes at once, because none came before it; the second one five seconds later.
    const short = Array.from({ length: 80 }, (_, n) => take('b', work(`short ${n}`, 100)));
    await Promise.all([...longOnes, ...short]);
    expect(order.indexOf('long 1')).to.equal(1);
    expect(order.indexOf('long 2')).to.be.within(50, 53);
  });

  it('go on after work that fails', async () => {
    const { take } = turns();
    const failed = take('a', () => Promise.reject(new Error('no')));
    const done = take('a', async () => 'done');
    expect(await failed.catch((err: Error) => err.message)).to.equal('no');
    expect(await done).to.equal('done');
  });
});
