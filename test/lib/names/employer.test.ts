import { expect } from 'chai';
import { splitContactName } from '../../../src/features/contacts/matching/compareWithContact.ts';
import { compareCompanies, splitCompanyWords } from '../../../src/lib/names/companyWords.ts';

const EMPLOYERS: Record<string, string> = {
  'Ana Popescu 🚀 | Acme': 'Acme',
  'Dr. Anna Petrova (Acme Ltd)': 'Acme Ltd',
  'Acme GmbH': 'Acme GmbH',
  'Olga | Нордкельвин': 'Нордкельвин',
  'Claire | Berlin Logistics GmbH': 'Berlin Logistics GmbH',
  'Жанна Лебедева | ООО «Ромашка»': 'ООО «Ромашка»',
  'Ilze Kalniņa (SIA "Rimi Latvia")': 'SIA "Rimi Latvia"',
  'Megan | 3M': '3M',
};

/** Where people live, what they are to someone, which number it is. */
const NO_EMPLOYERS = [
  'Anna Petrova',
  'Anna Petrova | Berlin',
  'Anna (work)',
  'Anna Petrova - Mom',
  'Max Müller - WG',
  'Eva (Neue Nummer)',
  'Anna | Yoga',
  'Katrin Vogel | CEO',
  'Lisa | WhatsApp',
];

describe('The employer in a name', () => {
  for (const [name, employer] of Object.entries(EMPLOYERS)) {
    it(`of "${name}" is ${employer}`, () => {
      expect(splitContactName(name).company).to.equal(employer);
    });
  }

  for (const name of NO_EMPLOYERS) {
    it(`of "${name}" is not known`, () => {
      expect(splitContactName(name).company).to.equal('');
    });
  }
});

describe('Two names of companies', () => {
  const table: Record<string, [one: string, other: string][]> = {
    same: [
      ['Вайлдберриз', 'Wildberries'],
      ['삼성', 'Samsung'],
      ['Сбер', 'Sberbank'],
      ['Umbrella', 'Umbrella Trading'],
      ['Nova Poshta', 'Нова Пошта International'],
    ],
    unknown: [
      ['Nova Poshta', 'Nova Ltd'],
      ['Acme', 'Acme Robotics'],
      ['Bank', 'Bank of America'],
      ['华为', 'Tencent'],
      ['1С', '1C'],
      ['Х5', 'X5 Retail Group'],
    ],
    differs: [
      ['H&M', 'C&A'],
      ['C&A', 'Hennes & Mauritz'],
      ['Яндекс', 'Google'],
      ['华为', '腾讯'],
    ],
  };
  for (const [verdict, pairs] of Object.entries(table)) {
    it(`are told apart: ${verdict}`, () => {
      for (const [one, other] of [...pairs, ...pairs.map(pair => pair.toReversed())]) {
        const compared = compareCompanies(splitCompanyWords(one ?? ''), splitCompanyWords(other ?? ''));
        expect(compared, `${one} and ${other}`).to.equal(verdict);
      }
    });
  }
});
