import { expect } from 'chai';
import { readPersonName } from '../../../src/lib/names/personName.ts';
import { NAMES } from './personNames.ts';

describe('A messenger’s name', () => {
  for (const { written, ...says } of NAMES) {
    it(`says who "${written}" is`, () => {
      const { kind, given, family, company, display } = readPersonName(written);
      expect({ kind, given, family, company, display }).to.deep.equal(says);
    });
  }

  const called: [written: string, short: string][] = [
    ['Anna Petrova @ Acme', 'Anna'],
    ['You', '“You”'],
    ['Y\u043Eu', '“Y\u043Eu”'],
    ['You Jin', 'You Jin'],
    ['Jean-Luc Moreau', 'Jean-Luc'],
    ['Abdul Karim Hassan', 'Abdul Karim'],
    ['Dr. Anna Petrova', 'Dr. Petrova'],
    ['Herr Müller', 'Herr Müller'],
    ['Plumber John', 'John'],
    ['van der Berg', 'van der Berg'],
    ['Anna & Peter Schmidt', 'Anna & Peter'],
    ['王伟', '王伟'],
    ['田中さん', '田中'],
    ['Nguyễn Văn An', 'An'],
    ['Петрова Анна Сергеевна', 'Анна'],
    ['Acme GmbH', 'Acme GmbH'],
    ['🚀', ''],
  ];
  for (const [written, short] of called) {
    it(`calls "${written}" ${short || 'nothing'}`, () => expect(readPersonName(written).short).to.equal(short));
  }
});
