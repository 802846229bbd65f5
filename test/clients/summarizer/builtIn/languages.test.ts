import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { fold } from '../../../../src/clients/summarizer/cleaning.ts';
import { compileCues } from '../../../../src/clients/summarizer/languages/compile.ts';
import { compileLexicon, lexiconOf, readData } from '../../../../src/clients/summarizer/languages/lexicon.ts';
import { languageData } from '../../../../src/clients/summarizer/languages/schema.ts';
import { LANGUAGES } from '../../../../src/clients/summarizer/languages/types.ts';
import { readLiterals } from '../../../patterns/literals.ts';

const SUMMARIZER = new URL('../../../../src/clients/summarizer/', import.meta.url);
const DATA = new URL('languages/data/', SUMMARIZER);

/** Files that may ask which language it is: one chooses its data, one folds text before that is chosen. */
const BY_CODE = ['cleaning.ts', 'language.ts'];
/** `pack.code === 'en'`, `'de' !== language`, `['ru', 'uk'].includes(code)` */
const COMPARES =
  /\b(?:code|lang(?:uage)?)\b *[!=]==? *['"`][a-z]{2}['"`]|['"`][a-z]{2}['"`] *[!=]==? *[\w.?]*\b(?:code|lang(?:uage)?)\b|\[['"`][a-z]{2}['"`][^\]]*\]\)?\.(?:includes|has)\([\w.?]*\b(?:code|lang(?:uage)?)\b/;

/** What is no word in the source of a pattern: `\p{L}`, `\u{1F602}`, `\b`, `[a-z]`, `(?<name>` */
const CLASSES = /\\p\{[^}]*\}|\\u\{?[\da-f]+\}?|\\[a-z]|\[[^\]]*\]|\(\?<\w+>/giu;
const WORD = /\p{L}{2}|\p{Script=Han}/u;

/** Whether the cue is found in the text. */
const CUES: [cue: string, text: string, found: boolean][] = [
  ['send/share me', 'please share me the link', true],
  ['send/share me', 'please resend me the link', false],
  ['i .. pay', 'i will then pay', true],
  ['i .. pay', 'i told you that she wants to pay', false],
  ['i ... pay', 'i told you that she wants to pay', true],
  ['invoic*', 'two invoices came', true],
  ['^if', 'if it rains', true],
  ['^if', 'ask if it rains', false],
  ['^cuándo', '¿cuándo llega el pedido?', true],
  ['^no$', '¡no!', true],
  ['^no', 'dice: ¡no!', false],
  ['it is$', 'friday it is!', true],
  ['it is$', 'it is late', false],
  ['срочн*', 'это срочно', true],
  ["can't", "we can't come", true],
  ['お送りします/送ります', '明日お送りしますね', true],
  ['ますか/ですか$', '何時ですか。', true],
  ['ますか/ですか$', '何時ですかね', false],
  ['我 .. 发', '我明天下午发给你', true],
  ['我 .. 发', '我不知道。他会发', false],
  ['θα .. *σω', 'θα σας απαντησω αυριο', true],
  ['πέμπτη', 'την πεμπτη', true],
  ['الأربعاء', 'يوم الاربعاء', true],
];

/** All lists of words and cues; those of weekdays and months have an order of their own. */
function listsIn(data: unknown, name = ''): string[][] {
  if (Array.isArray(data)) {
    const isList = data.every(one => typeof one === 'string');
    return isList && name !== 'months' ? [data] : data.flatMap(one => listsIn(one));
  }
  if (data === null || typeof data !== 'object') return [];
  return Object.entries(data).flatMap(([key, value]) => listsIn(value, key));
}

/**
 * Whether a "/" gives a cue the same word twice, as in "i did/we did", which finds "i did did": whoever wrote it took
 * "/" for what separates phrases.
 */
function repeats(cue: string): boolean {
  const places = cue.split(' ').map(place => place.replaceAll(/^\^|\$$/g, '').split('/'));
  return places.some((words, at) => {
    const next = places[at + 1] ?? [];
    const isAgain = words.length + next.length > 2 && words.some(word => next.includes(word));
    return isAgain || new Set(words).size < words.length;
  });
}

describe('the data of languages', () => {
  for (const file of readdirSync(DATA)) {
    it(`${file} fits the schema and compiles`, () => {
      const lexicon = compileLexicon(readData(file.replace('.json', '')));
      expect(lexicon.media.photo).to.be.a('string');
    });
  }

  for (const file of readdirSync(DATA)) {
    it(`${file} lists in alphabetical order, and nothing twice`, () => {
      const lists = listsIn(readData(file.replace('.json', '')));
      expect(lists.length).to.be.above(10);
      for (const list of lists) expect(list).to.deep.equal([...new Set(list)].toSorted());
    });
  }

  for (const file of readdirSync(DATA)) {
    it(`${file} has no cue that says a word twice, and none in letters that folded text lacks`, () => {
      const code = file.replace('.json', '');
      const { verbs, ...data } = readData(code);
      const lists = listsIn(data).flat();
      expect(lists.filter(repeats)).to.deep.equal([]);
      expect(lists.filter(cue => fold(cue, code) !== cue)).to.deep.equal([]);
    });
  }

  it('holds what a language does differently: no code outside compares with the code of a language', () => {
    const files = readdirSync(SUMMARIZER, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.ts'));
    const found = files.filter(path => COMPARES.test(readFileSync(new URL(path, SUMMARIZER), 'utf8')));
    expect(found.toSorted()).to.deep.equal(BY_CODE);
  });

  it('holds all words: no pattern in the code of the built-in summarizer has any', () => {
    const literals = readLiterals().literals.filter(({ at }) => at.startsWith('src/clients/summarizer/builtIn/'));
    expect(literals.length).to.be.above(50);
    const inWords = literals.filter(({ source }) => WORD.test(source.replaceAll(CLASSES, ' ')));
    expect(inWords.map(({ source }) => source)).to.deep.equal(['https?:\\/\\/']);
  });

  it('is found for every known language, and stood in for otherwise', () => {
    for (const code of LANGUAGES) expect(lexiconOf(code).code).to.equal(code);
    expect(lexiconOf('sw').grammar).to.equal(null);
  });

  for (const [cue, text, found] of CUES) {
    it(`${found ? 'finds' : 'does not find'} the cue "${cue}" in "${text}"`, () => {
      expect(compileCues([cue]).test(text)).to.equal(found);
    });
  }

  it('refuses data with patterns of its own, and languages without data', () => {
    const data = readData('de');
    const wrong = { ...data, acts: { ...data.acts, vague: ['(a|b)+'] } };
    expect(languageData.safeParse(data).success).to.equal(true);
    expect(languageData.safeParse(wrong).success).to.equal(false);
    expect(() => readData('missing')).to.throw();
  });

  it('refuses a cue whose gaps let a hostile text take long', () => {
    const data = readData('de');
    const withCue = (cue: string) => languageData.safeParse({ ...data, acts: { ...data.acts, vague: [cue] } }).success;
    expect(withCue('ich .. werde .. senden')).to.equal(true);
    expect(withCue('ich .. werde .. es .. senden')).to.equal(false);
  });
});
