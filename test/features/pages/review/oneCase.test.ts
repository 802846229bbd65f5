import { expect } from 'chai';
import { compact, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectCrm } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { contact, found, type Reader, startReader, suggestion, wantedNotes } from '../../contacts/crmPeople.ts';

const CLAIRE = 'Claire Whitfield';
const AGREES = { verdict: 'same', words: 'Same name', isSameName: true } as const;
const SAME = [{ field: 'name' as const, ...AGREES, ours: CLAIRE, theirs: CLAIRE }];
const TWO = ['Harrow Foods', 'Whitfield and Sons'].map((company, at) => ({
  ...suggestion({ id: String(21 + at), firstName: 'Claire', lastName: 'Whitfield', company }),
  evidence: SAME,
}));

describe('On the page of contacts a person', () => {
  let service: Service;
  let lena: Agent;
  let userId: string;
  let idOf: Reader['idOf'];
  let rowOf: Reader['rowOf'];

  before(async () => {
    const people = [{ name: 'Olu Adeyemi' }, { name: 'Anna Petersen' }, { name: CLAIRE }];
    ({ service, lena, userId, idOf, rowOf } = await startReader(people));
    await connectCrm(service, lena);
  });
  after(stopServices);

  const ask = (name: string, action: string, form: object = {}) =>
    post(lena, `/contacts/${idOf(name)}/${action}`, { view: 'all', ...form });

  const rejected = (id: string) => service.db('rejected_matches').where({ dialog_id: id }).pluck('crm_contact_id');

  it('stops ignoring a conversation, which the rules then match again, and takes that back', async () => {
    const [olu, anna] = [idOf('Olu Adeyemi'), idOf('Anna Petersen')];
    const match = { status: 'AUTO_NAME', confidence: 0.8, rule: 'name' } as const;
    const find = (id: string) => found({ service, userId }, olu, { ...match, contact: contact({ id }) });
    await find('5');
    await ask('Olu Adeyemi', 'reject', { contactId: '5' }).expect(303);
    await find('6');
    const page = async () => wordsOf((await lena.get(`/contacts?view=all&id=${idOf('Olu Adeyemi')}`)).text);
    expect(await page()).not.to.include('Stop ignoring');
    const ignored = await ask('Olu Adeyemi', 'ignore').expect(303);
    expect(ignored.headers.location, 'behind the last one comes the one before').to.include(idOf('Anna Petersen'));
    expect(await page()).to.include('Stop ignoring');
    const { headers } = await ask('Olu Adeyemi', 'stop-ignoring').expect(303);
    expect((await rowOf('Olu Adeyemi')).match_status).to.equal('UNMATCHED');
    expect(wordsOf((await lena.get(String(headers.location))).text)).to.include('Olu Adeyemi is no longer ignored');
    expect((await wantedNotes(service)).at(-1)?.dialogIds).to.deep.equal([idOf('Olu Adeyemi')]);
    expect(await rejected(olu)).to.deep.equal(['5']);
    await find('6');
    expect((await rowOf('Olu Adeyemi')).crm_contact_id).to.equal('6');
    const token = new URL(String(headers.location), 'http://a.example').searchParams.get('done');
    await post(lena, `/contacts/undo/${token}`).expect(303);
    expect((await rowOf('Olu Adeyemi')).match_status).to.equal('IGNORED');
    await service.db('dialogs').where({ id: anna }).update({ match_status: 'IGNORED', crm_contact_id: '6' });
    await ask('Anna Petersen', 'stop-ignoring').expect(303);
    expect([(await rowOf('Anna Petersen')).match_status, await rejected(anna)]).to.deep.equal(['UNMATCHED', []]);
  });

  it('finds one far down the list, and one that is not read', async () => {
    await service.db.raw(
      `insert into dialogs (user_id, account_id, peer_id, peer_type, peer_kind, peer_key, peer_name, last_message_at)
       select user_id, account_id, 'p' || n, peer_type, peer_kind, n, 'Person ' || n, last_message_at - n * interval '1 day'
       from dialogs, generate_series(1, 40) n where id = ?`,
      [idOf('Olu Adeyemi')],
    );
    const [id] = await service.db('dialogs').where({ peer_name: 'Person 30' }).pluck('id');
    const page = async (query: string) => wordsOf((await lena.get(`/contacts?${query}`).expect(200)).text);
    expect(await page(`view=all&id=${id}`)).to.include('Person 30');
    await service.db('dialogs').where({ id }).update({ tracking_choice: false });
    expect(await page(`id=${id}`)).to.include('Person 30');
    expect(await page('view=all')).not.to.include('Person 30');
    await service.db('dialogs').whereLike('peer_name', 'Person %').delete();
  });

  it('takes “None of these” back days later, and then chooses among the same again', async () => {
    const anna = idOf('Anna Petersen');
    const offered = suggestion({ id: '9', firstName: 'Anna', lastName: 'Pedersen' });
    await found({ service, userId }, anna, { suggestions: [offered] });
    await ask('Anna Petersen', 'none', { offered: '9' }).expect(303);
    expect(await rejected(anna)).to.deep.equal(['9']);
    service.clock.advance(3 * 24 * 3600 * 1000);
    const page = async () => (await lena.get(`/contacts?view=unmatched&id=${anna}`).expect(200)).text;
    expect(await page()).not.to.include('Pedersen');
    const [, undo = ''] = /action="(\/contacts\/undo\/[0-9a-f-]+)"/.exec(await page()) ?? [];
    await post(lena, undo).expect(303);
    expect(wordsOf(await page()))
      .to.include('Anna Pedersen')
      .and.not.include('Suggest again');
    expect(await rejected(anna)).to.deep.equal([]);
    await ask('Anna Petersen', 'confirm').expect(303);
    await ask('Anna Petersen', 'none', { offered: '9' }).expect(303);
    expect((await rowOf('Anna Petersen')).match_decided_by, 'as the rules may look again').to.equal('rule');
  });

  it('is warned before a third contact of one name is created, and names its company', async () => {
    for (const company of ['Vogel GmbH', 'Nordlicht AG']) {
      service.crm.createContact({ firstname: 'Anna', lastname: 'Petersen', company });
    }
    const before = service.crm.contacts().length;
    const typed = { firstname: 'Anna', lastname: 'Petersen', company: 'Kestrel Ltd' };
    const { text } = await ask('Anna Petersen', 'create', typed).expect(409);
    expect(wordsOf(text))
      .to.include('The CRM already has 2 contacts named Anna Petersen')
      .and.include('Nordlicht AG')
      .and.include('Create anyway');
    expect(text).to.match(/id="company"[^>]*value="Kestrel Ltd"/);
    expect(service.crm.contacts()).to.have.length(before);
    await ask('Anna Petersen', 'create', { ...typed, namesakes: 'seen' }).expect(303);
    const created = service.crm.contacts().find(({ properties }) => properties.company === 'Kestrel Ltd');
    expect(created?.properties).to.include({ firstname: 'Anna', lastname: 'Petersen' });
    expect(await rowOf('Anna Petersen')).to.include({ match_status: 'CREATED', crm_contact_id: created?.id });
  });

  it('chooses between two contacts of one name, who are to review and not called no match', async () => {
    const names = { status: 'UNMATCHED' as const, confidence: 0, rule: null, contact: null, suggestions: TWO };
    await found({ service, userId }, idOf(CLAIRE), names);
    const page = async (query = '') => compact((await lena.get(`/contacts${query}`).expect(200)).text);
    const html = await page();
    const words = wordsOf(html);
    expect(words).to.include('1 match to review').and.include('Two contacts are called Claire Whitfield.');
    expect(words).to.include('Which one?').and.include('Harrow Foods').and.include('Whitfield and Sons');
    expect(words).to.include('Two contacts of this name').and.include('None of these').and.not.include('Not this contact');
    expect(html).to.match(/<span class="count" id="to-review-side">1</);
    expect(wordsOf(await page('?view=unmatched'))).not.to.include(CLAIRE);
    expect(wordsOf((await lena.get('/conversations').expect(200)).text)).to.include('Two contacts of this name Choose');
  });
});
