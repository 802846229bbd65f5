import { expect } from 'chai';
import { waitingWords } from '../../../../src/features/base/users/pages.ts';
import { webmailOf } from '../../../../src/features/base/users/rules.ts';

describe('The words of the sign-in', () => {
  it('say how long to wait in whole minutes, never too few', () => {
    const words = [0, 1, 60, 61, 899, 900].map(waitingWords);
    expect(words).to.deep.equal(['1 minute', '1 minute', '1 minute', '2 minutes', '15 minutes', '15 minutes']);
  });

  it('know where an inbox is read, by its whole domain only', () => {
    expect(webmailOf('lena@gmail.com')?.name).to.equal('Gmail');
    for (const email of ['lena@notgmail.com', 'lena@gmail.com.example', 'gmail.com@example.com', 'x@constructor']) {
      expect(webmailOf(email), email).to.equal(undefined);
    }
  });
});
