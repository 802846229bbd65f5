import { expect } from 'chai';
import {
  callingCodeOf,
  compareNationalPhone,
  comparePhone,
  nationalNumber,
  toE164,
} from '../../../../src/features/contacts/comparison/comparePhone.ts';
import { plainUsername } from '../../../../src/features/contacts/comparison/plainUsername.ts';
import { contact } from '../crmPeople.ts';

describe('A phone number as typed', () => {
  const cases: [typed: string, e164: string][] = [
    ['+4915726259011', '+4915726259011'],
    ['00491572625901', '+491572625901'],
    ['005511926749441', '+5511926749441'],
    ['+14 (155) 558-941', '+14155558941'],
    ['+1 415 555 8941', '+14155558941'],
    ['+1-415-555-8941 x12', '+14155558941'],
    ['011 44 20 7946 0958', '+442079460958'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['tel:+49-171-3920027', '+491713920027'],
    ['＋４９ 171 3920027', '+491713920027'],
    ['0171 3920027', ''],
    ['4155558941', ''],
    ['ask Anna', ''],
    ['', ''],
    ['+', ''],
    ['+999', ''],
  ];
  for (const [typed, e164] of cases) {
    it(`"${typed}" is ${e164 || 'nobody’s'}`, () => expect(toE164(typed)).to.equal(e164));
  }

  it('is looked up by area code and number', () => {
    expect(nationalNumber('+14155558941')).to.equal('4155558941');
    expect(nationalNumber('')).to.equal('');
  });

  it('is equal only as a whole', () => {
    const two = contact({ id: '1', phone: '0049 157 2625901', mobilePhone: '+1 415 555 8941' });
    expect(comparePhone('+491572625901', two)).to.equal('same');
    expect(comparePhone('+14155558941', two)).to.equal('same');
    expect(comparePhone('+14155558942', two)).to.equal('differs');
    expect(comparePhone('+331572625901', two)).to.equal('differs');
    expect(comparePhone('', two)).to.equal('unknown');
    expect(comparePhone('+14155558941', contact({ id: '2', phone: '415 555 8941' }))).to.equal('unknown');
  });
});

describe('A phone number without a country code', () => {
  const national = contact({ id: '1', phone: '0171 3920047' });

  it('is compared as it is dialed where the account is', () => {
    expect(compareNationalPhone('+491713920047', national, '49')).to.equal('same');
    expect(compareNationalPhone('+491713920048', national, '49')).to.equal('differs');
    expect(compareNationalPhone('+14155558941', contact({ id: '2', phone: '(415) 555-8941' }), '1')).to.equal('same');
    expect(compareNationalPhone('+79161234567', contact({ id: '3', mobilePhone: '8 916 123-45-67' }), '7')).to.equal(
      'same',
    );
  });

  it('is another number elsewhere, and unknown where the country is', () => {
    expect(compareNationalPhone('+491713920047', national, '33')).to.equal('differs');
    expect(compareNationalPhone('+491713920047', national, '')).to.equal('unknown');
    expect(compareNationalPhone('', national, '49')).to.equal('unknown');
  });

  it('is unknown with a country code, or with too few digits', () => {
    for (const phone of ['+49 171 3920047', '0049 171 3920047', '1234', 'ask Anna', '']) {
      expect(compareNationalPhone('+491713920047', contact({ id: '4', phone }), '49'), phone).to.equal('unknown');
    }
  });

  it('is never enough for a match', () => {
    expect(comparePhone('+491713920047', national)).to.equal('unknown');
  });

  it('is read in the country of the account’s own number', () => {
    const codes = ['+491713920012', '+14155550123', '+79161234567', ''].map(callingCodeOf);
    expect(codes).to.deep.equal(['49', '1', '7', '']);
  });
});

describe('A username as noted in the CRM', () => {
  const cases: [noted: string, username: string][] = [
    ['anna_p', 'anna_p'],
    ['@Anna_P', 'anna_p'],
    [' @ANNA_P ', 'anna_p'],
    ['t.me/anna_p', 'anna_p'],
    ['https://t.me/Anna_P?start=1', 'anna_p'],
    ['http://www.telegram.me/anna_p/', 'anna_p'],
    ['tg://resolve?domain=anna_p', 'anna_p'],
    ['anna p', ''],
    ['none', 'none'],
    ['-', ''],
    ['', ''],
  ];
  for (const [noted, username] of cases) {
    it(`"${noted}" is ${username || 'none'}`, () => expect(plainUsername(noted)).to.equal(username));
  }
});
