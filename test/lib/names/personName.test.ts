import { expect } from 'chai';
import { readPersonName } from '../../../src/lib/names/personName.ts';
import { NAMES } from './personNames.ts';

describe('A messenger’s name', () => {
  it('is read from a table of almost 200', () => {
    expect(NAMES.length).to.be.at.least(190);
    expect(new Set(NAMES.map(({ written }) => written)).size).to.equal(NAMES.length);
  });

  for (const { written, ...says } of NAMES) {
    it(`says who "${written}" is`, () => {
      const { kind, given, family, company, display } = readPersonName(written);
      expect({ kind, given, family, company, display }).to.deep.equal(says);
    });
  }

  const called: [written: string, short: string][] = [
    ['Anna Petrova @ Acme', 'Anna'],
    ['ANNA PETROVA', 'Anna'],
    ['Anna Maria Schmidt', 'Anna'],
    ['You', '“You”'],
    ['“YOU” 😀', '“YOU”'],
    ['Y\u043Eu', '“Y\u043Eu”'],
    ['You Jin', 'You Jin'],
    ['Вы', '“Вы”'],
    ['Jean-Luc Moreau', 'Jean-Luc'],
    ['José García López', 'José'],
    ['Abdul Karim Hassan', 'Abdul Karim'],
    ['Dr. Anna Petrova', 'Dr. Petrova'],
    ['Herr Müller', 'Herr Müller'],
    ['Dr. Anna', 'Dr. Anna'],
    ['Robert "Bob" Smith', 'Robert'],
    ['John Smith Jr.', 'John'],
    ['Plumber John', 'John'],
    ['J. Smith', 'J. Smith'],
    ['van der Berg', 'van der Berg'],
    ['Anna & Peter Schmidt', 'Anna & Peter'],
    ['王伟', '王伟'],
    ['王 伟', '王 伟'],
    ['田中太郎', '田中太郎'],
    ['田中さん', '田中'],
    ['김철수', '김철수'],
    ['Nguyễn Văn An', 'An'],
    ['Петрова Анна Сергеевна', 'Анна'],
    ['Анна Сергеевна', 'Анна Сергеевна'],
    ['Petrova, Anna', 'Anna'],
    ['Acme GmbH', 'Acme GmbH'],
    ['Plumber', 'Plumber'],
    ['🚀', ''],
  ];
  for (const [written, short] of called) {
    it(`calls "${written}" ${short || 'nothing'}`, () => expect(readPersonName(written).short).to.equal(short));
  }

  it('is parsed quickly, however long it is and whatever it contains', () => {
    const signs = [
      '(',
      '"',
      '|',
      ' - ',
      '-',
      ',',
      '.',
      "'",
      '@',
      '& ',
      'Dr. ',
      'CEO ',
      'van ',
      'a.',
      '٠',
      'Ая',
      '王',
      '{[<',
    ];
    for (const sign of signs) {
      const started = process.cpuUsage();
      readPersonName(sign.repeat(4096));
      const { user } = process.cpuUsage(started);
      expect(user / 1000, sign).to.be.below(100);
    }
  });

  it('keeps parts within what a field takes', () => {
    const { given, display, short } = readPersonName('x'.repeat(5000));
    expect([given, display, short].map(({ length }) => length)).to.deep.equal([100, 100, 100]);
  });
});
