import { expect } from 'chai';
import { namesForContact } from '../../../src/features/contacts/matching/compare.ts';

const EMPLOYERS: Record<string, string> = {
  'Ana Popescu 🚀 | Acme': 'Acme',
  'Anna Petrova @ Acme': 'Acme',
  'Dr. Anna Petrova (Acme Ltd)': 'Acme Ltd',
  'Peter, Vodafone': 'Vodafone',
  'Acme GmbH': 'Acme GmbH',
  'Olga | Нордкельвин': 'Нордкельвин',
  'Claire | Berlin Logistics GmbH': 'Berlin Logistics GmbH',
  'Жанна Лебедева | ООО «Ромашка»': 'ООО «Ромашка»',
  'Ilze Kalniņa (SIA "Rimi Latvia")': 'SIA "Rimi Latvia"',
  'Jonas Brandt | “Acme” GmbH': '“Acme” GmbH',
  'Megan | 3M': '3M',
  'Elsa | H&M': 'H&M',
};

/** Where people live, what they are to someone, which number it is. */
const NO_EMPLOYERS = [
  'Anna Petrova',
  'Anna Petrova | Berlin',
  'Anna | New York',
  'Olga | Germany',
  'Olga | Deutschland',
  'Olga | Киев',
  'Olga | Україна',
  'Anna (work)',
  'Anna (arbeit)',
  'Anna Petrova - Mom',
  'Max Müller - WG',
  'Eva (Neue Nummer)',
  'Sam | new number',
  'Sam | новый номер',
  'Tom (Tinder)',
  'Anna | Yoga',
  'Katrin Vogel | CEO',
  'Lisa | WhatsApp',
];

describe('The employer in a name', () => {
  for (const [name, employer] of Object.entries(EMPLOYERS)) {
    it(`of "${name}" is ${employer}`, () => {
      expect(namesForContact(name).company).to.equal(employer);
    });
  }

  for (const name of NO_EMPLOYERS) {
    it(`of "${name}" is not known`, () => {
      expect(namesForContact(name).company).to.equal('');
    });
  }
});
