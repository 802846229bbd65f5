import { expect } from 'chai';
import { expectNothingInline, htmxPost, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectMessenger, signIn, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { crowd, owner, world } from '../../../support/worlds.ts';

const RIGHT = { syncTime: '07:30', timezone: 'Europe/Berlin', minMessages: '5', summaryStyle: 'MINIMAL' };

describe('The settings page', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worker: false, worlds: [world()] });
    nora = await signIn(service, 'nora@example.com');
  });
  after(stopServices);

  const config = async (agent: Agent) => (await agent.get('/api/settings')).body.config;

  it('shows the defaults and offers to connect', async () => {
    const { text } = await nora.get('/settings').expect(200);
    expect(text).to.include('value="18:00"').and.include('<option value="UTC" selected>');
    expect(wordsOf(text)).to.include('Not connected').and.include('Connect Telegram');
    expectNothingInline(text);
  });

  it('saves the form, where a missing switch is off', async () => {
    const { body: before } = await nora.post('/api/settings').send({ includeGroups: true }).expect(200);
    expect(before.config.includeGroups).to.equal(true);
    await post(nora, '/settings', { ...RIGHT, autoCreateContacts: 'on' })
      .expect(303)
      .expect('Location', '/settings');
    expect(await config(nora)).to.include({
      ...RIGHT,
      minMessages: 5,
      includeGroups: false,
      autoCreateContacts: true,
    });
    expect(wordsOf((await nora.get('/settings')).text)).to.include('Saved');
    expect(wordsOf((await nora.get('/settings')).text)).not.to.include('Saved');
  });

  it('has a field for every setting, and saves every switch', async () => {
    const settings = Object.entries<unknown>(await config(nora));
    const { text } = await nora.get('/settings').expect(200);
    expect(settings.map(([name]) => name).filter(name => !text.includes(`name="${name}"`))).to.deep.equal([]);
    for (const [name] of settings.filter(([, value]) => typeof value === 'boolean')) {
      await post(nora, '/settings', { ...RIGHT, [name]: 'on' }).expect(303);
      expect((await config(nora))[name], name).to.equal(true);
      const saved = (await nora.get('/settings')).text;
      expect(saved, name).to.match(new RegExp(`name="${name}"[^>]*\\schecked`));
    }
  });

  it('keeps what was typed and says at each field what is wrong', async () => {
    const before = await config(nora);
    const wrong = { syncTime: '25:00', timezone: 'Mars/Base', minMessages: '<b>', summaryStyle: 'POEM' };
    const { text } = await post(nora, '/settings', wrong).expect(400);
    expect(text).to.include('<title>Error: Settings').and.include('value="&lt;b&gt;"').and.include('value="25:00"');
    for (const field of Object.keys(wrong)) expect(text).to.include(`href="#${field}"`);
    expect(wordsOf(text)).to.include('Choose a time zone from the list').and.include('whole number from 1 to 500');
    expect(await config(nora)).to.deep.equal(before);
    await post(nora, '/settings', {}).expect(400);
  });

  it('answers htmx with the form alone', async () => {
    const wrong = await htmxPost(nora, '/settings', { ...RIGHT, minMessages: '0' }).expect(400);
    expect(wrong.text.trim()).to.match(/^<form/);
    expect(wrong.text).to.include('value="0"').and.include('error-summary');
    const saved = await htmxPost(nora, '/settings', { ...RIGHT, minMessages: '3' }).expect(200);
    expect(wordsOf(saved.text)).to.match(/Saved$/);
    expect(await config(nora)).to.include({ minMessages: 3 });
  });

  it('shows who is connected, with the phone number half hidden', async () => {
    await connectMessenger(service, nora, owner.phone ?? '');
    const { text } = await nora.get('/settings').expect(200);
    expect(wordsOf(text)).to.include('Nora Lind, +34 600 ••••• 22').and.include('Working');
    expect(text).not.to.include(owner.phone);
  });

  it('remembers the theme in a cookie and draws the page in it', async () => {
    await post(nora, '/settings/theme', { theme: 'dark' }).expect(303);
    expect((await nora.get('/settings')).text).to.include('data-theme="dark"');
    await post(nora, '/settings/theme', { theme: 'pink' }).expect(400);
    await post(nora, '/settings/theme', { theme: 'system' }).expect(303);
    expect((await nora.get('/settings')).text).not.to.include('data-theme');
  });
});

describe('The forecast on the settings page', () => {
  let service: Service;
  let nora: Agent;

  before(async () => {
    service = await startService({ worlds: [world(crowd(4))] });
    nora = await signIn(service, 'nora@example.com');
  });
  after(stopServices);

  const words = async () => wordsOf((await nora.get('/settings').expect(200)).text);

  it('has the numbers of a usual day', async () => {
    await connectMessenger(service, nora, owner.phone ?? '');
    await syncNow(nora);
    expect(await words()).to.include('With 1, about 4 of your 4 conversations get a digest on a normal day.');
    expect(await words()).to.include('With 5 it would be none.');
    expect(await words()).to.match(/Next digest (Today|Tomorrow) at 18:00 Reads about 4 conversations/);
    const later = { ...RIGHT, minMessages: '5', syncTime: '05:05', timezone: 'UTC' };
    const { text } = await htmxPost(nora, '/settings', later).expect(200);
    expect(text).to.match(/id="next" hx-swap-oob="true"/);
    expect(wordsOf(text)).to.match(/What happens next Next digest (Today|Tomorrow) at 05:05/);
    await htmxPost(nora, '/settings', { ...later, minMessages: '1' }).expect(200);
    expect(await words()).to.match(/Last read today, \d\d:\d\d, 4 conversations\. Connected since today\./);
  });

  it('leaves out the first day, which read two weeks at once, once there is another one', async () => {
    service.clock.advance(24 * 3600 * 1000);
    service.sandbox.addMessages('test', 'user:5001', [{ from: 5001, text: 'And today?' }]);
    await syncNow(nora);
    expect(await words()).to.include('With 1, about 1 of your 4 conversations gets a digest on a normal day.');
    const form = { ...RIGHT, minMessages: '3' };
    const { text } = await htmxPost(nora, '/settings', form).expect(200);
    expect(wordsOf(text)).to.include('With 3, none of your 4 conversations').and.include('With 1 it would be about 1.');
  });
});
