import { expect } from 'chai';
import { cyrillicFamilyNames, cyrillicGivenNames } from '../../../src/lib/names/toCyrillic.ts';

const GIVEN: [latin: string, cyrillic: string][] = [
  ['yulia', 'юлия'],
  ['iuliia', 'юлия'],
  ['serhii', 'сергій'],
  ['sergey', 'сергей'],
  ['tetiana', 'тетяна'],
  ['gennady', 'геннадий'],
  ['xenia', 'ксения'],
  ['milos', 'милош'],
  ['aygul', 'айгуль'],
];
const FAMILIES: [latin: string, cyrillic: string][] = [
  ['levytskyi', 'левицький'],
  ['levytsky', 'левицький'],
  ['zelenskiy', 'зеленский'],
  ['zelenskyi', 'зеленський'],
  ['shcherbakov', 'щербаков'],
  ['scherbakov', 'щербаков'],
  ['solovyov', 'соловьёв'],
  ['soloviev', 'соловьев'],
  ['honchar', 'гончар'],
  ['tkachenko', 'ткаченко'],
  ['ivanova', 'иванова'],
  ['chaykovskiy', 'чайковский'],
];

describe('A Latin name back in Cyrillic', () => {
  for (const [latin, cyrillic] of GIVEN) {
    it(`may be ${cyrillic}: ${latin}`, () => expect(cyrillicGivenNames(latin)).to.include(cyrillic));
  }
  for (const [latin, cyrillic] of FAMILIES) {
    it(`may be ${cyrillic}: ${latin}`, () => expect(cyrillicFamilyNames(latin)).to.include(cyrillic));
  }

  it('is none where it does not come from there', () => {
    expect(cyrillicGivenNames('wolfgang')).to.deep.equal([]);
    expect(cyrillicFamilyNames('schmidt')).to.deep.equal([]);
  });
});
