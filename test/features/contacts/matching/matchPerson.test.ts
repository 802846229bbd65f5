import { expect } from 'chai';
import type { CrmContact } from '../../../../src/clients/crm/types.ts';
import { dropSharedNameMatches, type PersonVerdict } from '../../../../src/features/contacts/matching/matchPerson.ts';
import type { Person } from '../../../../src/features/contacts/matching/schema.ts';
import { match, personOf } from '../crmPeople.ts';

const ANNA = { firstName: 'Anna', lastName: 'Petersen' };
const PHONE = '+491713920027';

describe('The matching by rules', () => {
  describe('by the messenger’s id', () => {
    it('is the most confident', () => {
      const found = match({ name: 'Somebody', phone: PHONE }, [{ messengerUserId: '6001' }, { ...ANNA, phone: PHONE }]);
      expect(found).to.include({ status: 'AUTO_USERNAME', confidence: 0.99, rule: 'messengerId' });
      expect(found.contact?.id).to.equal('1');
      expect(found.evidence[0]).to.include({ field: 'messengerId', verdict: 'same' });
    });

    it('excludes contacts with a different one, in every step', () => {
      const other = { ...ANNA, phone: PHONE, messengerUsername: 'anna_p', messengerUserId: '7' };
      const found = match({ name: 'Anna Petersen', phone: PHONE, username: 'anna_p' }, [other]);
      expect(found).to.include({ status: 'UNMATCHED', contact: null });
      expect(found.suggestions).to.deep.equal([]);
    });

    it('decides nothing when two have it', () => {
      expect(match({}, [{ messengerUserId: '6001' }, { messengerUserId: '6001' }]).status).to.equal('UNMATCHED');
    });
  });

  describe('by the phone', () => {
    it('holds when the names agree or there is none to compare', () => {
      for (const name of ['Anna Petersen', 'Anna', 'Petersen Anna', '🚀', '', 'A. Petersen']) {
        const found = match({ name, phone: PHONE }, [{ ...ANNA, mobilePhone: '0049 171 3920027' }]);
        expect(found, name).to.include({ status: 'AUTO_PHONE', confidence: 0.98, rule: 'phone' });
      }
    });

    it('asks for confirmation when the name differs', () => {
      for (const name of ['Jonas Weber', 'Ivan Petersen', 'Hanna Petersen', 'Mum']) {
        const found = match({ name, phone: PHONE }, [{ ...ANNA, phone: PHONE }]);
        expect(found, name).to.include({ status: 'AUTO_PHONE', confidence: 0.8 });
      }
    });

    it('leaves it open when several share it and none, or more than one, has the name', () => {
      const shared = [
        { ...ANNA, phone: PHONE },
        { ...ANNA, phone: PHONE },
      ];
      expect(match({ name: 'Anna Petersen', phone: PHONE }, shared).status).to.equal('UNMATCHED');
      expect(match({ name: 'Jonas', phone: PHONE }, shared).status).to.equal('UNMATCHED');
      const named = [...shared, { firstName: 'Jonas', lastName: 'Weber' }];
      expect(match({ name: 'Jonas Weber', phone: PHONE }, named).contact).to.equal(null);
    });

    it('yields to the username when the name is another one or several share the number', () => {
      const byUsername = { firstName: 'Jonas', lastName: 'Weber', messengerUsername: '@JONAS_W' };
      const asked = { name: 'Jonas Weber', phone: PHONE, username: 'jonas_w' };
      const other = { ...ANNA, phone: PHONE };
      for (const contacts of [
        [other, byUsername],
        [other, other, byUsername],
      ]) {
        const found = match(asked, contacts);
        expect(found).to.include({ status: 'AUTO_USERNAME', confidence: 0.95 });
        expect(found.contact?.lastName).to.equal('Weber');
      }
    });
  });

  describe('by the username', () => {
    it('holds however it was noted', () => {
      for (const messengerUsername of ['anna_p', '@ANNA_P', 'https://t.me/Anna_P']) {
        const found = match({ name: 'boss', username: 'Anna_p' }, [{ ...ANNA, messengerUsername }]);
        expect(found).to.include({ status: 'AUTO_USERNAME', confidence: 0.95, rule: 'username' });
      }
    });

    it('decides nothing when two have it', () => {
      const two = [{ ...ANNA, messengerUsername: 'anna_p' }, { messengerUsername: '@anna_p' }];
      expect(match({ name: 'Anna Petersen', username: 'anna_p' }, two).status).to.equal('UNMATCHED');
    });
  });

  describe('by the name', () => {
    it('holds for one contact of that name, never above 0.9', () => {
      const found = match({ name: '🚀 Petersen, Anna' }, [ANNA, { firstName: 'Marina', lastName: 'Petersen' }]);
      expect(found).to.include({ status: 'AUTO_NAME', rule: 'name' });
      expect(found.confidence).to.be.within(0.8, 0.9);
      expect(found.evidence[0]).to.deep.equal({
        ...{ field: 'name', verdict: 'same', words: 'Same name', isSameName: true },
        ...{ ours: '🚀 Petersen, Anna', theirs: 'Anna Petersen' },
      });
      expect(found.evidence[1]).to.include({ field: 'phone', verdict: 'unknown', words: 'CRM has none' });
    });

    it('chooses neither of two namesakes, even if they are one person', () => {
      for (const rival of [ANNA, { firstName: 'Petersen', lastName: 'Anna' }, { firstName: 'Anna', lastName: 'Pétersen' }]) {
        const found = match({ name: 'Anna Petersen' }, [ANNA, rival]);
        expect(found).to.include({ status: 'UNMATCHED', confidence: 0, contact: null });
        expect(found.suggestions.map(({ contact: { id } }) => id)).to.deep.equal(['1', '2']);
      }
    });

    it('distinguishes namesakes by the company beside the name', () => {
      const two = [
        { ...ANNA, company: 'Globex' },
        { ...ANNA, company: 'Acme Corp.' },
      ];
      for (const name of ['Anna Petersen | Acme', 'Anna Petersen (ACME)', 'Acme - Anna Petersen']) {
        const found = match({ name }, two);
        expect(found, name).to.include({ status: 'AUTO_NAME', confidence: 0.9 });
        expect(found.contact?.id).to.equal('2');
      }
    });

    it('never chooses a contact with another company, number or username', () => {
      const cases: [Partial<Person>, Partial<CrmContact>][] = [
        [{ name: 'Anna Petersen (Acme)' }, { ...ANNA, company: 'Globex' }],
        [
          { name: 'Anna Petersen', phone: PHONE },
          { ...ANNA, phone: '+14155558941' },
        ],
        [
          { name: 'Anna Petersen', phone: PHONE },
          { ...ANNA, phone: '0171 3920028' },
        ],
        [
          { name: 'Anna Petersen', username: 'anna_p' },
          { ...ANNA, messengerUsername: 'apetersen' },
        ],
      ];
      for (const [asked, one] of cases) {
        const found = match(asked, [one]);
        expect(found).to.include({ status: 'UNMATCHED', contact: null });
        expect(found.suggestions).to.have.length(1);
      }
    });

    it('relies on neither given names beside the name nor unknown companies', () => {
      expect(match({ name: 'Anna Petersen (Annie)' }, [{ ...ANNA, company: 'Globex' }]).status).to.equal('AUTO_NAME');
      expect(match({ name: 'Anna Petersen | Acme' }, [ANNA]).status).to.equal('AUTO_NAME');
      const unreadable = { ...ANNA, company: 'Almarai' };
      expect(match({ name: 'Anna Petersen | شركة المراعي' }, [unreadable]).status).to.equal('AUTO_NAME');
      for (const email of ['a@acme.example', 'a@acme.co.uk'])
        expect(match({ name: 'Anna Petersen | Acme' }, [{ ...ANNA, email }]).confidence, email).to.equal(0.9);
    });

    it('only suggests a single word, an initial or a similar name', () => {
      for (const name of ['Anna', 'A. Petersen', 'Annie Petersen', 'Anne-Marie Petersen', 'Hanna Petersen']) {
        expect(match({ name }, [ANNA]), name).to.include({ status: 'UNMATCHED', contact: null, rule: null });
      }
      expect(match({ name: 'Hanna Petersen' }, [ANNA]).suggestions[0]?.evidence[0]).to.include({
        verdict: 'similar',
        words: 'Similar name, may be another person',
      });
    });
  });

  it('excludes rejected contacts, in every step', () => {
    const one = { ...ANNA, phone: PHONE, messengerUsername: 'anna_p', messengerUserId: '6001' };
    const found = match({ name: 'Anna Petersen', phone: PHONE, username: 'anna_p' }, [one], new Set(['1']));
    expect(found).to.deep.include({ status: 'UNMATCHED', contact: null, suggestions: [] });
  });
});

