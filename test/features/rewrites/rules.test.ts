import { expect } from 'chai';
import { keepItemIds, refusalOf } from '../../../src/features/rewrites/rules.ts';
import { item } from '../today/digests.ts';

describe('Reworded action items', () => {
  const old = (id: string, ...sourceMessageIds: string[]) => item({ id, sourceMessageIds });
  const ids = (before: ReturnType<typeof item>[], after: ReturnType<typeof item>[]) =>
    keepItemIds(before, after).map(({ id }) => id);

  it('keep the id of the one that rests on the same message', () => {
    expect(ids([old('a', '11'), old('b', '12')], [old('x', '12'), old('y', '11')])).to.deep.equal(['b', 'a']);
  });

  it('get new ids when the original is unclear or another owner’s', () => {
    expect(ids([old('a', '11'), old('b', '11')], [old('x', '11')])).to.deep.equal(['x']);
    expect(ids([old('a', '11')], [{ ...old('x', '11'), owner: 'contact' }])).to.deep.equal(['x']);
    expect(ids([old('a', '11')], [old('x', '12')])).to.deep.equal(['x']);
  });

  it('never share an id', () => {
    expect(ids([old('a', '11')], [old('x', '11'), old('y', '11')])).to.deep.equal(['a', 'y']);
    expect(ids([old('a', '11')], [old('a', '11'), old('y', '11')])).to.deep.equal(['a', 'y']);
  });
});

describe('A digest can be rewritten', () => {
  const row = { isCovered: false, summary: 'Said.', writing: 'COMPLETE' } as const;

  it('once it is written', () => {
    expect(refusalOf(row)).to.equal(undefined);
  });

  it('not while a sync is at it, without a summary, or when a later one has its messages', () => {
    expect(refusalOf({ ...row, writing: 'PENDING' })).to.include('A sync is rewriting');
    expect(refusalOf({ ...row, writing: 'FAILED' })).to.include('The last attempt');
    expect(refusalOf({ ...row, summary: '' })).to.include('no digest');
    expect(refusalOf({ ...row, isCovered: true })).to.include('A later digest');
  });
});
