import { expect } from 'chai';
import { compact, expectNothingInline, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectedNora, signIn, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { crowd, dialog, message, person, world } from '../../../support/worlds.ts';

const HOSTILE = '"><script>alert(1)</script>';
const CROWD = 70;
const UNREAD_PHONE = '+34600111333';

describe('Today', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    const many = crowd(CROWD);
    const attacker = person(9001, { firstName: HOSTILE });
    const attack = dialog('user:9001', [message(9001, { from: 9001, text: `Please send me the offer today ${HOSTILE}` })]);
    const otto = world({ key: 'otto', owner: person(2000, { firstName: 'Otto', phone: UNREAD_PHONE }), ...crowd(1) });
    const noras = world({ users: [...many.users, attacker], dialogs: [...many.dialogs, attack] });
    service = await startService({ worlds: [noras, otto] });
    nora = await connectedNora(service);
    await syncNow(nora);
  });
  after(stopServices);

  it('offers to connect when nothing is connected', async () => {
    const newcomer = await signIn(service, 'newcomer@example.com');
    const { text } = await newcomer.get('/today').expect(200);
    expect(wordsOf(text)).to.include('Nothing to read yet. Connect Telegram').and.include('Example');
    expect(text).to.include('href="/connect"').and.not.include('id="sync"');
    expectNothingInline(text);
  });

  it('shows all digests of the day, 60 rows a page', async () => {
    const first = (await nora.get('/today?view=everything').expect(200)).text;
    const second = (await nora.get('/today?view=everything&page=2').expect(200)).text;
    const rows = (html: string) => html.match(/id="d-[0-9a-f-]{36}"/g) ?? [];
    expect(rows(first)).to.have.length(60);
    for (const query of ['view=everything', 'q=Person'])
      expect(wordsOf((await nora.get(`/today?${query}&page=9`)).text), query).to.include('Page 2 of 2');
    expect(new Set([...rows(first), ...rows(second)]).size).to.equal(CROWD + 1);
    expect(wordsOf(first))
      .to.include('Page 1 of 2')
      .and.include('Synced')
      .and.include(`Everything ${CROWD + 1}`);
    expectNothingInline(first);
  });

  it('shows a few of them, and leads to the first of the others', async () => {
    const { text } = await nora.get('/today').expect(200);
    const shown = text.match(/id="d-[0-9a-f-]{36}"/g) ?? [];
    expect(shown).to.have.length.within(10, 15);
    const [, link = '', count = ''] =
      compact(text).match(/href="\/today\?view=everything#(d-[0-9a-f-]{36})">Show the other (\d+)/) ?? [];
    expect(Number(count)).to.equal(CROWD + 1 - shown.length);
    expect(shown).not.to.include(`id="${link}"`);
    expect((await nora.get('/today?view=everything').expect(200)).text).to.include(`id="${link}"`);
    // Muted ones in front don't count as shown.
    const first = await service
      .db('digests')
      .whereIn(
        'id',
        shown.slice(0, 3).map(id => id.slice(6, -1)),
      )
      .select('dialog_id');
    const mute = (is_muted: boolean) =>
      service
        .db('dialogs')
        .update({ is_muted })
        .whereIn(
          'id',
          first.map(row => row.dialog_id),
        );
    await mute(true);
    const html = compact((await nora.get('/today').expect(200)).text);
    const [, next] = html.match(/href="\/today\?view=everything#(d-[0-9a-f-]{36})">Show the other/) ?? [];
    expect(next).to.be.a('string');
    expect(html).not.to.include(`id="${next}"`);
    await mute(false);
  });

  it('shows what others wrote as text', async () => {
    const pages = [await nora.get('/today?view=everything'), await nora.get('/today?view=everything&page=2')]
      .map(({ text }) => text)
      .join('');
    expect(pages).to.include('&quot;&gt;&lt;script&gt;alert(1)').and.not.include('<script>alert');
  });
});

describe('Sync now', () => {
  let service: Service;
  let nora: Agent;

  beforeEach(async () => {
    service = await startService({ worlds: [world(crowd(3))], worker: false });
    nora = await connectedNora(service);
  });
  afterEach(stopServices);

  const htmx = (agent: Agent) => agent.get('/sync').set('HX-Request', 'true');

  it('is a form that returns to the page, which reloads automatically without JavaScript', async () => {
    await post(nora, '/sync').expect(303).expect('Location', '/today');
    const { text } = await nora.get('/today');
    expect(wordsOf(text)).to.include('Sync starts in a moment');
    expect(compact(text)).to.match(/<noscript><meta http-equiv="refresh" content="\d+"><\/noscript>/);
    await nora.get('/sync').expect(303);
  });

  it('answers htmx with a panel that asks again', async () => {
    const { text } = await post(nora, '/sync').set('HX-Request', 'true').expect(200);
    expect(compact(text)).to.match(/^<section class="sync" id="sync" aria-busy="true" hx-get="\/sync\?job=/);
    expect(text).to.include('hx-swap-oob="innerHTML">Sync started');
    expect((await htmx(nora).expect(200)).text).to.include('hx-trigger="every 3s"');
    expect(await service.db('sync_jobs')).to.have.length(1);
  });
});
