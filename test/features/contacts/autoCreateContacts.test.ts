import { expect } from 'chai';
import { type AutoCreated, autoCreateContacts } from '../../../src/features/contacts/createContact.ts';
import { post } from '../../support/pages.ts';
import { type Agent, connectCrm } from '../../support/people.ts';
import { type Service, stopServices } from '../../support/service.ts';
import { contact, found, type Reader, startReader, suggestion, wantedNotes } from './crmPeople.ts';

const PEOPLE = [
  { name: 'Ana Popescu 🚀 | Acme', username: 'ana_p', phone: '+40711222333' },
  { name: 'Only Theirs' },
  { name: 'Only Mine' },
  { name: '🚀🚀' },
  { name: 'Maybe Known' },
  { name: 'Hardly Known | Berlin' },
  { name: 'Not Looked Up' },
  { name: 'Was Rejected' },
  { name: 'Decided About' },
  { name: 'Lost Answer' },
  { name: 'Switched Off' },
];

describe('Automatically created contacts', () => {
  let service: Service;
  let lena: Agent;
  let userId: string;
  let idOf: Reader['idOf'];
  let rowOf: Reader['rowOf'];

  before(async () => {
    ({ service, lena, userId, idOf, rowOf } = await startReader(PEOPLE, { worker: true }));
    const wrote = (by: object) => service.db('dialogs').where({ user_id: userId, ...by });
    await wrote({}).update({ user_wrote: true, peer_wrote: true });
    await wrote({ id: idOf('Only Theirs') }).update({ user_wrote: false });
    await wrote({ id: idOf('Only Mine') }).update({ peer_wrote: false });
    for (const { name } of PEOPLE) {
      if (name !== 'Not Looked Up') await found({ service, userId }, idOf(name), {});
    }
    await found({ service, userId }, idOf('Maybe Known'), { suggestions: [suggestion({ id: '901' }, 0.75)] });
    await found({ service, userId }, idOf('Hardly Known | Berlin'), { suggestions: [suggestion({ id: '902' }, 0.74)] });
    const proposal = { status: 'AUTO_NAME', confidence: 0.8, rule: 'name', contact: contact({ id: '903' }) } as const;
    await found({ service, userId }, idOf('Was Rejected'), proposal);
    await post(lena, `/contacts/${idOf('Was Rejected')}/reject`, { contactId: '903' }).expect(303);
    await post(lena, `/contacts/${idOf('Decided About')}/ignore`).expect(303);
    await lena
      .patch('/api/messenger/dialogs')
      .send({ dialogId: idOf('Switched Off'), isTracked: false })
      .expect(200);
  });
  after(stopServices);

  const run = (dialogIds?: string[]): Promise<AutoCreated> =>
    autoCreateContacts(service.worker(), { userId, ...(dialogIds && { dialogIds }) });
  const made = () => service.crm.contacts().map(({ properties }) => properties);

  it('are not created while the setting is off, nor without a CRM', async () => {
    await connectCrm(service, lena);
    expect(await run()).to.deep.equal({ created: [], failed: [] });
    await lena.post('/api/settings').send({ autoCreateContacts: true }).expect(200);
    await service.db('crm_connections').update({ status: 'expired' });
    expect(await run()).to.deep.equal({ created: [], failed: [] });
    await service.db('crm_connections').update({ status: 'active' });
    expect(made()).to.deep.equal([]);
  });

  it('are created only for the given conversations', async () => {
    const { created } = await run([idOf('Ana Popescu 🚀 | Acme')]);
    expect(created).to.deep.equal([idOf('Ana Popescu 🚀 | Acme')]);
    expect(made()).to.have.length(1);
    expect(made()[0]).to.include({
      ...{ firstname: 'Ana', lastname: 'Popescu', company: 'Acme', phone: '+40711222333' },
      ...{ messenger_username: 'ana_p', messenger_user_id: '6001' },
    });
    expect(await rowOf('Ana Popescu 🚀 | Acme')).to.include({ match_status: 'CREATED', match_confidence: '1.00' });
    expect(await wantedNotes(service)).to.deep.include({ userId, dialogIds: created });
  });

  it('are people with messages in both directions, a name, no candidate and no decision', async () => {
    service.crm.faults.next({ on: 'contacts.create', losesAnswer: true });
    const { created, failed } = await run();
    expect(failed).to.deep.equal([]);
    expect(created).to.have.members([idOf('Hardly Known | Berlin'), idOf('Lost Answer')]);
    expect(made().map(({ firstname }) => firstname)).to.have.members(['Ana', 'Hardly', 'Lost']);
    // A city is no company.
    expect(made().filter(({ company }) => company)).to.have.length(1);
  });

  it('are never created twice, even after a kill before the link', async () => {
    expect(await run()).to.deep.equal({ created: [], failed: [] });
    await service
      .db('dialogs')
      .where({ id: idOf('Hardly Known | Berlin') })
      .update({ match_status: 'UNMATCHED', crm_contact_id: '' });
    const { created } = await run();
    expect(created).to.deep.equal([idOf('Hardly Known | Berlin')]);
    expect(made()).to.have.length(3);
    expect((await rowOf('Hardly Known | Berlin'))?.crm_contact_id).not.to.equal('');
  });

  it('wait for the next time when the CRM does not answer', async () => {
    await found({ service, userId }, idOf('Not Looked Up'), {});
    service.crm.faults.next({ on: 'contacts', times: 50, status: 503 });
    const { created, failed } = await run();
    service.crm.faults.clear();
    expect(created).to.deep.equal([]);
    expect(failed.map(({ dialogId }) => dialogId)).to.deep.equal([idOf('Not Looked Up')]);
    expect(failed[0]?.error.code).to.equal('CRM_UNAVAILABLE');
    expect((await run()).created).to.deep.equal([idOf('Not Looked Up')]);
  });

  it('can be undone, and are then not created again', async () => {
    const decision = await service
      .db('match_decisions')
      .where({ dialog_id: idOf('Lost Answer') })
      .first();
    await post(lena, `/contacts/undo/${decision?.id}`).expect(303);
    expect(await rowOf('Lost Answer')).to.include({ match_status: 'UNMATCHED', crm_contact_id: '' });
    expect(await run()).to.deep.equal({ created: [], failed: [] });
    expect(await rowOf('Lost Answer')).to.include({ match_status: 'UNMATCHED' });
  });
});
