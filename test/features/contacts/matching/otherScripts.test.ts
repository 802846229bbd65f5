import { expect } from 'chai';
import { matchPerson } from '../../../../src/features/contacts/matching/matchPerson.ts';
import { contact } from '../crmPeople.ts';

function match(name: string, firstName: string, lastName: string) {
  const person = { dialogId: 'd', messengerUserId: '6001', name, username: '', phone: '', callingCode: '49' };
  return matchPerson(person, [contact({ id: '1', firstName, lastName })], new Set());
}

describe('The matching of a name in another script', () => {
  it('suggests a contact whose name may sound like it, and never chooses one', () => {
    const cases: [written: string, firstName: string, lastName: string][] = [
      ['佐藤 美咲', 'Misaki', 'Sato'],
      ['佐藤美咲', 'Misaki', 'Satou'],
      ['陈伟', 'Wei', 'Chen'],
      ['王小明', 'Xiao Ming', 'Wang'],
      ['نور الحسن', 'Noor', 'Al-Hassan'],
      ['גבריאל אוחיון', 'Gabriel', 'Ohayon'],
      ['יעל ברק', 'Yael', 'Barak'],
    ];
    for (const [name, firstName, lastName] of cases) {
      const found = match(name, firstName, lastName);
      expect(found, name).to.include({ status: 'UNMATCHED', contact: null });
      expect(found.suggestions[0]?.evidence[0], name).to.include({
        verdict: 'similar',
        words: 'May be the same name in another script',
      });
    }
    const others: [written: string, firstName: string, lastName: string][] = [
      ['نور الحسن', 'Nora', 'Hussein'],
      ['陈伟', 'Wei', 'Cheng'],
      ['יעל ברק', 'Yael', 'Baruch'],
      ['佐藤 美咲', 'Ken', 'Sato'],
    ];
    for (const [name, firstName, lastName] of others) {
      expect(match(name, firstName, lastName).suggestions, name).to.deep.equal([]);
    }
  });
});
