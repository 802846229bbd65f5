import { expect } from 'chai';
import { isolateName, writtenIn } from '../../src/lib/textDirection.ts';

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

describe('A name in a text that mixes directions of writing', () => {
  it('is isolated, in full and by its first word', () => {
    const shown = (text: string, name: string) =>
      isolateName(text, name).replaceAll('\u2068', '<').replaceAll('\u2069', '>');
    expect(shown('نور الحسن: 3 files by Friday', 'نور الحسن')).to.equal('<نور الحسن>: 3 files by Friday');
    expect(shown('Lena asked نور, 12 May. نور agreed.', 'نور الحسن')).to.equal(
      'Lena asked <نور>, 12 May. <نور> agreed.',
    );
    expect(shown('וועלט Tom, Tomas: 5', 'Tom Berg')).to.equal('וועלט <Tom>, Tomas: 5');
  });

  it('stays as it is where one direction is all there is', () => {
    expect(isolateName('Farid wants 3 files', 'Farid Nazari')).to.equal('Farid wants 3 files');
    expect(isolateName('نور 3', 'نور')).to.equal('نور 3');
    expect(isolateName('', '')).to.equal('');
  });
});
