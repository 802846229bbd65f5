import { expect } from 'chai';
import { htmxPost, post, wordsOf } from '../../../support/pages.ts';
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

  it('saves the form, where a missing switch is off', async () => {
    const { body: before } = await nora.post('/api/settings').send({ includeGroups: true }).expect(200);
    expect(before.config.includeGroups).to.equal(true);
    await post(nora, '/settings', { ...RIGHT, autoCreateContacts: 'on' })
      .expect(303)
      .expect('Location', '/settings');
    expect(await config(nora)).to.include({ ...RIGHT, minMessages: 5, includeGroups: false, autoCreateContacts: true });
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

  it('shows who is connected, with the phone number half hidden', async () => {
    await connectMessenger(service, nora, owner.phone ?? '');
    const { text } = await nora.get('/settings').expect(200);
    expect(wordsOf(text)).to.include('Nora Lind, +34 600 ••••• 22').and.include('Working');
    expect(text).not.to.include(owner.phone);
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
});
