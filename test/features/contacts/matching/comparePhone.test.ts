import { expect } from 'chai';
import { comparePhone, plainUsername } from '../../../../src/features/contacts/matching/compareWithContact.ts';
import { findCallingCode, listNationalForms, readPhone } from '../../../../src/lib/phone.ts';
import { contact } from '../crmPeople.ts';

describe('A phone number as typed', () => {
  const cases: [typed: string, e164: string, callingCode?: string][] = [
    ['+4915726259011', '+4915726259011'],
    ['00491572625901', '+491572625901'],
    ['+14 (155) 558-941', '+14155558941'],
    ['+49 89 123456 DW 12', '+4989123456'],
    ['Office: +1 415 555 8941 or +1 415 555 8942', '+14155558941'],
    ['011 44 20 7946 0958', '+442079460958', '1'],
    ['011 44 20 7946 0958', '', '44'],
    ['0113 496 0188', '', '44'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['tel:+49-171-3920027', '+491713920027'],
    ['＋４９ 171 3920027', '+491713920027'],
    ['+٢٠ ١٠٠ ١٢٣ ٤٥٦٧', '+201001234567'],
    ['+39 6 6981 2345', '+390669812345'],
    ['+375 8 029 123-45-67', '+375291234567'],
    ['+1 (415) 555-8941 (12)', '+14155558941'],
    ['0171 3920027', ''],
    ['ask Anna', ''],
    ['+44123', ''],
  ];
  for (const [typed, e164, callingCode = ''] of cases) {
    it(`"${typed}" is ${e164 || 'nobody’s'}${callingCode && ` from +${callingCode}`}`, () => {
      expect(readPhone(typed, callingCode)?.number ?? '').to.equal(e164);
    });
  }

  const forms: [e164: string, forms: string[]][] = [
    ['+14155558941', ['4155558941']],
    ['+525512345678', ['5512345678', '15512345678']],
    ['+5491145678901', ['91145678901', '1145678901']],
    ['+5511987654321', ['11987654321', '1187654321']],
    ['+551187654321', ['1187654321', '11987654321']],
    ['+22545123456', ['45123456', '0545123456']],
    ['+2250745123456', ['0745123456']],
    ['+2290197123456', ['0197123456', '97123456']],
    ['+84701234567', ['701234567', '1201234567']],
    ['', []],
  ];
  for (const [e164, all] of forms) {
    it(`is looked up in all its forms: ${e164}`, () => expect(listNationalForms(e164)).to.have.members(all));
  }

  it('is equal only as a whole', () => {
    const two = contact({ id: '1', phone: '0049 157 2625901', mobilePhone: '+1 415 555 8941' });
    const phoneOf = (phone: string) => comparePhone({ phone, callingCode: '49' }, two).phone;
    expect(phoneOf('+491572625901')).to.equal('same');
    expect(phoneOf('+14155558941')).to.equal('same');
    expect(phoneOf('+14155558942')).to.equal('differs');
    expect(phoneOf('+331572625901')).to.equal('differs');
    expect(phoneOf('')).to.equal('unknown');
  });

  it('is found among several in one field', () => {
    for (const typed of [
      '+49 30 1234567 / +49 171 3920047',
      '+49 30 1234567 / 0171 3920047',
      '+49 30 1234567 or +49 171 3920047',
      '0049 30 1234567 (12)\n0049 171/3920047',
    ]) {
      const phoneOf = (phone: string) => comparePhone({ phone, callingCode: '33' }, contact({ id: '1', phone: typed }));
      expect(phoneOf('+491713920047').phone, typed).to.equal('same');
      expect(phoneOf('+49301234567').phone, typed).to.equal('same');
      expect(phoneOf('+491713920048').phone, typed).to.equal('differs');
    }
  });
});

describe('A phone number without a country code', () => {
  const compared = (phone: string, theirs: string, callingCode: string) =>
    comparePhone({ phone, callingCode }, contact({ id: '1', phone: theirs }));

  it('is compared as it is dialed where the account is', () => {
    const cases: [phone: string, theirs: string, callingCode: string, verdict: string][] = [
      ['+491713920047', '0171 3920047', '49', 'same'],
      ['+491713920048', '0171 3920047', '49', 'differs'],
      ['+14155558941', '(415) 555-8941', '1', 'same'],
      ['+79161234567', '8 916 123-45-67', '7', 'same'],
      ['+5491145678901', '011 15 4567-8901', '54', 'same'],
      ['+5511987654321', '011 8765-4321', '55', 'same'],
    ];
    for (const [phone, theirs, callingCode, verdict] of cases) {
      const { phone: sure, nationalPhone } = compared(phone, theirs, callingCode);
      expect({ sure, nationalPhone }, theirs).to.deep.equal({ sure: 'unknown', nationalPhone: verdict });
    }
  });

  it('is unknown where the person’s number is another country’s, and where the account’s country is unknown', () => {
    for (const [phone, callingCode] of [
      ['+491713920047', '33'],
      ['+491713920047', ''],
      ['', '49'],
    ] as const) {
      expect(compared(phone, '0171 3920047', callingCode).nationalPhone).to.equal('unknown');
    }
  });

  it('is unknown with a country code, or with too few digits', () => {
    for (const theirs of ['+49 171 3920047', '0049 171 3920047', '1234', 'ask Anna', '']) {
      expect(compared('+491713920047', theirs, '49').nationalPhone, theirs).to.equal('unknown');
    }
  });

  it('is read in the country of the account’s own number', () => {
    expect(['+491713920012', '+14155550123', '+79161234567', ''].map(findCallingCode)).to.deep.equal(['49', '1', '7', '']);
  });
});

describe('A username as noted in the CRM', () => {
  const cases: [noted: string, username: string][] = [
    ['anna_p', 'anna_p'],
    ['@Anna_P', 'anna_p'],
    ['t.me/anna_p', 'anna_p'],
    ['https://t.me/Anna_P?start=1', 'anna_p'],
    ['tg://resolve?domain=anna_p', 'anna_p'],
    ['anna p', ''],
    ['-', ''],
    ['', ''],
  ];
  for (const [noted, username] of cases) {
    it(`"${noted}" is ${username || 'none'}`, () => expect(plainUsername(noted)).to.equal(username));
  }
});
