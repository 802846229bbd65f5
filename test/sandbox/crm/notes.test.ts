import { expect } from 'chai';
import type { CrmSandbox } from '../../../sandbox/crm/server.ts';
import { type Api, closeAll, noteOn, onContact, openApi, openCrm } from './support.ts';

describe("The CRM sandbox's notes and tasks", () => {
  let crm: CrmSandbox;
  let api: Api;

  beforeEach(async () => {
    crm = await openCrm({ contacts: [{ id: '1' }, { id: '2' }] });
    api = await openApi(crm);
  });
  afterEach(closeAll);

  it('are created on a contact, a hundred in one call, in no promised order', async () => {
    const inputs = Array.from({ length: 100 }, (_, index) => noteOn(index < 60 ? '1' : '2', `No ${index}`));
    const { status, body } = await api('POST', '/notes/batch/create', { inputs });
    expect(status).to.equal(201);
    expect(body.results).to.have.length(100);
    expect(body.results[0].properties.hs_note_body).not.to.equal('No 0');
    expect([crm.notes('1').length, crm.notes('2').length]).to.deep.equal([60, 40]);
    expect(crm.notes('1')[0]).to.deep.include({ body: 'No 0', contactIds: ['1'] });
    expect((await api('POST', '/notes/batch/create', { inputs: [...inputs, noteOn('1')] })).status).to.equal(400);
  });

  it('are refused on a contact that does not exist: alone, as a batch, or one by one with trace ids', async () => {
    expect((await api('POST', '/notes', noteOn('9'))).status).to.equal(400);
    const inputs = [noteOn('1', 'kept', { objectWriteTraceId: 'a' }), noteOn('9', '', { objectWriteTraceId: 'b' })];
    const { status, body } = await api('POST', '/notes/batch/create', { inputs });
    expect(status).to.equal(207);
    expect(body.results[0]).to.include({ objectWriteTraceId: 'a' });
    expect(body.errors[0]).to.deep.include({ category: 'OBJECT_NOT_FOUND', context: { objectWriteTraceId: ['b'] } });
    const untraced = { inputs: [noteOn('1'), noteOn('9')] };
    expect((await api('POST', '/notes/batch/create', untraced)).status).to.equal(400);
    expect(crm.notes().map(note => note.body)).to.deep.equal(['kept']);
  });

  it('need a time, the right kind of association, and at most 65,536 characters', async () => {
    const { status, body } = await api('POST', '/notes', { properties: { hs_note_body: 'x' } });
    expect(status).to.equal(400);
    expect(body.errors[0].context.properties).to.deep.equal(['hs_timestamp']);
    expect((await api('POST', '/notes', noteOn('1', 'x', { associations: onContact('1', 204) }))).status).to.equal(400);
    expect((await api('POST', '/notes', noteOn('1', 'x'.repeat(65_537)))).status).to.equal(400);
    expect((await api('POST', '/notes', noteOn('1', 'x'.repeat(65_536)))).status).to.equal(201);
    expect(crm.notes()).to.have.length(1);
  });

  it('keep plain markup of what they are given, and neither scripts nor comments', async () => {
    const given = '<!-- secret --><h3 class="x" onclick="y()">Title</h3><script>z()</script><img src=x>';
    const link = '<a href="javascript:x()">bad</a> <a href="https://f.example/a?b=1&amp;c=2">good</a>';
    await api('POST', '/notes', noteOn('1', given + link));
    expect(crm.notes()[0]?.body).to.equal(
      '<h3>Title</h3><a>bad</a> <a href="https://f.example/a?b=1&amp;c=2">good</a>',
    );
  });

  it('are changed and archived, the missing ones named or passed over', async () => {
    const { body: note } = await api('POST', '/notes', noteOn('1'));
    const inputs = [note.id, '999'].map(id => ({ id, properties: { hs_note_body: 'Other words' } }));
    const changed = await api('POST', '/notes/batch/update', { inputs });
    expect(changed.status).to.equal(207);
    expect(changed.body.errors[0]).to.deep.include({ category: 'OBJECT_NOT_FOUND', context: { ids: ['999'] } });
    expect(crm.notes('1')[0]?.body).to.equal('Other words');
    const ids = [note.id, '999'].map(id => ({ id }));
    expect((await api('POST', '/notes/batch/archive', { inputs: ids })).status).to.equal(204);
    expect((await api('POST', '/notes/batch/archive', { inputs: ids })).status).to.equal(204);
    expect(crm.notes()).to.deep.equal([]);
    expect((await api('POST', '/notes/batch/read', { inputs: ids, properties: [] })).body.numErrors).to.equal(1);
  });

  it('are found from their contact, in pages, by each version of the paths', async () => {
    const inputs = Array.from({ length: 3 }, () => noteOn('1'));
    await api('POST', '/notes/batch/create', { inputs });
    const ids = crm.notes('1').map(note => note.id);
    const old = await api('GET', '/crm/v3/objects/contacts/1/associations/notes?limit=2');
    expect(old.body.results[0]).to.deep.equal({ id: ids[0], type: 'contact_to_note' });
    expect(old.body.paging.next.after).to.equal(ids[1]);
    const rest = await api('GET', `/contacts/1/associations/notes?limit=2&after=${ids[1]}`);
    expect(rest.body.results[0].toObjectId).to.equal(Number(ids[2]));
    expect(rest.body).not.to.have.property('paging');
    for (const path of ['/crm/v4/associations', '/crm/associations/2026-09']) {
      const { status, body } = await api('POST', `${path}/contacts/notes/batch/read`, {
        inputs: [{ id: '1' }, { id: '2' }],
      });
      expect(status).to.equal(207);
      expect(body.results).to.have.length(1);
      expect(body.results[0].from.id).to.equal('1');
      expect(body.results[0].to.map((each: { toObjectId: number }) => String(each.toObjectId))).to.deep.equal(ids);
      expect(body.results[0].to[0].associationTypes[0]).to.include({ category: 'HUBSPOT_DEFINED', typeId: 201 });
      expect(body.errors[0]).to.include({ subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND' });
    }
  });

  it('work the same way as tasks', async () => {
    const properties = { hs_timestamp: '2026-11-20T17:00:00Z', hs_task_subject: 'Call', hs_task_status: 'NOT_STARTED' };
    const { status } = await api('POST', '/tasks', { properties, associations: onContact('1', 204) });
    expect(status).to.equal(201);
    expect((await api('POST', '/tasks', { properties: { ...properties, hs_task_status: 'SOON' } })).status).to.equal(
      400,
    );
    expect((await api('GET', '/contacts/1/associations/tasks')).body.results).to.have.length(1);
    expect(crm.notes('1')).to.deep.equal([]);
  });
});
