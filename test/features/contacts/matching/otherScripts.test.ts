import { expect } from 'chai';
import { foldWord } from '../../../../src/features/contacts/pickContact.ts';
import { match } from '../crmPeople.ts';

describe('The matching of a name in another script', () => {
  it('suggests a contact whose name may sound like it, or be in the username, and never chooses one', () => {
    const cases: [person: { name: string; username?: string }, firstName: string, lastName: string][] = [
      [{ name: '陈伟' }, 'Wei', 'Chen'],
      [{ name: '김민수' }, 'Minsu', 'Gim'],
      [{ name: 'राजेश कुमार', username: 'rajesh_k' }, 'Rajesh', 'Kumar'],
      [{ name: '佐藤 美咲', username: 'sato_occ' }, 'Misaki', 'Sato'],
      [{ name: 'نور الحسن', username: 'noor_alsahel' }, 'Noor', 'Al-Hassan'],
    ];
    for (const [person, firstName, lastName] of cases) {
      const found = match(person, [{ firstName, lastName }]);
      expect(found, person.name).to.include({ status: 'UNMATCHED', contact: null });
      expect(found.suggestions[0]?.evidence[0], person.name).to.include({
        verdict: 'similar',
        words: 'May be the same name in another script',
      });
    }
    const others: [person: { name: string; username?: string }, firstName: string, lastName: string][] = [
      [{ name: '陈伟' }, 'Wei', 'Cheng'],
      [{ name: 'نور الحسن', username: 'noor_alsahel' }, 'Nora', 'Hussein'],
      [{ name: '佐藤 美咲', username: 'misaki' }, 'Ken', 'Sato'],
      [{ name: 'Amira Nasser' }, 'أمير', 'ناصر'],
    ];
    for (const [person, firstName, lastName] of others) {
      expect(match(person, [{ firstName, lastName }]).suggestions, person.name).to.deep.equal([]);
    }
  });

  it('is searched for by whole syllables', () => expect(['김', 'Żółw'].map(foldWord)).to.deep.equal(['김', 'zołw']));
});
