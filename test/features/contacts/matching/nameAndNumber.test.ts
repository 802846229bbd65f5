import { expect } from 'chai';
import type { CrmContact } from '../../../../src/clients/crm/types.ts';
import type { Person } from '../../../../src/features/contacts/matching/schema.ts';
import { match } from '../crmPeople.ts';

const PHONE = '+491713920047';
const VOGEL = { firstName: 'Katrin', lastName: 'Vogel', mobilePhone: '0171 3920047' };

const matchVogel = (details: Partial<Person>, contacts: Partial<CrmContact>[]) =>
  match({ name: 'Katrin Vogel', phone: PHONE, ...details }, contacts);

describe('The matching of a whole name with its number', () => {
  it('is sure although the number has no country code', () => {
    const found = matchVogel({}, [{ firstName: 'Katrin', lastName: 'Vogl' }, VOGEL]);
    expect(found).to.include({ status: 'AUTO_PHONE', confidence: 0.96, rule: 'phone' });
    expect(found.contact?.id).to.equal('2');
  });

  it('is not sure where the number is dialed in another country, or where the name is not the whole one', () => {
    expect(matchVogel({ callingCode: '43' }, [VOGEL]).status).to.not.equal('AUTO_PHONE');
    for (const name of ['Katrin', 'Kathi Vogel', 'Katrin Vogl']) {
      expect(matchVogel({ name }, [VOGEL]).status, name).to.equal('UNMATCHED');
    }
  });

  it('chooses neither of two, and nobody with another username', () => {
    expect(matchVogel({}, [VOGEL, VOGEL]).status).to.equal('UNMATCHED');
    expect(matchVogel({ username: 'katrin' }, [{ ...VOGEL, messengerUsername: 'kvogel' }]).status).to.equal('UNMATCHED');
  });

  it('chooses the only one of several with the number who has the whole name', () => {
    const okafors = [
      { firstName: 'Grace', lastName: 'Okafor-Bell', mobilePhone: PHONE },
      { firstName: 'Ben', lastName: 'Okafor', mobilePhone: PHONE },
    ];
    const found = matchVogel({ name: 'Ben Okafor' }, okafors);
    expect(found).to.include({ status: 'AUTO_PHONE', confidence: 0.9 });
    expect(found.contact?.id).to.equal('2');
  });
});
