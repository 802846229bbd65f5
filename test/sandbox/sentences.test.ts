import { expect } from 'chai';
import { sentenceFrom } from '../../sandbox/sentences.ts';

describe('What npm start says of an error', () => {
  it('names a missing package and what to do about it, without a stack', async () => {
    const name = 'a-package-that-is-not-there';
    const error = await import(name).catch(thrown => thrown);
    expect(sentenceFrom(error)).to.match(/^Cannot find package 'a-package-that-is-not-there': run npm ci .*\.$/);
  });

  it('shows the whole stack of an unforeseen error', () => {
    expect(sentenceFrom(new TypeError('odd')))
      .to.include('TypeError: odd')
      .and.include('    at ');
  });
});
