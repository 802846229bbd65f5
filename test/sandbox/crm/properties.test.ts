import { expect } from 'chai';
import type { CrmSandbox } from '../../../sandbox/crm/server.ts';
import { type Api, closeAll, openApi, openCrm } from './support.ts';

const PATH = '/crm/properties/2026-09/contacts';
const GROUP = { name: 'telegram', label: 'Telegram' };
const PROPERTY = {
  name: 'messenger_digest_count',
  label: 'Digests',
  groupName: 'telegram',
  type: 'number',
  fieldType: 'number',
};

describe("The CRM sandbox's properties", () => {
  let crm: CrmSandbox;
  let api: Api;

  beforeEach(async () => {
    crm = await openCrm({ contacts: [{ id: '1' }] });
    api = await openApi(crm);
  });
  afterEach(closeAll);

  it('are made with their group once, and refused with 409 from then on', async () => {
    for (const status of [201, 409]) expect((await api('POST', `${PATH}/groups`, GROUP)).status).to.equal(status);
    for (const status of [201, 409]) expect((await api('POST', PATH, PROPERTY)).status).to.equal(status);
    expect((await api('POST', PATH, PROPERTY)).body.category).to.equal('OBJECT_ALREADY_EXISTS');
    expect((await api('GET', `${PATH}/messenger_digest_count`)).body).to.include({
      type: 'number',
      groupName: 'telegram',
    });
    expect((await api('GET', `${PATH}/groups/telegram`)).body).to.include(GROUP);
  });

  it('need a group that exists and a name the vendor takes', async () => {
    expect((await api('POST', PATH, PROPERTY)).status).to.equal(400);
    const named = (name: string) => api('POST', PATH, { ...PROPERTY, groupName: 'contactinformation', name });
    for (const name of ['Messenger', '1st', 'a b', '']) expect((await named(name)).status).to.equal(400);
  });

  it('hold what fits their kind', async () => {
    await api('POST', `${PATH}/groups`, GROUP);
    await api('POST', PATH, PROPERTY);
    await api('POST', PATH, { ...PROPERTY, name: 'messenger_last_sync', type: 'datetime', fieldType: 'date' });
    const set = (properties: object) => api('PATCH', '/contacts/1', { properties });
    expect((await set({ messenger_digest_count: 'many' })).body.message).to.include('INVALID_DOUBLE');
    expect((await set({ messenger_last_sync: 'yesterday' })).body.message).to.include('INVALID_DATE');
    const { body } = await set({ messenger_digest_count: 3, messenger_last_sync: '1795250000000' });
    expect(body.properties).to.include({
      messenger_digest_count: '3',
      messenger_last_sync: '2026-11-21T08:33:20.000Z',
    });
  });

  it('are listed with those of the vendor', async () => {
    const { body } = await api('GET', PATH);
    const names = body.results.map((property: { name: string }) => property.name);
    expect(names).to.include.members(['firstname', 'hs_searchable_calculated_phone_number']);
    expect((await api('GET', '/crm/v3/properties/notes')).body.results[0].name).to.equal('hs_note_body');
    expect((await api('GET', '/crm/properties/2026-09/deals')).status).to.equal(400);
  });
});
