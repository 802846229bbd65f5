import { expect } from 'chai';
import type { CrmSandbox } from '../../../sandbox/crm/server.ts';
import { type Api, closeAll, noteOn, openApi, openCrm } from './support.ts';

describe("The CRM sandbox's contacts", () => {
  let crm: CrmSandbox;
  let api: Api;

  beforeEach(async () => {
    crm = await openCrm({
      contacts: [
        { id: '1001', firstname: 'Anna', lastname: 'Berg', email: 'anna@one.example', phone: '+49 171 3920047' },
        { id: '1002', firstname: 'Ben', email: 'ben@two.example' },
      ],
    });
    api = await openApi(crm);
  });
  afterEach(closeAll);

  it('are read with the properties asked for, null where there is no value', async () => {
    const { status, body } = await api('GET', '/contacts/1001?properties=phone,company');
    expect(status).to.equal(200);
    expect(body).to.include({ id: '1001', archived: false });
    expect(body.properties).to.include({ phone: '+49 171 3920047', company: null, hs_object_id: '1001' });
    expect(body.properties).not.to.have.property('email');
    expect((await api('GET', '/contacts/9')).status).to.equal(404);
  });

  it('are the same under the third version of the paths', async () => {
    expect((await api('GET', '/crm/v3/objects/contacts/1001')).body.properties.email).to.equal('anna@one.example');
  });

  it('are read by email address, and by a property that is made unique', async () => {
    expect((await api('GET', '/contacts/ANNA@one.example?idProperty=email')).body.id).to.equal('1001');
    expect((await api('GET', '/contacts/x?idProperty=firstname')).status).to.equal(400);
    await makeUserId();
    await api('PATCH', '/contacts/1002', { properties: { messenger_user_id: '42' } });
    expect((await api('GET', '/contacts/42?idProperty=messenger_user_id')).body.id).to.equal('1002');
    expect((await api('GET', '/contacts/43?idProperty=messenger_user_id')).status).to.equal(404);
  });

  it('are created, seen at once, and refused with 409 when the email address is taken', async () => {
    const { status, body } = await api('POST', '/contacts', {
      properties: { firstname: 'Cleo', email: 'Cleo@x.example' },
    });
    expect(status).to.equal(201);
    expect((await api('GET', `/contacts/${body.id}`)).body.properties.email).to.equal('cleo@x.example');
    const taken = await api('POST', '/contacts', { properties: { email: 'ANNA@one.example' } });
    expect(taken.status).to.equal(409);
    expect(taken.body).to.include({ message: 'Contact already exists. Existing ID: 1001', category: 'CONFLICT' });
    expect(crm.contacts()).to.have.length(3);
  });

  for (const [what, properties, word] of [
    ['an unknown property', { nickname: 'A' }, 'PROPERTY_DOESNT_EXIST'],
    ['a malformed email address', { email: 'anna at one' }, 'INVALID_EMAIL'],
    ["a property of the CRM's own", { hs_object_id: '5' }, 'READ_ONLY_VALUE'],
    ['an option that does not exist', { lifecyclestage: 'friend' }, 'INVALID_OPTION'],
    ['65,537 characters', { firstname: 'x'.repeat(65_537) }, 'VALUE_TOO_LONG'],
  ] as const) {
    it(`are not created with ${what}`, async () => {
      const { status, body } = await api('POST', '/contacts', { properties });
      expect(status).to.equal(400);
      expect(body.category).to.equal('VALIDATION_ERROR');
      expect(body.message).to.include(`"error":"${word}"`);
      expect(crm.contacts()).to.have.length(2);
    });
  }

  it('keep a value that is unique to one of them', async () => {
    await makeUserId();
    await api('PATCH', '/contacts/1001', { properties: { messenger_user_id: '42' } });
    const { status, body } = await api('PATCH', '/contacts/1002', { properties: { messenger_user_id: '42' } });
    expect(status).to.equal(400);
    expect(body.message).to.match(/on 1002\. 1001 already has that value\.$/);
    expect((await api('PATCH', '/contacts/1001', { properties: { messenger_user_id: '42' } })).status).to.equal(200);
  });

  it('are changed, an empty value removing one', async () => {
    const { status, body } = await api('PATCH', '/contacts/1001', { properties: { company: 'Berg', phone: '' } });
    expect(status).to.equal(200);
    expect(body.properties.company).to.equal('Berg');
    const { body: now } = await api('GET', '/contacts/1001?properties=phone,hs_searchable_calculated_phone_number');
    expect(now.properties).to.include({ phone: null, hs_searchable_calculated_phone_number: null });
  });

  it('are read in a batch, the missing ones named beside the others', async () => {
    const ids = ['1001', '1002'].map(id => ({ id }));
    const all = await api('POST', '/contacts/batch/read', { inputs: ids, properties: ['email'] });
    expect(all.status).to.equal(200);
    expect(all.body.status).to.equal('COMPLETE');
    const some = await api('POST', '/contacts/batch/read', { inputs: [...ids, { id: '9' }], properties: ['email'] });
    expect(some.status).to.equal(207);
    expect(some.body.results).to.have.length(2);
    expect(some.body.errors[0]).to.include({ category: 'OBJECT_NOT_FOUND' });
    expect(some.body.errors[0].context).to.deep.equal({ ids: ['9'] });
    const byEmail = { idProperty: 'email', inputs: [{ id: 'ben@two.example' }], properties: [] };
    expect((await api('POST', '/contacts/batch/read', byEmail)).body.results[0].id).to.equal('1002');
  });

  it('are created in a batch together or not at all, unless each has a trace id', async () => {
    const good = { properties: { email: 'c@x.example' } };
    const taken = { properties: { email: 'anna@one.example' } };
    expect((await api('POST', '/contacts/batch/create', { inputs: [good, taken] })).status).to.equal(409);
    expect((await api('POST', '/contacts/batch/create', { inputs: [good, good] })).status).to.equal(400);
    expect(crm.contacts()).to.have.length(2);
    const traced = [good, taken].map((input, index) => ({ ...input, objectWriteTraceId: `t${index}` }));
    const { status, body } = await api('POST', '/contacts/batch/create', { inputs: traced });
    expect(status).to.equal(207);
    expect(body.results.map((each: { objectWriteTraceId: string }) => each.objectWriteTraceId)).to.deep.equal(['t0']);
    expect(body.errors[0].context).to.deep.equal({ objectWriteTraceId: ['t1'] });
    expect(crm.contacts()).to.have.length(3);
  });

  it('are changed in a batch, the missing ones named', async () => {
    const inputs = ['1001', '9'].map(id => ({ id, properties: { company: 'Berg' } }));
    const { status, body } = await api('POST', '/contacts/batch/update', { inputs });
    expect(status).to.equal(207);
    expect(body.errors[0].context).to.deep.equal({ ids: ['9'] });
    expect((await api('GET', '/contacts/1001?properties=company')).body.properties.company).to.equal('Berg');
    const twice = { inputs: [inputs[0], inputs[0]] };
    expect((await api('POST', '/contacts/batch/update', twice)).body.message).to.include('Duplicate IDs found');
  });

  it('are upserted by email address', async () => {
    const inputs = ['anna@one.example', 'new@x.example'].map(id => ({
      id,
      idProperty: 'email',
      properties: { company: 'Berg' },
    }));
    const { status, body } = await api('POST', '/contacts/batch/upsert', { inputs });
    expect(status).to.equal(200);
    expect(body.results.map((each: { new: boolean }) => each.new)).to.deep.equal([false, true]);
    expect(crm.contacts()).to.have.length(3);
  });

  it('come at most a hundred in a batch', async () => {
    const inputs = Array.from({ length: 101 }, (_, index) => ({ id: String(index) }));
    expect((await api('POST', '/contacts/batch/read', { inputs, properties: [] })).status).to.equal(400);
    expect((await api('POST', '/contacts/batch/read', { inputs: [], properties: [] })).status).to.equal(400);
    expect((await api('POST', '/contacts/batch/read', { inputs: 'all' })).status).to.equal(400);
  });

  it('are archived, also twice, and their email address is free again', async () => {
    expect((await api('DELETE', '/contacts/1001')).status).to.equal(204);
    expect((await api('DELETE', '/contacts/1001')).status).to.equal(204);
    expect((await api('GET', '/contacts/1001')).status).to.equal(404);
    expect((await api('PATCH', '/contacts/1001', { properties: { company: 'B' } })).status).to.equal(404);
    expect((await api('POST', '/contacts', { properties: { email: 'anna@one.example' } })).status).to.equal(201);
  });

  it('become one when merged: the old ids lead to it, notes and email addresses go along', async () => {
    await api('POST', '/notes', noteOn('1002'));
    const { status, body } = await api('POST', '/contacts/merge', { primaryObjectId: '1001', objectIdToMerge: '1002' });
    expect(status).to.equal(200);
    expect(body.properties).to.include({ firstname: 'Anna', email: 'anna@one.example' });
    expect(body.properties).to.include({ hs_merged_object_ids: '1001;1002', hs_additional_emails: 'ben@two.example' });
    for (const id of ['1001', '1002']) expect((await api('GET', `/contacts/${id}`)).body.id).to.equal(body.id);
    const both = { inputs: [{ id: '1001' }, { id: '1002' }], properties: ['email'] };
    expect((await api('POST', '/contacts/batch/read', both)).body.results).to.have.length(1);
    expect(crm.notes('1002').map(note => note.contactIds)).to.deep.equal([[body.id]]);
    expect((await api('POST', '/contacts', { properties: { email: 'ben@two.example' } })).status).to.equal(409);
    const same = { primaryObjectId: '1001', objectIdToMerge: '1002' };
    expect((await api('POST', '/contacts/merge', same)).status).to.equal(400);
  });

  async function makeUserId() {
    const about = { groupName: 'contactinformation', type: 'string', fieldType: 'text', hasUniqueValue: true };
    const property = { name: 'messenger_user_id', label: 'User id', ...about };
    expect((await api('POST', '/crm/properties/2026-09/contacts', property)).status).to.equal(201);
  }
});
