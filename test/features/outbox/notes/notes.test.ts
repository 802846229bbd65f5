import { expect } from 'chai';
import { ANNA, eachNoteWorld } from '../../../support/noteWorld.ts';
import { connectCrm, signIn, syncNow } from '../../../support/people.ts';
import { firstMessageAt } from '../../../support/worlds.ts';

describe('The notes of a sync', () => {
  const world = eachNoteWorld();

  it('are written to the linked contacts and counted, and not again when nothing is new', async () => {
    const { service, nora, anna, boris } = world;
    await world.link(anna, '101');
    await world.link(boris, '103');
    service.crm.resetCalls();
    const { result } = await syncNow(nora);
    expect(result).to.deep.equal({ dialogsProcessed: 2, digestsCreated: 2, notesCreated: 2, errors: [] });
    expect(service.crm.calls()['notes.batchCreate']).to.equal(1);
    expect(service.crm.notes().map(({ contactIds }) => contactIds)).to.have.deep.members([['101'], ['103']]);
    expect(await world.statusOf(anna)).to.equal('COMPLETE');
    service.crm.resetCalls();
    await syncNow(nora);
    expect(Object.keys(service.crm.calls()).filter(kind => kind.startsWith('notes'))).to.deep.equal([]);
  });

  it('have the time of the last message, and contain the address of their digest once', async () => {
    const { service, nora, anna } = world;
    await world.link(anna, '101');
    await syncNow(nora);
    const [note] = service.crm.notes('101');
    const { id } = await service.db('digests').where({ dialog_id: anna }).first();
    expect(note?.at.getTime()).to.equal((firstMessageAt + 13 * 60) * 1000);
    expect(note?.body.split(`http://127.0.0.1:3000/digests/${id}`)).to.have.length(2);
    await nora
      .get(`/digests/${id}`)
      .expect(302)
      .expect('Location', new RegExp(`^/today.*#d-${id}$`));
  });

  it('are updated by the second sync of the day, not created again', async () => {
    const { service, nora, anna } = world;
    await world.link(anna, '101');
    await syncNow(nora);
    const [before] = service.crm.notes('101');
    world.write(ANNA, 'Could you also send the Zürich figures by Monday?');
    const { result } = await syncNow(nora);
    expect(result).to.include({ digestsCreated: 1, notesCreated: 0 });
    const [after, ...others] = service.crm.notes('101');
    expect(others).to.deep.equal([]);
    expect(after?.id).to.equal(before?.id);
    expect(after?.body).to.include('4 messages').and.to.include('Zürich');
    expect(after?.at.getTime()).to.be.above(before?.at.getTime() ?? 0);
    expect(await world.statusOf(anna)).to.equal('COMPLETE');
  });

  it('are never written to another user’s CRM account', async () => {
    const { service, nora, anna, userId } = world;
    await world.link(anna, '101');
    await syncNow(nora);
    const rows = await service.db('outbox_notes');
    expect(rows.map(row => row.user_id)).to.deep.equal([userId]);
    const mallory = await signIn(service, 'mallory@example.com');
    await connectCrm(service, mallory);
    await mallory.get(`/digests/${rows[0]?.digest_id}`).expect(404);
    const steal = { dialogId: anna, crmContactId: '102', matchStatus: 'CONFIRMED' };
    await mallory.patch('/api/crm/contacts/match').send(steal).expect(404);
    await syncNow(mallory);
    expect(service.crm.notes().map(({ contactIds }) => contactIds)).to.deep.equal([['101']]);
  });
});
