import { expect } from 'chai';
import { findVerdicts } from '../../../../src/features/contacts/matching/findVerdicts.ts';
import { AUTO_WRITE_CONFIDENCE } from '../../../../src/features/contacts/matching/rules.ts';
import type { MatchVerdict } from '../../../../src/features/contacts/matching/schema.ts';
import { openAccount } from '../../../clients/crm/account.ts';
import { personOf } from '../crmPeople.ts';
import { DIFFERENT, type Pair, read, SAME, SPELLED } from './pairs.ts';

/** What is said about each person, all of them being in one CRM. */
async function verdictsOn(pairs: readonly Pair[], { withNamesakes }: { withNamesakes: boolean }) {
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
      const ids = { dialogId: String(at), messengerUserId: String(700_000 + at) };
      return { person: personOf({ ...ids, name, phone, callingCode }), rejected: new Set<string>() };
    });
    const found = await findVerdicts(account.crm, sought);
    return pairs.map((pair, at) => ({
      pair: `${pair.country}: ${pair.name} ${pair.phone} and ${pair.firstName} ${pair.lastName}, ${pair.company || pair.theirPhone}`,
      expected: String(1000 + at),
      verdict: found.get(String(at)),
    }));
  } finally {
    await account.stop();
  }
}

async function linksOf(pairs: readonly Pair[], options: { withNamesakes: boolean }) {
  const verdicts = await verdictsOn(pairs, options);
  return verdicts.map(({ verdict, ...one }) => ({ ...one, linked: linkOf(verdict) }));
}

/** Where a number belongs to another name, a person is asked. */
function linkOf(verdict: MatchVerdict | undefined): string {
  return verdict?.contact && verdict.confidence >= AUTO_WRITE_CONFIDENCE ? verdict.contact.id : '';
}

describe('People of many countries', () => {
  it('are found in the CRM, all but two', async () => {
    const links = await linksOf(SAME, { withNamesakes: true });
    const missed = links.filter(({ linked, expected }) => linked !== expected).map(({ pair }) => pair);
    expect(missed.length, missed.join('\n')).to.be.at.most(2);
  });

  it('are proposed where the CRM has them in a spelling that can’t be foreseen, each alone in it', async () => {
    for (const pair of SPELLED) {
      const [only] = await verdictsOn([pair], { withNamesakes: false });
      const proposed = [only?.verdict?.contact, ...(only?.verdict?.suggestions ?? []).map(({ contact }) => contact)];
      expect(proposed[0]?.id ?? proposed[1]?.id, only?.pair).to.equal(only?.expected);
    }
  });

  it('are not chosen by a company that stands behind the name without a sign', async () => {
    const [only] = await verdictsOn(read('RU 7; Мария Кузнецова X5; => Мария; Кузнецова; Ладога;'), {
      withNamesakes: false,
    });
    expect(only?.verdict?.contact).to.equal(null);
  });

  it('are never taken for someone else', async () => {
    const links = await linksOf(DIFFERENT, { withNamesakes: false });
    expect(links.filter(({ linked }) => linked !== '').map(({ pair }) => pair)).to.deep.equal([]);
  });
});
