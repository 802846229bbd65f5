import { expect } from 'chai';
import type { CrmContact } from '../../../../src/clients/crm/types.ts';
import { matchPerson } from '../../../../src/features/contacts/matching/matchPerson.ts';
import type { Person } from '../../../../src/features/contacts/matching/schema.ts';
import { contact } from '../crmPeople.ts';

const PHONE = '+491713920047';
const VOGEL = { firstName: 'Katrin', lastName: 'Vogel', mobilePhone: '0171 3920047' };

function match(details: Partial<Person>, contacts: Partial<CrmContact>[]) {
  const person = { dialogId: 'd', messengerUserId: '6001', name: 'Katrin Vogel', username: '', phone: PHONE };
  return matchPerson(
    { ...person, callingCode: '49', ...details },
    contacts.map((one, at) => contact({ id: String(at + 1), ...one })),
    new Set(),
  );
}

describe('The matching of a whole name with its number', () => {
  it('is sure although the number has no country code', () => {
    const found = match({}, [{ firstName: 'Katrin', lastName: 'Vogl' }, VOGEL]);
    expect(found).to.include({ status: 'AUTO_PHONE', confidence: 0.96, rule: 'phone' });
    expect(found.contact?.id).to.equal('2');
  });

  it('is not sure where the number is dialed in another country, or where the name is not the whole one', () => {
    expect(match({ callingCode: '43' }, [VOGEL]).status).to.not.equal('AUTO_PHONE');
    for (const name of ['Katrin', 'Kathi Vogel', 'Katrin Vogl']) {
      expect(match({ name }, [VOGEL]).status, name).to.equal('UNMATCHED');
    }
  });

  it('chooses neither of two, and nobody with another username', () => {
    expect(match({}, [VOGEL, VOGEL]).status).to.equal('UNMATCHED');
    expect(match({ username: 'katrin' }, [{ ...VOGEL, messengerUsername: 'kvogel' }]).status).to.equal('UNMATCHED');
  });

  it('chooses the only one of several with the number who has the whole name', () => {
    const okafors = [
      { firstName: 'Grace', lastName: 'Okafor-Bell', mobilePhone: PHONE },
      { firstName: 'Ben', lastName: 'Okafor', mobilePhone: PHONE },
    ];
    const found = match({ name: 'Ben Okafor' }, okafors);
    expect(found).to.include({ status: 'AUTO_PHONE', confidence: 0.9 });
    expect(found.contact?.id).to.equal('2');
  });
});
