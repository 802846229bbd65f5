import { expect } from 'chai';
import { eachNoteWorld, settled } from '../../support/noteWorld.ts';
import { htmxPost, post, wordsOf } from '../../support/pages.ts';
import { signIn, syncNow } from '../../support/people.ts';
import { until } from '../../support/until.ts';

const SOURCE = { type: 'notes', name: 'source', label: 'Source' } as const;
const REGION = { type: 'notes', name: 'region', label: 'Region', options: ['North', 'South'] } as const;

describe('A property that the CRM account requires of notes', () => {
  const world = eachNoteWorld();
  beforeEach(async () => {
    await world.link(world.anna, '101');
    await settled(world);
  });

  const settings = async () => wordsOf((await world.nora.get('/settings').expect(200)).text);
  const fill = (name: string, value: string) => post(world.nora, '/settings/crm/required', { type: 'notes', name, value });
  const tries = () => world.service.crm.calls()['notes.batchCreate'] ?? 0;

  it('is named in the result, on Today, with the conversation and in the settings; nothing is retried before the next sync', async () => {
    const { service, nora, anna } = world;
    service.crm.requireProperty(SOURCE);
    service.crm.requireProperty(REGION);
    const { state, result } = await syncNow(nora);
    expect(state).to.equal('completed');
    expect(result.errors).to.have.length(1);
    expect(result.errors[0]).to.include({ stage: 'crm', code: 'CRM_REFUSED', retryable: false });
    expect(result.errors[0]).to.have.property('message').that.includes('The CRM requires “Region” and “Source” for notes.');
    expect(await world.statusOf(anna)).to.equal('FAILED');
    expect(service.crm.notes()).to.deep.equal([]);
    const today = await nora.get('/today').expect(200);
    expect(wordsOf(today.text)).to.include('The CRM requires “Region” and “Source” for notes');
    expect(today.text).to.include('href="/settings#crm"');
    expect(wordsOf((await nora.get(`/conversations/${anna}`).expect(200)).text)).to.include(
      'The CRM requires “Region” and “Source” for notes',
    );
    const words = await settings();
    expect(words).to.include('HubSpot requires “Source” for notes').and.include('HubSpot requires “Region” for notes');
    expect(words).to.include('1 note waits');
    const { text } = await nora.get('/settings');
    expect(text).to.include(`${service.crm.url}/property-settings/8412077/properties?type=0-46`);
    expect(text).to.include('<option value="South"');
    await service.worker().queue.send('notes', { userId: world.userId }, { singletonKey: world.userId });
    await settled(world);
    expect(tries()).to.equal(1);
    await syncNow(nora);
    await until(() => tries() === 2);
    await settled(world);
    expect(tries()).to.equal(2);
  });

  it('is sent with every note once the person has entered a value; what waited arrives at once', async () => {
    const { service, nora, anna, boris } = world;
    service.crm.requireProperty(SOURCE);
    await syncNow(nora);
    await fill('source', '  Telegram ').expect(303).expect('Location', '/settings');
    await until(() => service.crm.notes('101').length === 1);
    await settled(world);
    expect(await world.statusOf(anna)).to.equal('COMPLETE');
    await world.link(boris, '103');
    await until(() => service.crm.notes('103').length === 1);
    await settled(world);
    expect(service.crm.notes().map(({ properties }) => properties.source)).to.deep.equal(['Telegram', 'Telegram']);
    expect(await settings()).to.include('Sent with all new notes');
    expect((await nora.get('/today')).text).not.to.include('/settings#crm');
    const { text } = await htmxPost(nora, '/settings/crm/required/remove', { type: 'notes', name: 'source' });
    expect(text.trim()).to.match(/^<div class="conn" id="crm">/);
    expect(await service.db('crm_requirements')).to.deep.equal([]);
  });

  it('with a value that the CRM rejects waits for another one', async () => {
    const { service, nora } = world;
    service.crm.requireProperty(REGION);
    await syncNow(nora);
    await fill('region', 'West').expect(303);
    await until(async () => (await service.db('crm_requirements').first()).is_refused);
    await settled(world);
    expect(await settings()).to.include('HubSpot didn’t accept this value');
    expect(tries()).to.equal(2);
    await fill('region', 'South').expect(303);
    await until(() => service.crm.notes('101').length === 1);
    await settled(world);
    expect(service.crm.notes()[0]?.properties.region).to.equal('South');
    expect(await settings()).to.include('Sent with all new notes');
  });

  it('belongs to one user: another one sees, fills in and removes nothing', async () => {
    const { service, nora } = world;
    service.crm.requireProperty(SOURCE);
    await syncNow(nora);
    const olu = await signIn(service, 'olu@example.com');
    expect(wordsOf((await olu.get('/settings')).text)).not.to.include('Source');
    await post(olu, '/settings/crm/required', { type: 'notes', name: 'source', value: 'x' }).expect(404);
    await post(olu, '/settings/crm/required/remove', { type: 'notes', name: 'source' }).expect(303);
    expect(await service.db('crm_requirements')).to.have.length(1);
    for (const form of [{ value: '' }, { value: 'x'.repeat(1001) }, { value: 'a\u0000b' }]) {
      await post(nora, '/settings/crm/required', { type: 'notes', name: 'source', ...form }).expect(400);
    }
    await post(nora, '/settings/crm/required', { type: 'deals', name: 'source', value: 'x' }).expect(400);
    const { text } = await htmxPost(nora, '/settings/crm/required', { type: 'notes', name: 'source', value: '' });
    expect(wordsOf(text)).to.include('Enter a value');
  });

  it('beside associations the person may not edit: said so, and written once they may', async () => {
    const { service, nora, anna } = world;
    service.crm.refuseAssociations(true);
    const { result } = await syncNow(nora);
    expect(result.errors).to.have.length(1);
    expect(result.errors[0]).to.have.property('message').that.includes('doesn’t let your user there edit associations');
    expect(await settings()).to.include('doesn’t let your user there edit associations. Notes and tasks wait');
    expect(wordsOf((await nora.get(`/conversations/${anna}`)).text)).to.include('edit associations');
    expect(tries()).to.equal(1);
    service.crm.refuseAssociations(false);
    await syncNow(nora);
    await until(() => service.crm.notes('101').length === 1);
    await settled(world);
    expect(service.crm.notes()).to.have.length(1);
    expect(await settings()).not.to.include('edit associations');
  });
});
