import { expect } from 'chai';
import { refusalOf } from '../../../../src/features/sync/rewrites/requestRewrite.ts';

describe('A digest can be rewritten', () => {
  const row = { isCovered: false, summary: 'Said.', writing: 'COMPLETE' } as const;

  it('once it is written', () => {
    expect(refusalOf(row)).to.equal(undefined);
  });

  it('not during a sync, without a summary, or when a later one has its messages', () => {
    expect(refusalOf({ ...row, writing: 'PENDING' })).to.include('A sync is rewriting');
    expect(refusalOf({ ...row, writing: 'FAILED' })).to.include('The last attempt');
    expect(refusalOf({ ...row, summary: '' })).to.include('no digest');
    expect(refusalOf({ ...row, isCovered: true })).to.include('A later digest');
  });
});
