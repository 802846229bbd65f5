import { expect } from 'chai';
import { compareNames, type NameRelation } from '../../../src/lib/names/compareNames.ts';
import { readFiledName, readName } from '../../../src/lib/names/readings.ts';

type Case = [written: string, firstName: string, lastName: string, relation: NameRelation];

const ONE_NAME: Case[] = [
  ['Anna Petersen', 'Anna', 'Petersen', 'same'],
  ['José García', 'Jose', 'Garcia', 'same'],
  ['Søren Jørgensen', 'Soren', 'Joergensen', 'same'],
  ['Jürgen Weiß', 'Juergen', 'Weiss', 'same'],
  ['Ayse Yildiz', 'Ayşe', 'Yıldız', 'same'],
  ['Jean-Luc Moreau', 'Jean Luc', 'Moreau', 'same'],
  ['Katherine O’Brien', 'Katherine', "O'Brien", 'same'],
  ['Peter van den Berg', 'Peter', 'Van den Berg', 'same'],
  ['Dr. Anna Petersen, MBA', 'Anna', 'Petersen', 'same'],
  ['Anna Petersen', 'Anna Petersen', '', 'same'],
  ['田中 太郎', '田中', '太郎', 'same'],
  ['Petersen Anna', 'Anna', 'Petersen', 'swapped'],
  ['Petersen, Anna', 'Anna', 'Petersen', 'same'],
  ['García López María', 'María', 'García López', 'swapped'],
  ['Дмитрий Орлов', 'Dmitry', 'Orlov', 'otherAlphabet'],
  ['Юлия Щербакова', 'Julia', 'Shcherbakova', 'otherAlphabet'],
  ['Юлия Щербакова', 'Iuliia', 'Shcherbakova', 'otherAlphabet'],
  ['Олександр Шевченко', 'Alexander', 'Shevchenko', 'otherAlphabet'],
  ['Сергій Левицький', 'Serhii', 'Levytskyi', 'otherAlphabet'],
  ['Пётр Соловьёв', 'Pyotr', 'Solovyov', 'otherAlphabet'],
  ['Ivan Petrov', 'Иван', 'Петров', 'otherAlphabet'],
  ['Γιώργος Παπαδόπουλος', 'Giorgos', 'Papadopoulos', 'otherAlphabet'],
  ['Иван Сергеевич Петров', 'Ivan', 'Petrov', 'otherAlphabet'],
  ['Dmitrii Orlov', 'Dmitry', 'Orlov', 'spelled'],
  ['Julia Zelensky', 'Yuliya', 'Zelenskii', 'spelled'],
  ['Mohamed Salem', 'Muhammad', 'Salem', 'spelled'],
  ['Hans Muller', 'Hans', 'Mueller', 'spelled'],
  ['Mary St. Clair', 'Mary', 'Saint Clair', 'same'],
  ['Peter Vandenberg', 'Peter', 'van den Berg', 'spelled'],
  ['John R. Smith', 'John', 'Smith', 'partly'],
  ['John Smith', 'John Robert', 'Smith', 'partly'],
];

const OTHER_PEOPLE: [written: string, firstName: string, lastName: string][] = [
  ['Maria Ivanova', 'Marina', 'Ivanova'],
  ['Jan Novák', 'Jan', 'Nováková'],
  ['Daniel Smith', 'Daniela', 'Smith'],
  ['Ирина Соколова', 'Irina', 'Sokolov'],
  ['Ivan Petrov', 'Ivan', 'Petrovic'],
  ['Wei Schröderson', 'Wei', 'Schröder'],
  ['Erik Hansen', 'Erik', 'Hanson'],
  ['Andreas Fiscehr', 'Andreas', 'Fischer'],
  ['Juan Li', 'Yuan', 'Li'],
  ['Anna Schmidt', 'Anna-Maria', 'Schmidt'],
  ['Anna Schmidt', 'Anna', 'Schmidt-Becker'],
  ['José García', 'José', 'García López'],
  ['José López', 'José', 'García López'],
  ['Bob MacLeod', 'Robert', 'MacLeod'],
  ['J. Smith', 'John', 'Smith'],
  ['John S.', 'John', 'Smith'],
  ['Liam', 'Liam', 'Smith'],
  ['Liam', 'Liam', ''],
  ['Smith', '', 'Smith'],
  ['AnnaPetersen', 'Anna', 'Petersen'],
  ['王伟', '伟', '王'],
  ['John Smith Jr', 'John', 'Smith Sr'],
  ['van der', 'van', 'der'],
  ['Thomas Berg', 'Peter', 'Berg'],
  ['🚀', 'Anna', 'Petersen'],
];

