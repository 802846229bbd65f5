import { expect } from 'chai';
import { ANNA, eachNoteWorld, settled } from '../../../support/noteWorld.ts';
import { connectCrm, syncNow } from '../../../support/people.ts';
import { withoutPauses } from '../../../support/skipPauses.ts';
import { until } from '../../../support/until.ts';

describe('A note that the CRM does not accept at first', () => {
  const world = eachNoteWorld();
  beforeEach(async () => {
    await world.link(world.anna, '101');
    await settled(world);
  });

  /** What was paused may be tried at once. */
  const hurry = async () => {
    await world.service.db('outbox_notes').update({ claimed_until: null });
    await world.service.db('outbox_notes').whereNotNull('claim').update({ claim: null });
  };
  const sendNotes = async () => {
    await hurry();
    const { userId } = world;
    await world.service.worker().queue.send('notes', { userId }, { singletonKey: userId });
  };

  it('is not written twice when the answer is lost after the write', async () => {
    const { service, nora, anna } = world;
    service.crm.faults.next({ on: 'notes.batchCreate', losesAnswer: true });
    const { result } = await withoutPauses(service.db, () => syncNow(nora));
    expect(result).to.deep.include({ notesCreated: 1, errors: [] });
    expect(service.crm.notes('101')).to.have.length(1);
    expect(service.crm.calls()['notes.batchCreate']).to.equal(1);
    expect(await world.statusOf(anna)).to.equal('COMPLETE');
  });

  it('waits while the CRM is down, without failing the sync, and is written when it is back', async () => {
    const { service, nora, anna, boris } = world;
    await world.link(boris, '103');
    await settled(world);
    service.crm.faults.always({ status: 503 });
    const { state, result } = await withoutPauses(service.db, () => syncNow(nora));
    expect(state).to.equal('completed');
    expect(result).to.include({ digestsCreated: 2, notesCreated: 0 });
    expect(result.errors.map(({ code }) => code)).to.include('CRM_UNAVAILABLE');
    expect(result.errors.length).to.be.at.most(2);
    expect(await world.statusOf(anna)).to.equal('SYNCING');
    const { body } = await nora.get('/api/digests').expect(200);
    expect(body.digests.every((digest: { summary: string }) => digest.summary !== '')).to.equal(true);
    service.crm.faults.clear();
    await sendNotes();
    await settled(world);
    expect(service.crm.notes()).to.have.length(2);
    expect(await world.statusOf(anna)).to.equal('COMPLETE');
  });

  it('waits for the person to sign in again, and is written then', async () => {
    const { service, nora, anna } = world;
    service.crm.faults.revokeGrants();
    const { result } = await syncNow(nora);
    expect(result).to.include({ digestsCreated: 2, notesCreated: 0 });
    expect(result.errors.filter(({ code }) => code === 'CRM_AUTH')).to.have.length.within(1, 2);
    expect(await world.statusOf(anna)).to.equal('SYNCING');
    await connectCrm(service, nora);
    await until(() => service.crm.notes('101').length === 1);
    await settled(world);
    expect(await world.statusOf(anna)).to.equal('COMPLETE');
  });

  it('waits for a permission that is missing until the person connects again, and is written then', async () => {
    const { service, nora } = world;
    service.crm.faults.always({ status: 403, on: 'notes.batchCreate' });
    expect((await syncNow(nora)).result.errors.map(({ code }) => code)).to.deep.equal(['CRM_REFUSED']);
    expect(await service.db('outbox_notes').first()).to.include({ state: 'failed', failure: 'CRM_SCOPE_MISSING' });
    service.crm.faults.clear();
    await connectCrm(service, nora);
    await until(() => service.crm.notes('101').length === 1);
  });

  it('is not written when the contact is gone: the digest is complete and the match is marked', async () => {
    const { service, nora, anna, boris } = world;
    await world.link(boris, '103');
    await settled(world);
    service.crm.faults.always({ status: 503, on: 'contacts' });
    service.crm.archiveContact('101');
    const { result } = await syncNow(nora);
    expect(result.notesCreated).to.equal(1);
    expect(result.errors.filter(({ code }) => code === 'CRM_CONTACT_GONE')).to.have.length(1);
    expect(await world.statusOf(anna)).to.equal('COMPLETE');
    expect(service.crm.notes().map(({ contactIds }) => contactIds)).to.deep.equal([['103']]);
    expect((await service.db('dialogs').where({ id: anna }).first()).match_problem).to.equal('CONTACT_GONE');
    service.crm.faults.clear();
    service.crm.restoreContacts();
    expect((await syncNow(nora)).result.errors).to.deep.equal([]);
    // It is back. Notes of earlier syncs follow in a job of their own.
    await until(() => service.crm.notes('101').length === 1);
  });

  it('fails its digest after three rejections; the summary stays, and nothing is read again', async () => {
    const { service, nora, anna } = world;
    service.crm.faults.always({ status: 400, on: 'notes.batchCreate' });
    const { result } = await syncNow(nora);
    expect(result.errors.map(({ code }) => code)).to.deep.equal(['CRM_REFUSED']);
    // The queue tries again by itself, too: whichever comes first.
    const isOver = async () => (await world.statusOf(anna)) === 'FAILED';
    const atWork = () => service.db('pgboss.job').where({ name: 'notes' }).whereIn('state', ['created', 'active']);
    await until(async () => {
      // No one takes a note from who is at it.
      if ((await atWork()).length === 0 && !(await isOver())) await sendNotes();
      return isOver();
    });
    expect((await service.db('outbox_notes').first()).tries).to.equal(3);
    const digest = await service.db('digests').where({ dialog_id: anna }).first();
    expect(digest).to.include({ status: 'COMPLETE', reason: null });
    expect(digest.summary).not.to.equal('');
    expect((await nora.get('/today')).text)
      .to.include('The CRM rejected the note')
      .and.to.include(`d-${digest.id}`);
    service.sandbox.resetCalls();
    expect((await syncNow(nora)).result).to.include({ dialogsProcessed: 0, notesCreated: 0 });
    expect(service.sandbox.calls()).not.to.have.property('messages.GetHistory');
    expect(await world.statusOf(anna)).to.equal('FAILED');
  });

  it('is written again when it was deleted in the CRM and the digest has changed since', async () => {
    const { service, nora } = world;
    await syncNow(nora);
    service.crm.archiveNote(service.crm.notes('101')[0]?.id ?? '');
    world.write(ANNA, 'One more thing: can we meet on Tuesday?');
    expect((await syncNow(nora)).result.errors).to.deep.equal([]);
    expect(service.crm.notes('101')).to.have.length(1);
  });
});
