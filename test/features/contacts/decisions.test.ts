import { expect } from 'chai';
import { saveVerdicts } from '../../../src/features/contacts/matching/matchConversations.ts';
import type { MatchVerdict } from '../../../src/features/contacts/matching/schema.ts';
import { post } from '../../support/pages.ts';
import { type Agent, connectCrm } from '../../support/people.ts';
import { type Service, stopServices } from '../../support/service.ts';
import { contact, found, type Reader, startReader, suggestion, wantedNotes } from './crmPeople.ts';

const PEOPLE = ['Ada', 'Bea', 'Cem', 'Dan', 'Eva', 'Fay', 'Gus', 'Hal'].map(name => ({ name: `${name} Person` }));

describe('A decision about a match', () => {
  let service: Service;
  let lena: Agent;
  let userId: string;
  let idOf: Reader['idOf'];
  let rowOf: Reader['rowOf'];
  let right: string;
  let wrong: string;

  before(async () => {
    ({ service, lena, userId, idOf, rowOf } = await startReader(PEOPLE));
    await connectCrm(service, lena);
    right = service.crm.createContact({ firstname: 'Right', lastname: 'One' });
    wrong = service.crm.createContact({ firstname: 'Wrong', lastname: 'One' });
  });
  after(stopServices);

  const rejected = (name: string) =>
    service
      .db('rejected_matches')
      .where({ dialog_id: idOf(name) })
      .orderBy('crm_contact_id')
      .pluck('crm_contact_id');
  const decisions = (name: string) =>
    service
      .db('match_decisions')
      .where({ dialog_id: idOf(name) })
      .orderBy('number', 'desc');
  const newest = async (name: string) => String((await decisions(name))[0]?.id);
  const act = (name: string, action: string, form: Record<string, string> = {}, agent = lena) =>
    post(agent, `/contacts/${idOf(name)}/${action}`, form);
  const undo = (token: string, agent = lena) => post(agent, `/contacts/undo/${token}`);
  const propose = (name: string, id = wrong, more: object = {}) =>
    found({ service, userId }, idOf(name), {
      ...{ status: 'AUTO_NAME', confidence: 0.82, rule: 'name' },
      contact: contact({ id, firstName: 'Wrong', lastName: 'One' }),
      suggestions: [suggestion({ id: right, firstName: 'Right', lastName: 'One' })],
      ...more,
    });

  it('is idempotent under concurrent submits', async () => {
    await propose('Bea Person');
    await Promise.all([1, 2, 3].map(() => act('Bea Person', 'reject', { contactId: wrong }).expect(303)));
    expect(await decisions('Bea Person')).to.have.length(1);
    await propose('Bea Person', right);
    await Promise.all([1, 2, 3].map(() => act('Bea Person', 'confirm', { contactId: right }).expect(303)));
    expect(await decisions('Bea Person')).to.have.length(2);
  });

  it('can be undone: everything is as it was, and the notes follow', async () => {
    await propose('Eva Person');
    const { match_evaluated_at: _, ...before } = await rowOf('Eva Person');
    for (const [action, form] of [
      ['confirm', { contactId: wrong }],
      ['ignore', {}],
      ['reject', { contactId: wrong }],
      ['pick', { contactId: right }],
    ] as const) {
      await act('Eva Person', action, form).expect(303);
      expect((await rowOf('Eva Person'))?.match_status).not.to.equal('AUTO_NAME');
      const asked = (await wantedNotes(service)).length;
      await undo(await newest('Eva Person')).expect(303);
      expect(await rowOf('Eva Person'), action).to.deep.include(before);
      expect(await rejected('Eva Person'), action).to.deep.equal([]);
      expect((await wantedNotes(service)).slice(asked)).to.deep.equal([{ userId, dialogIds: [idOf('Eva Person')] }]);
    }
  });

  it('is undone once, and only when nothing newer was decided', async () => {
    await propose('Fay Person');
    await act('Fay Person', 'confirm', { contactId: wrong }).expect(303);
    const first = await newest('Fay Person');
    await act('Fay Person', 'ignore').expect(303);
    const second = await newest('Fay Person');
    await undo(first).expect(303);
    expect((await rowOf('Fay Person'))?.match_status).to.equal('IGNORED');
    await undo(second).expect(303);
    const asked = (await wantedNotes(service)).length;
    await undo(second).expect(303);
    expect((await rowOf('Fay Person'))?.match_status).to.equal('CONFIRMED');
    expect(await wantedNotes(service)).to.have.length(asked);
  });

  it('stores all verdicts or none, and none where a person has decided', async () => {
    const verdict = (id: string): MatchVerdict => ({
      ...{ status: 'AUTO_PHONE', confidence: 0.98, rule: 'phone', runnerUp: null, evidence: [], suggestions: [] },
      contact: contact({ id, firstName: 'Nul\u0000', lastName: 'One' }),
    });
    const verdicts = ['Ada Person', 'Hal Person'].map(name => ({ dialogId: idOf(name), verdict: verdict(right) }));
    const deps = { db: service.db, clock: service.clock };
    await propose('Hal Person');
    await act('Hal Person', 'confirm', { contactId: wrong }).expect(303);
    await saveVerdicts(deps, { userId, verdicts });
    expect(await rowOf('Ada Person')).to.include({ crm_contact_id: right });
    expect(await rowOf('Hal Person')).to.include({ crm_contact_id: wrong });
    const broken = [
      { dialogId: idOf('Ada Person'), verdict: { ...verdict(right), confidence: 0.9 } },
      { dialogId: idOf('Cem Person'), verdict: { ...verdict(right), status: 'NO_STATUS' } },
    ];
    const failed = await saveVerdicts(deps, { userId, verdicts: broken as never }).catch(() => 'failed');
    expect(failed).to.equal('failed');
    expect(await rowOf('Ada Person')).to.include({ match_confidence: '0.98' });
    expect(await saveVerdicts(deps, { userId, portalId: '1', verdicts }).catch(({ code }) => code)).to.equal('CRM_CHANGED');
  });
});