describe('Rivals for one contact', () => {
  const judged = (dialogId: string, details: Partial<Person>, contacts: Partial<CrmContact>[]): PersonVerdict => ({
    ...personOf({ dialogId, messengerUserId: dialogId, ...details }),
    verdict: match({ messengerUserId: dialogId, ...details }, contacts),
  });
  const statuses = (settled: readonly PersonVerdict[]) => settled.map(({ verdict: { status } }) => status);

  it('of the same name both stay open, with the contact as a suggestion', () => {
    const two = ['6001', '6002'].map(id => judged(id, { name: 'Anna Petersen' }, [ANNA]));
    const settled = dropSharedNameMatches(two, []);
    expect(statuses(settled)).to.deep.equal(['UNMATCHED', 'UNMATCHED']);
    expect(settled[0]?.verdict.suggestions[0]?.contact.id).to.equal('1');
  });

  it('yield to a number and to an existing link', () => {
    const one = { ...ANNA, phone: PHONE };
    const byPhone = judged('6001', { name: 'Anna', phone: PHONE }, [one]);
    const byName = judged('6002', { name: 'Anna Petersen' }, [one]);
    expect(statuses(dropSharedNameMatches([byPhone, byName], []))).to.deep.equal(['AUTO_PHONE', 'UNMATCHED']);
    const standing = { dialogId: 'other', messengerUserId: '6003', contactId: '1' };
    expect(statuses(dropSharedNameMatches([byName], [standing]))).to.deep.equal(['UNMATCHED']);
  });
});
