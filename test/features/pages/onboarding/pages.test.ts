import { expect } from 'chai';
import { expectNothingInline, htmxPost, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, finished, secretsOf, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { crowd, owner, world } from '../../../support/worlds.ts';

const PHONE = owner.phone ?? '';
const CONVERSATIONS = 3;
const AT_HALF_PAST = { syncTime: '07:30', timezone: 'Europe/Berlin' };

describe('The first run', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    const env = { RATE_LIMIT_CONNECT: '50' };
    service = await startService({ worlds: [world(crowd(CONVERSATIONS))], crm: true, mail: true, env });
  });
  after(stopServices);
  beforeEach(async () => {
    // The sync of the test before writes to rows that go with its user.
    for (const { id } of await syncs().whereIn('state', ['waiting', 'active'])) await finished(nora, id);
    await service.db('users').delete();
    nora = await signIn(service, 'nora@example.com');
  });

  const html = async (path = '/start', agent = nora) => {
    const { text } = await agent.get(path).expect(200);
    expectNothingInline(text);
    return text;
  };
  const words = async (path?: string) => wordsOf(await html(path));
  const syncs = () => service.db('sync_jobs');

  /** Each leads Nora on to a step. */
  const connected = async () => {
    await html();
    await post(nora, '/connect', { phone: PHONE }).expect(303);
    const { code } = secretsOf(service, PHONE);
    await post(nora, '/connect/code', { code }).expect(303).expect('Location', '/start');
  };
  const askedForTime = async () => {
    await connected();
    await post(nora, '/start/crm-later').expect(303);
  };

  it('begins with Telegram, without any navigation, and allows nothing else before', async () => {
    const text = await html();
    expect(wordsOf(text)).to.include('Step 1 of 3').and.include('First, your Telegram').and.include('Connect Telegram');
    expect(text).not.to.include('nav--main').and.not.include('class="tabbar"');
    expect(text).to.include('href="/connect"').and.not.include('/start/crm-later').and.not.include('/start/time');
    const { status } = await post(nora, '/start/time', { syncTime: '07:30', timezone: 'UTC' });
    expect(status).to.equal(409);
    expect(await syncs()).to.deep.equal([]);
  });

  it('says before the CRM is connected that sure matches write at once, with a switch to be asked first', async () => {
    await connected();
    expect(await words())
      .to.include('digests are added there automatically')
      .and.include('one permission for creating, changing and deleting contacts')
      .and.include('never deletes a contact');
    await post(nora, '/start/crm', { sureMatchesWrite: 'false' }).expect(303).expect('Location', '/start');
    expect(await words()).to.include('nothing is added to a contact until you confirm');
    expect(await service.db('crm_connections').first()).to.include({ sure_matches_write: false });
    const { text } = await htmxPost(nora, '/start/crm', { sureMatchesWrite: 'true' }).expect(200);
    expect(text)
      .to.match(/^\s*<div id="start">/)
      .and.include('aria-checked="true"');
    await post(nora, '/start/crm', { sureMatchesWrite: 'perhaps' }).expect(400);
  });

  it('ends with the time, starts the first sync once however often it is clicked, and leads to Today', async () => {
    await askedForTime();
    const answers = await Promise.all([1, 2, 3].map(() => post(nora, '/start/time', AT_HALF_PAST)));
    for (const { status, headers } of answers) expect([status, headers.location]).to.deep.equal([303, '/today']);
    expect(await syncs()).to.have.length(1);
    const { config } = (await nora.get('/api/settings')).body;
    expect(config).to.include(AT_HALF_PAST);
    await nora.get('/today').expect(200);
  });

  const mailMode = async () => (await service.db('sync_configs').first())?.mail_digests;

  it('proposes the morning and the daily email, and stores neither before the person submits', async () => {
    await askedForTime();
    const text = await html();
    expect(text).to.include('value="07:00"').and.include('data-guess-zone');
    expect(text)
      .to.match(/name="dailyMail"[^>]*checked/)
      .and.include('To nora@example.com');
    expect((await nora.get('/api/settings')).body.config).to.include({ syncTime: '18:00', timezone: 'UTC' });
    expect(await mailMode()).not.to.equal('ALWAYS');
    await post(nora, '/start/time', { syncTime: '07:00', timezone: 'Europe/Berlin', dailyMail: 'on' }).expect(303);
    expect((await nora.get('/api/settings')).body.config).to.include({ syncTime: '07:00', timezone: 'Europe/Berlin' });
    expect(await mailMode()).to.equal('ALWAYS');
  });

  it('proposes the zone of the browser’s language where that has one, and asks whoever has no JavaScript for it elsewhere', async () => {
    await askedForTime();
    const chosen = async (language: string) => {
      const { text } = await nora.get('/start').set('accept-language', language);
      return /<option value="([^"]*)" +selected/.exec(text)?.[1];
    };
    expect(await chosen('de-DE,de;q=0.9,en;q=0.8')).to.equal('Europe/Berlin');
    for (const language of ['en-US', '*', 'x']) expect(await chosen(language), language).to.equal('');
    const { text } = await post(nora, '/start/time', { syncTime: '07:00', timezone: '' }).expect(400);
    expect(wordsOf(text)).to.include('Choose a time zone from the list').and.include('Choose your time zone');
    expect(await syncs()).to.deep.equal([]);
  });

  it('is skipped by users who connected otherwise', async () => {
    await connected();
    await service.db('onboardings').delete();
    await nora.get('/').expect(302).expect('Location', '/today');
    await nora.get('/start').expect(303).expect('Location', '/today');
    expect(await service.db('onboardings')).to.deep.equal([]);
  });
});
