import { expect } from 'chai';
import { ANNA, eachNoteWorld, settled } from '../../../support/noteWorld.ts';
import { syncNow } from '../../../support/people.ts';
import { until } from '../../../support/until.ts';

describe('The notes that are wanted', () => {
  const world = eachNoteWorld();

  it('are written at once where the match is sure, and wait where the person wants to be asked', async () => {
    const { service, nora, anna } = world;
    service.crm.updateContact('101', { messenger_username: 'annaweber' });
    expect((await syncNow(nora)).result.notesCreated).to.equal(1);
    expect(service.crm.notes('101')).to.have.length(1);
    await service.db('crm_connections').update({ sure_matches_write: false });
    service.clock.advance(24 * 3600 * 1000);
    world.write(ANNA, 'Good morning. The pilot in Leeds went well.');
    expect((await syncNow(nora)).result).to.include({ digestsCreated: 1, notesCreated: 0 });
    expect(service.crm.notes('101')).to.have.length(1);
    const { body } = await nora.get('/api/digests').expect(200);
    expect(body.digests.map(({ status }: { status: string }) => status)).to.deep.equal(['COMPLETE', 'COMPLETE', 'COMPLETE']);
    await world.link(anna, '101');
    await until(() => service.crm.notes('101').length === 2);
  });

  it('are written to contacts that the sync creates, when that is switched on', async () => {
    const { service, nora, boris } = world;
    // Whoever may be the same as someone in the CRM is not created.
    service.crm.archiveContact('103');
    await nora.post('/api/settings').send({ autoCreateContacts: true }).expect(200);
    service.sandbox.addMessages('test', 'user:2002', [{ from: 2002, text: 'Thank you for the offer.' }]);
    const { result } = await syncNow(nora);
    const dialog = await service.db('dialogs').where({ id: boris }).first();
    expect(dialog).to.include({ match_status: 'CREATED', user_wrote: true, peer_wrote: true });
    expect(service.crm.notes(dialog.crm_contact_id)).to.have.length(1);
    expect(result.notesCreated).to.equal(service.crm.notes().length);
  });

  it('are written after all when they were rejected and the person decides anew', async () => {
    const { service, nora, anna } = world;
    await world.link(anna, '101');
    await settled(world);
    service.crm.faults.always({ status: 400, on: 'notes.batchCreate' });
    await syncNow(nora);
    await service.db('outbox_notes').update({ state: 'failed', tries: 3, failure: 'CRM_REFUSED' });
    expect(await world.statusOf(anna)).to.equal('FAILED');
    service.crm.faults.clear();
    await world.link(anna, '102');
    await settled(world);
    expect(service.crm.notes('102')).to.have.length(1);
    expect(await world.statusOf(anna)).to.equal('COMPLETE');
  });

  it('are dropped once the CRM is disconnected', async () => {
    const { service, nora, anna } = world;
    await world.link(anna, '101');
    await settled(world);
    service.crm.faults.always({ status: 400, on: 'notes.batchCreate' });
    await syncNow(nora);
    expect(await world.statusOf(anna)).to.equal('SYNCING');
    await service.db('crm_connections').update({ status: 'disconnected', credentials: null });
    expect(await world.statusOf(anna)).to.equal('COMPLETE');
    await syncNow(nora);
    expect(await world.statusOf(anna)).to.equal('COMPLETE');
  });
});
