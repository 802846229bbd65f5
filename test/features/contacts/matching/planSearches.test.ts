import { expect } from 'chai';
import { buildSearchBody } from '../../../../src/clients/crm/hubspot/contacts.ts';
import type { SearchFilter } from '../../../../src/clients/crm/types.ts';
import {
  fallbackTerms,
  idTerms,
  nameTerms,
  planSearches,
  rareIdTerms,
} from '../../../../src/features/contacts/matching/planSearches.ts';
import { personOf } from '../crmPeople.ts';

/** The values asked for in one field, over all searches. */
function asked(searches: ReturnType<typeof planSearches>, field: SearchFilter['field']): string[] {
  const filters = searches.flatMap(({ search }) => search.groups.flat());
  return filters.flatMap(filter => (filter.field === field && 'any' in filter ? filter.any : []));
}

/** Whether one group would find a record with these two names. */
function finds(name: string, first: string, last: string, terms = nameTerms): boolean {
  return planSearches(terms([personOf({ name })])).some(({ search }) =>
    search.groups.some(group =>
      group.every(filter => 'any' in filter && filter.any.includes(filter.field === 'firstName' ? first : last)),
    ),
  );
}

describe('The searches of a sync', () => {
  it('ask for ids, usernames and numbers in lowercase, as the CRM indexes them', () => {
    const searches = planSearches(idTerms([personOf({ username: 'Anna_P', phone: '+491713920027' })]));
    expect(searches).to.have.length(1);
    expect(asked(searches, 'messengerUserId')).to.deep.equal(['6001']);
    expect(asked(searches, 'messengerUsername')).to.deep.equal(['anna_p', '@anna_p']);
    expect(asked(searches, 'searchablePhone')).to.deep.equal(['1713920027']);
    expect(asked(searches, 'searchableMobilePhone')).to.deep.equal(['1713920027']);
  });

  it('never search for an empty value', () => {
    for (const name of ['', '🚀', 'Liam', '王伟', '|']) {
      const people = [personOf({ name, messengerUserId: '' })];
      const terms = [...idTerms(people), ...rareIdTerms(people), ...nameTerms(people), ...fallbackTerms(people)];
      for (const filter of terms.flatMap(({ filters }) => filters)) {
        expect(filter.any).to.not.be.empty;
      }
    }
  });

  const found: [name: string, first: string, last: string][] = [
    ['Anna Petersen', 'anna', 'petersen'],
    ['Petersen Anna', 'anna', 'petersen'],
    ['🌿 Anna Petersen | Acme', 'anna', 'petersen'],
    ['José Núñez', 'josé', 'núñez'],
    ['José Núñez', 'jose', 'nunez'],
    ['Jürgen Müller', 'juergen', 'mueller'],
    ['Дмитрий Щербаков', 'dmitry', 'shcherbakov'],
    ['Юлия Орлова', 'julia', 'orlova'],
    ['Γιώργος Παπαδόπουλος', 'giorgos', 'papadopoulos'],
    ['Jean-Luc Moreau', 'jean-luc', 'moreau'],
    ['Jean-Luc Moreau', 'jean luc', 'moreau'],
    ['Peter van den Berg', 'peter', 'van den berg'],
    ['María José García López', 'maría josé garcía', 'lópez'],
    ['John R. Smith', 'john', 'smith'],
    ['Kerry O’Brien', 'kerry', 'o’brien'],
    ['Kerry O’Brien', 'kerry', 'obrien'],
  ];
  for (const [name, first, last] of found) {
    it(`find "${first}|${last}" for "${name}"`, () => expect(finds(name, first, last)).to.equal(true));
  }

  const hard: [name: string, first: string, last: string][] = [
    ['Jose Nunez', 'josé', 'núñez'],
    ['Милош Јовановић', 'miloš', 'jovanović'],
    ['Jurgen Gross', 'jürgen', 'größ'],
    ['Gokhan Yildirim', 'gökhan', 'yıldırım'],
    ['Peter van den Berg', 'peter', 'vandenberg'],
  ];
  for (const [name, first, last] of hard) {
    it(`find "${first}|${last}" for "${name}" at the second try`, () => {
      expect(finds(name, first, last, fallbackTerms)).to.equal(true);
    });
  }

  it('stay within the vendor’s limits, for any names', () => {
    const names = [
      ...Array.from({ length: 120 }, (_, at) => `Александр${at} Щербаков-Вишневецкий${at} | Компания ${at}`),
      ...Array.from({ length: 120 }, (_, at) => `Jürgen${'ü'.repeat(at)} Größenwahn${at} de la Cruz`),
      ...Array.from({ length: 20 }, (_, at) => `${'x'.repeat(150 + at)} ${'"\\\n'.repeat(60)} y`),
      'ab '.repeat(100),
    ];
    const people = names.map((name, at) => personOf({ dialogId: String(at), name, username: `user_name_${at}` }));
    for (const terms of [idTerms, rareIdTerms, nameTerms, fallbackTerms]) {
      const searches = planSearches(terms(people));
      expect(searches).to.not.be.empty;
      for (const { search } of searches) expect(() => buildSearchBody(search)).to.not.throw();
    }
  });

  it('are few: 250 people of different names cost at most 20', () => {
    const people = Array.from({ length: 250 }, (_, at) =>
      personOf({ dialogId: String(at), messengerUserId: String(600_000 + at), name: `${word(at)}n ${word(at + 777)}son` }),
    );
    expect(planSearches(idTerms(people)).length + planSearches(nameTerms(people)).length).to.be.at.most(20);
  });
});

/** A different word for every number. */
function word(number: number): string {
  return [...number.toString(16)].map(digit => `${'bcdfghklmnprstvz'[Number.parseInt(digit, 16)]}a`).join('');
}
