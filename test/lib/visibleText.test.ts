import { expect } from 'chai';
import { visibleText } from '../../src/lib/visibleText.ts';

describe('The visible text of a message', () => {
  const kept: Record<string, string> = {
    'a non-joiner between Persian letters that would join': 'می\u200cخواهم',
    'a non-joiner behind a vowel sign': 'بِ\u200cها',
    'a joiner that shows a letter as if it went on': 'سال ۱۴۴۵ ه\u200d.',
    'a joiner and a non-joiner behind a virama': 'क्\u200dष क्\u200cष ශ්\u200dර',
    'the joiner of a Malayalam letter at the end of a word': 'അവന്\u200d വന്നു',
    'the joiner before a Bengali virama': 'র\u200d্যাম',
    'the joiners and selectors of emoji': '👩🏽\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3',
  };
  for (const [what, text] of Object.entries(kept)) it(`keeps ${what}`, () => expect(visibleText(text)).to.equal(text));

  const dropped: Record<string, [string, string]> = {
    'a joiner between letters that never join': ['p\u200da\u200cy п\u200dа 漢\u200c字', 'pay па 漢字'],
    'a non-joiner behind an Arabic letter that doesn’t join on': ['ا\u200cب د\u200cر', 'اب در'],
    'a joiner between Arabic letters that join anyway': ['ب\u200dب', 'بب'],
    'a joiner between Indic letters without a virama': ['क\u200cष', 'कष'],
    'all but one joiner': ['می\u200c\u200c\u200dخ', 'می\u200cخ'],
    'a selector behind what is an emoji anyway': ['😀\ufe0f', '😀'],
    'the format controls of hieroglyphs': ['a\u{13430}b\u{1343f}c\u{13440}d\u{13455}', 'abcd'],
    'the fillers of Hangul, typed for a space': ['Anna\u3164Petersen \uffa0', 'Anna Petersen  '],
    'what only formats': ['a\u0600b\u06ddc\u{110bd}d\u00ade\ufff9f\u{1d173}', 'abcdef'],
  };
  for (const [what, [text, seen]] of Object.entries(dropped))
    it(`leaves out ${what}`, () => expect(visibleText(text)).to.equal(seen));
});
