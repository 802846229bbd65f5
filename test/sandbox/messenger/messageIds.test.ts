import { expect } from 'chai';
import { faultOfMessageId, nextMessageId } from '../../../sandbox/messenger/messageIds.ts';

describe('A message id of the messenger sandbox', () => {
  /** Over several milliseconds, more than one in each, however busy the machine. */
  const many = () => {
    const end = Date.now() + 10;
    const ids: bigint[] = [];
    while (Date.now() < end || ids.length < 1000) ids.push(nextMessageId(ids.length % 3 === 0 ? 'notice' : 'answer'));
    return ids;
  };

  it('is given to one message only and is always higher than the one before', () => {
    const ids = many();
    expect(ids.every((id, n) => n === 0 || id > (ids[n - 1] ?? id))).to.equal(true);
  });

  it('tells by its last bits whether it answers', () => {
    expect(nextMessageId('answer') % 4n).to.equal(1n);
    expect(nextMessageId('notice') % 4n).to.equal(3n);
  });

  it('is the time, as a client checks it', () => {
    expect(many().map(id => faultOfMessageId(id - (id % 4n)))).to.satisfy((faults: unknown[]) =>
      faults.every(fault => fault === null),
    );
  });
});
