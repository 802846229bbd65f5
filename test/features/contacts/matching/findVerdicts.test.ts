import { expect } from 'chai';
import type { ContactSearch, CrmContact } from '../../../../src/clients/crm/types.ts';
import { findVerdicts, MAX_SEARCHES } from '../../../../src/features/contacts/matching/findVerdicts.ts';
import { contact, personOf } from '../crmPeople.ts';

/** A page of 200 of whom a group of the search finds; the rest is not shown. */
function bookOf(contacts: readonly CrmContact[]) {
  const searches: ContactSearch[] = [];
  const finds = (one: CrmContact, search: ContactSearch) =>
    search.groups.some(group =>
      group.every(filter => {
        const value = filter.field.startsWith('searchable') ? '' : one[filter.field as 'firstName'];
        return 'any' in filter && filter.any.includes(value.toLowerCase());
      }),
    );
  return {
    searches,
    async searchContacts(search: ContactSearch) {
      searches.push(search);
      const found = contacts.filter(one => finds(one, search));
      return { contacts: found.slice(0, 200), more: found.length > 200 };
    },
  };
}

function sought(names: readonly string[]) {
  return names.map((name, at) => ({
    person: personOf({ dialogId: String(at), messengerUserId: String(6000 + at), name }),
    rejected: new Set<string>(),
  }));
}

const FIRSTS = ['Anna', 'Berta', 'Carla', 'Doris', 'Elsa', 'Frida', 'Greta', 'Hanna', 'Ida', 'Jonna'];
const LASTS = ['Adler', 'Busch', 'Conrad', 'Dorn', 'Engel', 'Falk', 'Geiger', 'Haas', 'Imhof', 'Jung'];

describe('Looking up many people', () => {
  it('splits a search with a full page until all are found', async () => {
    const crowd = LASTS.flatMap(lastName => FIRSTS.map(firstName => ({ firstName, lastName })));
    const others = Array.from({ length: 500 }, (_, at) => ({ ...crowd[at % 98], company: `Company ${at}` }));
    const contacts = [...others, { firstName: 'Ida', lastName: 'Jung' }, { firstName: 'Jonna', lastName: 'Jung' }];
    const book = bookOf(contacts.map((one, at) => contact({ ...one, id: String(at + 1) })));
    const names = [...FIRSTS.map((first, at) => `${first} ${LASTS[at]}`), 'Ida Jung'];
    const found = await findVerdicts(book, sought(names));
    expect(found.get('10')).to.include({ status: 'AUTO_NAME' });
    expect(found.get('0')).to.include({ status: 'UNMATCHED' });
    expect(book.searches.length).to.be.within(3, MAX_SEARCHES);
  });

  it('leaves the last in the list for next time when there are too many, and never searches more often than allowed', async () => {
    const names = Array.from({ length: 900 }, (_, at) => `${word(at)}мир ${word(at + 4000)}ский`);
    const book = bookOf([]);
    const found = await findVerdicts(book, sought(names));
    expect(book.searches.length).to.be.at.most(MAX_SEARCHES);
    expect(found.size).to.be.within(50, 899);
    expect([...found.keys()]).to.deep.equal(Array.from({ length: found.size }, (_, at) => String(at)));
  });
});

/** A different word for every number. */
function word(number: number): string {
  return [...number.toString(16)].map(digit => `${'бвгджзклмнпрстфц'[Number.parseInt(digit, 16)]}о`).join('');
}
