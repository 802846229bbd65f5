import { expect } from 'chai';
import request from 'supertest';
import { post, wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';

const PAGE = '/settings/account';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

describe('The page of the account', () => {
  let service: Service;
  let nora: Agent;
  let phone: Agent;

  before(async () => {
    service = await startService({ worker: false });
  });
  beforeEach(async () => {
    await service.db('users').delete();
    nora = await onDevice('nora@example.com', FIREFOX);
    phone = await onDevice('nora@example.com', IPHONE);
  });
  after(stopServices);

  async function onDevice(email: string, userAgent: string): Promise<Agent> {
    const agent = request.agent(service.url).set('User-Agent', userAgent);
    await agent.post('/api/auth/callback/dev-credentials').type('form').send({ email }).expect(302);
    return agent;
  }

  const show = async (agent = nora) => (await agent.get(PAGE).expect(200)).text;
  const sessionOf = async (agent: Agent) => (await agent.get('/api/auth/session').expect(200)).body;
  const deviceOf = async (userAgent: string) => service.db('user_sessions').where({ user_agent: userAgent }).first();

  it('changes the name at once, in the navigation and in the session', async () => {
    await post(nora, `${PAGE}/name`, { name: '  Nora <b>Lind</b> ' }).expect(303).expect('Location', PAGE);
    expect((await sessionOf(phone)).user.name).to.equal('Nora <b>Lind</b>');
    const html = await show();
    expect(html).to.include('<strong dir="auto">Nora &lt;b&gt;Lind&lt;/b&gt;</strong>').and.not.include('<b>Lind');
    expect(wordsOf(html)).to.include('Saved');
    await post(nora, `${PAGE}/name`, { name: 'ü'.repeat(100) }).expect(303);
    expect((await sessionOf(nora)).user.name).to.equal('ü'.repeat(100));
  });

  it('tells devices apart by browser and system, and which one this is', async () => {
    await onDevice('nora@example.com', 'curl/8.5.0');
    await onDevice('nora@example.com', '<script>alert(1)</script>');
    await onDevice('olu@example.com', 'Opera/9.80 (Windows NT 6.1) Presto/2.12 Version/12.16');
    const html = await show();
    const words = wordsOf(html);
    expect(words).to.include('Signed in on 4 devices').and.include('Firefox on Linux Signed in today at');
    expect(words).to.include('Safari on iOS Signed in today at').and.include('last used today');
    expect(words).to.include('Unknown device').and.not.include('Opera');
    expect(words.match(/This device/g)).to.have.length(1);
    expect(words).to.match(/Firefox on Linux[^.]*?This device/);
    expect(html).not.to.include('alert(1)');
  });

  it('signs one device out at once', async () => {
    const { id } = await deviceOf(IPHONE);
    await post(nora, `${PAGE}/devices/${id}/end`).expect(303).expect('Location', PAGE);
    expect(await sessionOf(phone)).to.deep.equal({});
    expect(wordsOf(await show()))
      .to.include('That device is signed out')
      .and.include('Signed in on 1 device');
    await post(nora, `${PAGE}/devices/${id}/end`).expect(404);
    const { id: own } = await deviceOf(FIREFOX);
    await post(nora, `${PAGE}/devices/${own}/end`).expect(303).expect('Location', '/signin');
    expect(await sessionOf(nora)).to.deep.equal({});
  });

  it('signs out everywhere at once, here too', async () => {
    const { headers } = await post(nora, `${PAGE}/devices/end-all`).expect(303).expect('Location', '/signin');
    expect(headers['set-cookie']?.toString()).to.include('authjs.session-token=;');
    for (const agent of [nora, phone]) {
      expect(await sessionOf(agent)).to.deep.equal({});
      await agent.get('/today').expect(302);
    }
    expect(await service.db('user_sessions')).to.deep.equal([]);
  });
});
