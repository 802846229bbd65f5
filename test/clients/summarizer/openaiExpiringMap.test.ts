import { expect } from 'chai';
import { createExpiringMap } from '../../../src/clients/summarizer/openai/expiringMap.ts';

describe('What the AI summarizer remembers', () => {
  let now: number;
  const clock = { now: () => new Date(now) };

  beforeEach(() => {
    now = Date.parse('2026-11-18T07:00:00Z');
  });

  it('is forgotten after its time, which a later value does not prolong', () => {
    const memory = createExpiringMap<number>({ clock, most: 10, ms: 1000 });
    memory.set('a', 1);
    now += 600;
    memory.set('a', 2);
    expect(memory.get('a')).to.equal(2);
    now += 400;
    expect(memory.get('a')).to.equal(undefined);
    expect(memory.values()).to.deep.equal([]);
  });

  it('is never more than the most, the newest of them', () => {
    const memory = createExpiringMap<number>({ clock, most: 3, ms: 1000 });
    for (let each = 0; each < 2000; each += 1) memory.set(`key ${each}`, each);
    expect(memory.values()).to.deep.equal([1997, 1998, 1999]);
  });

  it('is not kept for years by a clock that was set back', () => {
    const memory = createExpiringMap<number>({ clock, most: 3, ms: 1000 });
    now += 1e11;
    memory.set('a', 1);
    now -= 1e11;
    expect(memory.get('a')).to.equal(undefined);
  });
});
