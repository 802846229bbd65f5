import { expect } from 'chai';
import { splitAtHits } from '../../../../src/features/digests/markRow.ts';

/** The text with what is marked between brackets. */
function mark(text: string, ...words: string[]): string {
  const parts = splitAtHits(text, words);
  expect(parts.map(part => part.text).join('')).to.equal(text);
  return parts.map(part => (part.isHit ? `[${part.text}]` : part.text)).join('');
}

describe('What is marked in a text that was found', () => {
  it('is each word as a whole, and the last one as a prefix', () => {
    expect(mark('A tender, no tenders.', 'tender', 'a')).to.equal('[A] [tender], no tenders.');
    expect(mark('A tender, no tenders.', 'tend')).to.equal('A [tender], no [tenders].');
  });

  it('keeps accents, cases and composed letters as they were written', () => {
    expect(mark('Größe, GROSSE, gro\u0308ße', 'grosse')).to.equal('[Größe], [GROSSE], [gro\u0308ße]');
    expect(mark('Łódź İstanbul Οδυσσέας', 'lodz', 'istanbul', 'οδυσσεασ')).to.equal('[Łódź] [İstanbul] [Οδυσσέας]');
  });

  it('does not split letters that join in writing', () => {
    expect(mark('وصلت أوراق الشحن', 'الش')).to.equal('وصلت أوراق [الشحن]');
    expect(mark('שלום לעולם', 'לעו')).to.equal('שלום [לעולם]');
  });

  it('is matched by the character in Chinese and Japanese', () => {
    expect(mark('来週の会議は金曜日', '会', '議')).to.equal('来週の[会議]は金曜日');
  });

  it('splits numbers where the search does', () => {
    expect(mark('18.400 Euro', '18', '400')).to.equal('[18].[400] Euro');
  });

  it('is nothing without words, and nothing of an empty text', () => {
    expect(splitAtHits('Anything', [])).to.deep.equal([{ text: 'Anything', isHit: false }]);
    expect(splitAtHits('', ['a'])).to.deep.equal([]);
  });

  it('treats no word as a pattern: every one is literal', () => {
    expect(mark('a+b (c) $1 <b>', '.*', '<b>', '$1')).to.equal('a+b (c) $1 <b>');
  });
});
