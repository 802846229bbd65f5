import { expect } from 'chai';
import { writtenIn } from '../../src/lib/writing.ts';

describe('The direction of a text', () => {
  it('is that of its language, whatever its first word is', () => {
    expect(writtenIn('en')).to.equal('lang="en" dir="ltr"');
    expect(writtenIn('ru')).to.equal('lang="ru" dir="ltr"');
    for (const language of ['ar', 'fa', 'he', 'ur'])
      expect(writtenIn(language)).to.equal(`lang="${language}" dir="rtl"`);
  });

  it('is told by its first letter where the language is not known', () => {
    for (const unknown of [undefined, '', 'und', 'en" onclick="x', 'EN'])
      expect(writtenIn(unknown)).to.equal('dir="auto"');
  });
});
