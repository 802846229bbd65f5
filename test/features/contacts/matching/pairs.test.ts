import { expect } from 'chai';
import { findCandidates } from '../../../../src/features/contacts/matching/findCandidates.ts';
import { SURE } from '../../../../src/features/contacts/matching/rules.ts';
import type { MatchVerdict } from '../../../../src/features/contacts/matching/schema.ts';
import { openAccount } from '../../../clients/crm/account.ts';
import { DIFFERENT, type Pair, SAME } from './pairs.ts';

/** Which contact each person is linked to, all of them being in one CRM. */
async function linksOf(pairs: readonly Pair[], { withNamesakes }: { withNamesakes: boolean }) {
  const contacts = pairs.flatMap(({ firstName: firstname, lastName: lastname, company, theirPhone: phone }, at) => {
    const own = { id: String(1000 + at), firstname, lastname, company, phone };
    // Only the number, or the company, tells them apart.
    const namesake = { id: String(5000 + at), firstname, lastname, company: company && 'Globex' };
    return withNamesakes && (company || phone) ? [own, namesake] : [own];
  });
  const account = await openAccount({ contacts, limits: { callsPerTenSeconds: 1e6, searchesPerSecond: 1e6 } });
  try {
    await account.crm.ensureProperties();
    const sought = pairs.map(({ name, phone, callingCode }, at) => {
      const person = {
        dialogId: String(at),
        messengerUserId: String(700_000 + at),
        name,
        username: '',
        phone,
        callingCode,
      };
      return { person, rejected: new Set<string>() };
    });
    const found = await findCandidates(account.crm, sought);
    return pairs.map((pair, at) => ({
      pair: `${pair.country}: ${pair.name} ${pair.phone} and ${pair.firstName} ${pair.lastName}, ${pair.company || pair.theirPhone}`,
      expected: String(1000 + at),
      linked: linkOf(found.get(String(at))),
    }));
  } finally {
    await account.stop();
  }
}

/** Where a number belongs to another name, a person is asked. */
function linkOf(verdict: MatchVerdict | undefined): string {
  return verdict?.contact && verdict.confidence >= SURE ? verdict.contact.id : '';
}

describe('People of many countries', () => {
  it('are found in the CRM, all but two', async () => {
    const links = await linksOf(SAME, { withNamesakes: true });
    const missed = links.filter(({ linked, expected }) => linked !== expected).map(({ pair }) => pair);
    expect(missed.length, missed.join('\n')).to.be.at.most(2);
  });

  it('are never taken for someone else', async () => {
    const links = await linksOf(DIFFERENT, { withNamesakes: false });
    expect(links.filter(({ linked }) => linked !== '').map(({ pair }) => pair)).to.deep.equal([]);
  });
});