function compared(written: string, firstName: string, lastName: string) {
  const [reading] = readName(written);
  return reading && compareNames(reading, readFiledName(firstName, lastName));
}

describe('Two names', () => {
  for (const [written, firstName, lastName, relation] of ONE_NAME) {
    it(`are one: "${written}" and "${firstName}|${lastName}" (${relation})`, () => {
      const result = compared(written, firstName, lastName);
      expect(result).to.include({ isOneName: true, relation });
      expect(result?.score).to.be.at.least(0.92);
    });
  }

  for (const [written, firstName, lastName] of OTHER_PEOPLE) {
    it(`may be two people: "${written}" and "${firstName}|${lastName}"`, () => {
      expect(compared(written, firstName, lastName)?.isOneName ?? false).to.equal(false);
    });
  }

  it('are compared in a moment however long they are', () => {
    const long = Array.from({ length: 100 }, (_, at) => `Ab${at}-cd`).join(' ');
    const started = performance.now();
    compared(long.slice(0, 300), long, long);
    expect(performance.now() - started).to.be.below(2_000);
  });
});

describe('A name as people write it', () => {
  const cases: [written: string, words: string, extras: string[]][] = [
    ['Tom | Gearshift', 'tom', ['Gearshift']],
    ['Anna (Acme)', 'anna', ['Acme']],
    ['Anna (Acme', 'anna', ['Acme']],
    ['Max - Globex', 'max', ['Globex']],
    ['Max — Globex', 'max', ['Globex']],
    ['Anna @ Initech', 'anna', ['Initech']],
    ['Anna at Initech', 'anna', ['Initech']],
    ['Olga O’Brien / Umbrella Trading', 'olga obrien', ['Umbrella Trading']],
    ['Anna Petersen, Acme', 'anna petersen', ['Acme']],
    ['🌿 Jean-Luc Petrov 🇩🇪', 'jean luc petrov', []],
    ['★ ANNA ★ PETERSEN 👩‍💻 2', 'anna petersen', []],
    ['𝓐𝓷𝓷𝓪 𝓟𝓮𝓽𝓮𝓻𝓼𝓮𝓷', 'anna petersen', []],
    ['\u202eAnna\u202c\u200b Petersen', 'anna petersen', []],
    ['Prof. Dr. Anna Petersen PhD', 'anna petersen', []],
    ['O´Connor Kerry', 'oconnor kerry', []],
    ['\u3164Anna\u3164Petersen\uffa0', 'anna petersen', []],
    ['Ⓐⓝⓝⓐ 🅟🅔🅣🅔🅡🅢🅔🅝', 'anna petersen', []],
    ['🄰🄽🄽🄰 🅿️🅴🆃🅴🆁🆂🅴🅽', 'anna petersen', []],
    ['Ⓜ️ Anna Petersen 🅱️', 'anna petersen', []],
  ];
  for (const [written, words, extras] of cases) {
    it(`"${written}" is ${words}${extras.length > 0 ? ` with ${extras}` : ''}`, () => {
      const [reading] = readName(written);
      expect(reading?.words.map(({ forms }) => forms[0]).join(' ')).to.equal(words);
      expect(reading?.extras).to.deep.equal(extras);
    });
  }
});
