import { expect } from 'chai';
import type { SeedContact } from '../../../sandbox/crm/seed.ts';
import type { CrmSandbox } from '../../../sandbox/crm/server.ts';
import { type Api, closeAll, openApi, openCrm } from './support.ts';

const CONTACTS: SeedContact[] = [
  { id: '1', firstname: 'Zoë', lastname: 'Müller', email: 'zoe@one.example', phone: '+49 (171) 392-0047' },
  { id: '2', firstname: 'Jean-Luc', lastname: 'Picard', email: 'picard@two.example', mobilephone: '0033639980043' },
  { id: '3', firstname: 'Иван', lastname: 'Петров', company: 'Acme, Inc.' },
  { id: '4', firstname: 'Ann', lastname: 'Lee', company: 'Acme Labs', messenger_username: 'Ann_Lee' },
];

type Filter = { propertyName: string; operator: string; value?: string; values?: string[]; highValue?: string };

describe("The CRM sandbox's search", () => {
  let crm: CrmSandbox;
  let api: Api;

  beforeEach(async () => {
    crm = await openCrm({ contacts: CONTACTS, limits: { searchesPerSecond: 1000 } });
    api = await openApi(crm);
  });
  afterEach(closeAll);

  async function found(...groups: Filter[][]): Promise<string[]> {
    const filterGroups = groups.map(filters => ({ filters }));
    const { status, body } = await api('POST', '/contacts/search', { filterGroups });
    expect(status).to.equal(200);
    return body.results.map((each: { id: string }) => each.id);
  }

  const filter = (propertyName: string, operator: string, more: object = {}) => ({ propertyName, operator, ...more });

  it('finds what is equal, in whatever case, and folds no accents', async () => {
    expect(await found([filter('lastname', 'EQ', { value: 'MÜLLER' })])).to.deep.equal(['1']);
    expect(await found([filter('lastname', 'EQ', { value: 'Muller' })])).to.deep.equal([]);
    expect(await found([filter('firstname', 'EQ', { value: 'Zoe' })])).to.deep.equal([]);
    expect(await found([filter('lastname', 'NEQ', { value: 'lee' })])).to.deep.equal(['1', '2', '3']);
  });

  it('finds words, split at everything that is neither letter nor digit, with * for the rest of one', async () => {
    expect(await found([filter('firstname', 'CONTAINS_TOKEN', { value: 'luc' })])).to.deep.equal(['2']);
    expect(await found([filter('firstname', 'CONTAINS_TOKEN', { value: 'lu' })])).to.deep.equal([]);
    expect(await found([filter('lastname', 'CONTAINS_TOKEN', { value: 'Pic*' })])).to.deep.equal(['2']);
    expect(await found([filter('company', 'CONTAINS_TOKEN', { value: 'acme' })])).to.deep.equal(['3', '4']);
    expect(await found([filter('company', 'CONTAINS_TOKEN', { value: 'acme labs' })])).to.deep.equal(['4']);
    expect(await found([filter('email', 'CONTAINS_TOKEN', { value: '*@two.example' })])).to.deep.equal(['2']);
    expect(await found([filter('lastname', 'CONTAINS_TOKEN', { value: '.*' })])).to.deep.equal(['1', '2', '3', '4']);
  });

  it('makes phones searchable by area code and number, without country code', async () => {
    const [phone, mobile] = ['hs_searchable_calculated_phone_number', 'hs_searchable_calculated_mobile_number'];
    expect(await found([filter(phone, 'EQ', { value: '1713920047' })])).to.deep.equal(['1']);
    expect(await found([filter(mobile, 'EQ', { value: '639980043' })])).to.deep.equal(['2']);
    expect(await found([filter(phone, 'EQ', { value: '491713920047' })])).to.deep.equal([]);
    expect(await found([filter('phone', 'EQ', { value: '+491713920047' })])).to.deep.equal([]);
    await api('PATCH', '/contacts/1', { properties: { phone: '+33 6 39 98 00 44' } });
    expect(await found([filter(phone, 'CONTAINS_TOKEN', { value: '*980044' })])).to.deep.equal(['1']);
  });
});
