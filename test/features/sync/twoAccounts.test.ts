import { expect } from 'chai';
import { connectCrm, connectedNora, connectMessenger, finished } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { crowd, dialog, message, person, world } from '../../support/worlds.ts';

const WORK = person(1900, { firstName: 'Nora', lastName: 'At Work', phone: '+34600111555' });
const ANNA = person(2001, { firstName: 'Anna', lastName: 'Weber', phone: '+34611000001', isContact: true });
const BORIS = person(2002, { firstName: 'Boris', lastName: 'Lang', phone: '+34611000002', isContact: true });
const TEXT = 'Could you please send me the signed contract by Friday?';
const CONTACTS = [ANNA, BORIS].map(({ id, firstName, lastName, phone }) => ({
  ...{ id: String(id), firstname: firstName, lastname: lastName, phone: phone ?? '' },
}));

describe('A sync of two Telegram accounts', () => {
  let service: Service;

  before(async () => {
    const talk = (user: typeof ANNA) => dialog(`user:${user.id}`, [message(9000, { from: user.id, text: TEXT })]);
    // So many that they are read page by page, the first page before any is looked up in the CRM.
    const { users, dialogs } = crowd(101);
    const many = { users: [BORIS, ...users], dialogs: [talk(BORIS), ...dialogs] };
    const worlds = [world({ users: [ANNA], dialogs: [talk(ANNA)] }), world({ key: 'work', owner: WORK, ...many })];
    service = await startService({ worlds, crm: { contacts: CONTACTS } });
  });
  after(stopServices);

  it('calls no digest of the second one complete before its note is written', async () => {
    const nora = await connectedNora(service);
    await connectMessenger(service, nora, WORK.phone ?? '');
    await connectCrm(service, nora);
    const statusOf = async (peerName: string) => {
      const { body } = await nora.get('/api/digests').expect(200);
      const found = body.digests.find((digest: { dialog: { peerName: string } }) => digest.dialog.peerName === peerName);
      return found?.summary ? found.status : undefined;
    };
    service.sandbox.faults.delay(1000, 'messages.GetHistory');
    const { body } = await nora.post('/api/sync/trigger').expect(200);
    // The first account's part of the CRM is over.
    const matched = () => service.db('dialogs').where({ peer_name: 'Anna Weber' }).whereNotNull('match_evaluated_at');
    await until(async () => (await matched()).length > 0);
    service.crm.faults.delay(2000);
    await until(async () => (await statusOf('Boris Lang')) !== undefined);
    expect(await statusOf('Boris Lang')).to.equal('SYNCING');
    service.crm.faults.clear();
    service.sandbox.faults.clear();
    expect((await finished(nora, body.jobId)).result).to.deep.include({ notesCreated: 2, errors: [] });
    expect(await statusOf('Boris Lang')).to.equal('COMPLETE');
  });
});
