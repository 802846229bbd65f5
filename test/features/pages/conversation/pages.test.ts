import { expect } from 'chai';
import { compact, expectNothingInline, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectCrm, connectedNora, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { dialog, message, person, world } from '../../../support/worlds.ts';

const DAY_MS = 24 * 3600 * 1000;
const NAMES = { firstName: 'Anna', lastName: 'Weber', username: 'annaweber' };
const ANNA = person(2001, { ...NAMES, phone: '+34600111444', isContact: true });
const HOSTILE = '"><script>alert(1)</script>';

/** Anna asks for something; so does someone who is all markup. */
function twoPeople() {
  const ask = 'Could you please send me the signed contract by Friday?';
  return world({
    users: [ANNA, person(2002, { firstName: HOSTILE })],
    dialogs: [
      dialog(`user:${ANNA.id}`, [
        message(10, { from: ANNA.id, text: 'Good morning!' }),
        message(11, { from: ANNA.id, text: ask }),
        message(12, { text: 'I will.' }),
      ]),
      dialog('user:2002', [message(21, { from: 2002, text: `${ask} ${HOSTILE}` })]),
    ],
  });
}

describe('The page of a conversation', () => {
  let service: Service;
  let nora: Agent;
  let anna: string;
  /** The present day's, with Anna. */
  let digestId: string;

  before(async () => {
    service = await startService({
      worlds: [twoPeople()],
      crm: { contacts: [{ id: '101', firstname: 'Anna', lastname: 'Weber', email: 'anna@kestrel.example' }] },
    });
    nora = await connectedNora(service);
    await syncNow(nora);
    anna = await idOf('2001');
    digestId = (await newest()).id;
  });
  // Each test writes the days before that it is about.
  afterEach(() => service.db('digests').where({ dialog_id: anna }).whereNot({ id: digestId }).delete());
  after(stopServices);

  const idOf = async (peerKey: string) => String((await service.db('dialogs').where({ peer_key: peerKey }).first()).id);
  const html = async (path = `/conversations/${anna}`) => {
    const { text } = await nora.get(path).expect(200);
    expectNothingInline(text);
    return compact(text);
  };
  const words = async (path?: string) => wordsOf(await html(path));
  const newest = () => service.db('digests').where({ dialog_id: anna }).orderBy('digest_date', 'desc').first();
  /** A digest so many days ago, unless there is one, as the newest one but for what is said. */
  const before_ = async (daysAgo: number, row: Record<string, unknown> = {}) => {
    const { id: _, search: __, is_urgent: ___, structured, ...rest } = await newest();
    const { exchanges: ____, ...prose } = structured;
    const digest_date = new Date(service.clock.now().getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
    const old = { ...rest, digest_date, structured: JSON.stringify(prose), ...row };
    await service.db('digests').insert(old).onConflict(['dialog_id', 'digest_date']).ignore();
  };

  it('names the person, their handles and where to answer', async () => {
    const text = await html();
    expect(wordsOf(text)).to.include('Anna Weber @annaweber +34 600 11 14 44').and.include('Daily digests since');
    expect(text).to.match(/href="https:\/\/t\.me\/annaweber"[^>]*>Reply in Telegram/);
  });

  it('shows what others wrote as text', async () => {
    const text = await html(`/conversations/${await idOf('2002')}`);
    expect(text).not.to.include('<script>alert');
    expect(text).to.include('&lt;script&gt;');
  });

  it('shows what people wrote and what was answered, in their own words', async () => {
    const told = (await words()).replaceAll(' :', ':');
    expect(told).to.match(/Anna: Could you please send me the signed contract by Friday\? .*You answered: I will\./);
    expect(told).to.include('Key lines, chosen on this server. Tap a line to see its source');
    expect(told.match(/Key lines/g)).to.have.length(1);
  });

  it('merges quiet days into one line and gives failed and skipped ones their reason', async () => {
    await before_(2, { status: 'FAILED', reason: 'AI_UNAVAILABLE', summary: '', structured: null, message_count: 7 });
    const quiet = { status: 'SKIPPED', reason: 'TOO_FEW_MESSAGES', summary: '', structured: null };
    await before_(3, { ...quiet, message_count: 4 });
    await before_(4, { ...quiet, message_count: 2 });
    await before_(12, { summary: 'An older talk.' });
    const text = await html();
    const told = wordsOf(text);
    expect(told).to.include('The summary service couldn’t be reached. 7 messages wait in Telegram.');
    expect(told.match(/Too quiet/g)).to.have.length(1);
    expect(told).to.include('4 new messages. Messages add up until there are enough.');
    expect(told).to.match(/\w{3}–\w{3} \d[\w ]* – \d[\w ]* Nothing new was read\./);
    expect(told).to.include('An older talk.');
    const entries = text.match(/<li class="entry/g) ?? [];
    // No gap for days that have a digest: today, yesterday's gap, failed, two skipped in one, a gap, the older talk.
    expect(entries).to.have.length(6);
  });

  it('pages what is older, 30 rows a page', async () => {
    for (let day = 20; day < 55; day++) await before_(day, { summary: `Talk number ${day}.` });
    const first = await html();
    expect(wordsOf(first)).to.include('Page 1 of 2').and.not.include('Talk number 54.');
    const second = await words(`/conversations/${anna}?page=2`);
    expect(second).to.include('Talk number 54.').and.include('Page 2 of 2').and.not.include('An older talk.');
    for (let day = 20; day < 55; day++) {
      const isOnFirst = wordsOf(first).includes(`Talk number ${day}.`);
      expect(isOnFirst, `day ${day}`).not.to.equal(second.includes(`Talk number ${day}.`));
    }
    expect(await words(`/conversations/${anna}?page=9`), 'behind the last').to.equal(second);
  });

  it('does not link text that only looks like an address', async () => {
    const { id, structured } = await newest();
    const links = ['javascript:alert(1)', 'https://kestrel.example/a'];
    await service
      .db('digests')
      .where({ id })
      .update({ structured: JSON.stringify({ ...structured, links }) });
    const text = await html();
    expect(text).to.include('href="https://kestrel.example/a"').and.not.include('href="javascript:');
    expect(wordsOf(text)).to.include('javascript:alert(1)');
  });

  it('shows the linked contact, why it matched, and its notes', async () => {
    expect(await words()).to.include('No CRM is connected.');
    await connectCrm(service, nora);
    await syncNow(nora);
    expect(await words()).to.match(/In the CRM .* Match/);
    const match = { dialogId: anna, crmContactId: '101', matchStatus: 'CONFIRMED' };
    await nora.patch('/api/crm/contacts/match').send(match).expect(200);
    await syncNow(nora);
    await until(async () => /(written|last one) today at/.test(await words()));
    const text = await html();
    expect(wordsOf(text)).to.include('Contact Anna Weber').and.include('Confirmed by you on');
    expect(wordsOf(text)).to.include('Note in CRM').and.include('Open in CRM');
    expect(text).to.include(`href="/contacts?id=${anna}">Change match`);
  });
});
