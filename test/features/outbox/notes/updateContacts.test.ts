import { expect } from 'chai';
import { ANNA, eachNoteWorld, settled } from '../../../support/noteWorld.ts';
import { post } from '../../../support/pages.ts';
import { signIn, syncNow } from '../../../support/people.ts';
import { until } from '../../../support/until.ts';
import { storeAccount, storeDigest } from '../../pages/today/stored.ts';

describe('Our properties of a contact', () => {
  const world = eachNoteWorld();

  const propertiesOf = (id: string) => world.service.crm.contacts().find(contact => contact.id === id)?.properties ?? {};

  it('tell the messenger account, the last sync and the number of digests', async () => {
    const { nora, anna } = world;
    await world.link(anna, '101');
    await syncNow(nora);
    const ofAnna = { messenger_username: 'annaweber', messenger_user_id: '2001', messenger_digest_count: '1' };
    expect(propertiesOf('101')).to.include(ofAnna);
    const syncedAt = Date.parse(propertiesOf('101').messenger_last_sync ?? '');
    expect(syncedAt).to.be.closeTo(world.service.clock.now().getTime(), 60_000);
  });

  it('count the digests of all contacts that were merged into one', async () => {
    const { service, nora, anna, boris } = world;
    await world.link(anna, '101');
    await world.link(boris, '103');
    await syncNow(nora);
    const survivor = service.crm.mergeContacts('101', '103');
    await syncNow(nora);
    expect(propertiesOf(survivor).messenger_digest_count).to.equal('2');
  });

  it('count the digests of all users with the same CRM account', async () => {
    const { service, nora, anna } = world;
    await signIn(service, 'olu@example.com');
    const olu = await storeAccount(service.db, 'olu@example.com');
    const { portal_id } = await service.db('crm_connections').first();
    await service.db('crm_connections').insert({ user_id: olu.userId, portal_id });
    const { digestId: digest_id, dialogId: dialog_id } = await storeDigest(service.db, olu);
    const written = { state: 'written', crm_contact_id: '101', crm_id: '9', written_at: new Date() };
    await service.db('outbox_notes').insert({ user_id: olu.userId, portal_id, dialog_id, digest_id, ...written });
    await world.link(anna, '101');
    await syncNow(nora);
    expect(propertiesOf('101')).to.include({ messenger_user_id: '2001', messenger_digest_count: '2' });
    await nora.patch('/api/crm/contacts/search').send({ dialogId: anna, action: 'ignore' }).expect(200);
    await until(() => propertiesOf('101').messenger_digest_count === '1');
  });

  it('never overwrite existing values', async () => {
    const { service, nora, anna } = world;
    service.crm.updateContact('101', { messenger_username: 'somebodyelse', messenger_user_id: '77' });
    await world.link(anna, '101');
    await syncNow(nora);
    const kept = { messenger_username: 'somebodyelse', messenger_user_id: '77', messenger_digest_count: '1' };
    expect(propertiesOf('101')).to.include(kept);
  });

  it('are removed from the wrong contact when the match is corrected, also after its first note', async () => {
    const { service, nora, anna } = world;
    await world.link(anna, '101');
    await syncNow(nora);
    const { id } = await service.db('digests').where({ dialog_id: anna }).first('id');
    service.clock.advance(24 * 3600 * 1000);
    world.write(ANNA, 'Good morning. The pilot in Leeds went well.');
    await syncNow(nora);
    await post(nora, `/digests/${id}/delete`).expect(303);
    await settled(world);
    await world.link(anna, '102');
    await settled(world);
    await until(() => propertiesOf('102').messenger_user_id === '2001');
    expect([service.crm.notes('101').length, service.crm.notes('102').length]).to.deep.equal([0, 1]);
    expect(propertiesOf('101').messenger_user_id ?? '').to.equal('');
    expect(propertiesOf('101').messenger_username ?? '').to.equal('');
    expect(propertiesOf('101').messenger_digest_count).to.equal('0');
  });
});
