import { expect } from 'chai';
import { compact, expectNothingInline, htmxPost, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectCrm } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { contact, found, startReader, suggestion } from '../../contacts/crmPeople.ts';

const HOSTILE = '"><script>alert(1)</script>';
const PEOPLE = [
  { name: 'Irina Sokolova', username: 'irina_meridian' },
  { name: 'Phone Sure', phone: '+491713920027' },
  { name: 'Handle Sure', username: 'handle' },
  { name: 'Weak Guess' },
  { name: 'Chidi Okafor', username: 'chidi_ok', phone: '+447700900318' },
  { name: HOSTILE },
];

describe('The page of contacts', () => {
  let service: Service;
  let lena: Agent;
  let userId: string;
  let idOf: (name: string) => string;
  let irina: string;

  before(async () => {
    ({ service, lena, userId, idOf } = await startReader(PEOPLE));
    irina = service.crm.createContact({ firstname: 'Irina', lastname: 'Sokolova', company: 'Meridian Clinics' });
  });
  after(stopServices);

  const page = async (query = '') => compact((await lena.get(`/contacts${query}`).expect(200)).text);
  const path = (name: string, action: string) => `/contacts/${idOf(name)}/${action}`;
  const match = (name: string, verdict: object) => found({ service, userId }, idOf(name), verdict);

  it('shows one case with its evidence, how sure it is and what else could be', async () => {
    await connectCrm(service, lena);
    await service.db('crm_connections').update({ sure_matches_write: false });
    await match('Irina Sokolova', {
      ...{ status: 'AUTO_NAME', confidence: 0.82, rule: 'name' },
      contact: contact({ id: irina, firstName: 'Irina', lastName: 'Sokolova', company: 'Meridian Clinics' }),
      evidence: [
        { field: 'name', verdict: 'similar', words: 'Same name, different alphabet', ours: 'Ирина', theirs: 'Irina' },
        { field: 'username', verdict: 'unknown', words: '', ours: 'irina_m', theirs: 'https://t.me/irina_m' },
      ],
      runnerUp: { contactId: '9', name: 'Irina Novak', score: 0.7 },
      suggestions: [
        {
          ...suggestion({ id: '9', firstName: 'Irina', lastName: 'Novak', email: 'irina@novak.example' }),
          evidence: [
            { field: 'name', verdict: 'similar', words: 'Short form of the name', ours: 'Ира', theirs: 'Irina' },
            { field: 'username', verdict: 'differs', words: 'Another username', ours: 'a', theirs: 'b' },
            { field: 'phone', verdict: 'similar', words: 'Same number as dialed in +49', ours: '', theirs: '' },
          ],
        },
      ],
    });
    const html = await page();
    const words = wordsOf(html);
    expect(words).to.include('1 match to review').and.include('Is this Irina Sokolova at Meridian Clinics ?');
    expect(words).to.include('Name Ирина Irina Same name, different alphabet').and.include('Likely 0.82');
    expect(words).to.include('Username @irina_m @irina_m');
    expect(words).to.include('Short form of the name, same number as dialed in +49');
    expect(words).to.include('Next best: Irina Novak, 0.70').and.include('irina@novak.example');
    expect(html).to.match(/<span class="count" id="to-review-side">1</);
    expect(html).to.include(`${service.crm.url}/`).and.include('Open in the CRM');
    expectNothingInline(html);
  });

  it('shows what others wrote as text', async () => {
    await match(HOSTILE, {
      ...{ status: 'AUTO_NAME', confidence: 0.6, rule: 'name' },
      contact: contact({ id: '5', firstName: HOSTILE, lastName: HOSTILE, company: HOSTILE, email: HOSTILE }),
      evidence: [{ field: 'name', verdict: 'same', words: HOSTILE, ours: HOSTILE, theirs: HOSTILE }],
      suggestions: [suggestion({ id: '6', firstName: HOSTILE, company: HOSTILE, email: HOSTILE })],
    });
    for (const html of [
      await page(`?id=${idOf(HOSTILE)}`),
      (await lena.get(`${path(HOSTILE, 'create')}?view=all`)).text,
      await page(`?id=${idOf(HOSTILE)}&q=${encodeURIComponent(HOSTILE)}`),
      (await lena.get('/conversations')).text,
    ]) {
      expect(html).to.include('&lt;script&gt;').and.not.include('<script>alert');
    }
    await post(lena, path(HOSTILE, 'reject'), { contactId: '5' }).expect(303);
  });

  it('lists only matches that write no notes automatically', async () => {
    const sure = (name: string, status: string, confidence: number, id: string) =>
      match(name, { status, confidence, rule: 'phone', contact: contact({ id, firstName: name }) });
    await sure('Phone Sure', 'AUTO_PHONE', 0.98, '11');
    await sure('Handle Sure', 'AUTO_USERNAME', 0.95, '12');
    await sure('Weak Guess', 'AUTO_PHONE', 0.8, '13');
    expect(wordsOf(await page())).to.include('4 matches to review');
    await service.db('crm_connections').update({ sure_matches_write: true });
    const words = wordsOf(await page());
    expect(words).to.include('2 matches to review').and.include('Weak Guess').and.not.include('Handle Sure');
    expect(wordsOf(await page('?view=automatic')))
      .to.include('Phone Sure')
      .and.include('Handle Sure');
    await service.db('crm_connections').update({ name_matches_write: true });
    expect(wordsOf(await page()))
      .to.include('1 match to review')
      .and.not.include('Irina');
    await service.db('crm_connections').update({ name_matches_write: false, sure_matches_write: false });
  });

  it('confirms sure ones together, after a list with ticks, and undoes them together', async () => {
    const html = (await lena.get('/contacts/bulk').expect(200)).text;
    expect(wordsOf(html)).to.include('Confirm 2 matches').and.include('Phone Sure').and.not.include('Weak Guess');
    const seen = [...html.matchAll(/name="seen"\s+value="([^"]+)"\s+checked/g)].map(([, value = '']) => value);
    expect(seen).to.have.length(2);
    const weak = `${idOf('Weak Guess')}:13`;
    const changed = `${idOf('Phone Sure')}:999`;
    const send = (pairs: string[]) => lena.post('/contacts/bulk').type('form').send({ seen: pairs }).expect(303);
    await send([weak, changed, 'nonsense', '']);
    const statuses = () =>
      service.db('dialogs').where({ match_status: 'CONFIRMED' }).orderBy('peer_name').pluck('peer_name');
    expect(await statuses()).to.deep.equal([]);
    const { headers } = await send(seen);
    expect(await statuses()).to.deep.equal(['Handle Sure', 'Phone Sure']);
    const after = (await lena.get(headers.location ?? '').expect(200)).text;
    expect(wordsOf(after)).to.include('2 matches confirmed Undo');
    const [, undo = ''] = /action="(\/contacts\/undo\/[0-9a-f-]+)"/.exec(after) ?? [];
    await post(lena, undo).expect(303);
    expect(await statuses()).to.deep.equal([]);
    expect((await lena.get('/contacts/bulk').set('HX-Request', 'true').expect(200)).text).to.match(/^<dialog/);
  });

  it('confirms as many together as a form has room for, and says how many are left for the next', async () => {
    await service.db.raw(
      `insert into dialogs (user_id, account_id, peer_id, peer_type, peer_kind, peer_key, match_status, match_confidence, crm_contact_id)
       select user_id, account_id, 'many' || n, 'user', 'user', 'many' || n, 'AUTO_PHONE', 0.98, n::text
       from dialogs, generate_series(1, 2001) n where id = ?`,
      [idOf('Weak Guess')],
    );
    const list = async () => (await lena.get('/contacts/bulk').expect(200)).text;
    const html = await list();
    expect(wordsOf(html)).to.include('Confirm the first 2,000 of 2,003 matches');
    const seen = [...html.matchAll(/name="seen"\s+value="([^"]+)"/g)].map(([, value = '']) => value);
    await lena.post('/contacts/bulk').type('form').send({ seen }).expect(303);
    expect(wordsOf(await list())).to.include('Confirm 3 matches');
  });

  it('offers a form for a new contact, filled in, and keeps what was typed when it is wrong', async () => {
    const html = (await lena.get(`${path('Chidi Okafor', 'create')}?view=unmatched`).expect(200)).text;
    expect(html)
      .to.match(/id="firstname"[^>]*value="Chidi"/)
      .and.match(/id="lastname"[^>]*value="Okafor"/);
    expect(html)
      .to.match(/id="phone"[^>]*value="\+44 7700 900318"/)
      .and.include('@chidi_ok');
    const typed = { view: 'unmatched', firstname: 'C', lastname: '', email: 'chidi@okafor', phone: '12' };
    const { text } = await htmxPost(lena, path('Chidi Okafor', 'create'), typed).expect(400);
    expect(text).to.match(/value="chidi@okafor"[^>]*aria-invalid="true" aria-describedby="email-e"/);
    expect(wordsOf(text)).to.include('There is a problem Enter an email address like name@example.com.');
    expect(text).to.include('<title>Error:');
    await post(lena, path('Chidi Okafor', 'create'), typed).expect(400);
  });

  it('offers to link the contact that the CRM has already', async () => {
    const id = service.crm.createContact({ firstname: 'Old', lastname: 'Friend', email: 'old@friend.example' });
    const typed = { view: 'unmatched', firstname: 'Chidi', lastname: 'Okafor', email: 'old@friend.example' };
    const { text } = await post(lena, path('Chidi Okafor', 'create'), typed).expect(409);
    expect(wordsOf(text)).to.include('This contact is already in the CRM').and.include('Old Friend');
    expect(compact(text)).to.include(`name="contactId" value="${id}"`);
    await post(lena, path('Chidi Okafor', 'pick'), { view: 'unmatched', contactId: id }).expect(303);
    expect(
      await service
        .db('dialogs')
        .where({ id: idOf('Chidi Okafor') })
        .first(),
    ).to.include({ ...{ match_status: 'CONFIRMED', crm_contact_id: id, crm_contact_name: 'Old Friend' } });
  });
});
