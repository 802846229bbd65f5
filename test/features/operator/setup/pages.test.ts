import { statSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import request from 'supertest';
import { readSettings, writeSettings } from '../../../../src/lib/settingsFile.ts';
import { expectNothingInline, wordsOf } from '../../../support/pages.ts';
import { type Agent, admitted, CRM, check, type OpenSetup, openSetup, save, TELEGRAM, UNKNOWN_HASH } from './openSetup.ts';

const OWNER = { email: 'Nora@Example.com', mailUrl: '', mailFrom: '' };

async function answerAll(agent: Agent, owner: object = OWNER) {
  await save(agent, 'telegram', TELEGRAM).expect(303);
  for (const step of ['writer', 'crm', 'address']) await save(agent, step, { action: 'later' }).expect(303);
  await save(agent, 'owner', owner).expect(303);
}

describe('The setup page', () => {
  let setup: OpenSetup;
  before(async () => {
    setup = await openSetup();
  });
  beforeEach(() => writeFileSync(setup.settingsFile, ''));
  afterEach(() => {
    setup.messenger.faults.clear();
    setup.ai.faults.clear();
  });
  after(() => setup.stop());

  const opened = async () => admitted(await setup.again());
  const kept = () => readSettings(setup.settingsFile);

  describe('to others', () => {
    it('opens once, to the browser that comes with the token', async () => {
      const page = await setup.again();
      await request(page.url).get('/setup').expect(403);
      await request(page.url).get('/setup').query({ token: 'guessed' }).expect(403);
      const first = await admitted(page);
      await first.get('/setup').expect(200);
      await first.get('/setup').query({ token: page.token }).expect(303);
      await request(page.url).get('/setup').query({ token: page.token }).expect(403);
      await save(request.agent(page.url), 'telegram', TELEGRAM).expect(403);
      expect(kept()).to.deep.equal({});
    });

    it('answers only to loopback addresses, and to no proxy', async () => {
      const agent = await opened();
      await agent.get('/setup').set('Host', 'evil.example').expect(403);
      await agent.get('/setup').set('Host', '192.168.1.2:3000').expect(403);
      await agent.get('/setup').set('X-Forwarded-For', '203.0.113.7').expect(403);
      await agent.get('/setup').expect(200);
    });

    it('rejects a form of another site', async () => {
      const agent = await opened();
      for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }]) {
        await save(agent, 'telegram', TELEGRAM).set(headers).expect(403);
        await check(agent, 'telegram', TELEGRAM).set(headers).expect(403);
      }
      expect(kept()).to.deep.equal({});
    });
  });

  it('has nothing inline and tells no one where it was opened from', async () => {
    const page = await setup.again();
    const { headers } = await request(page.url).get('/setup').query({ token: page.token });
    expect(headers['referrer-policy']).to.equal('no-referrer');
    expect(headers['set-cookie']?.[0]).to.match(/^forenoon-setup=[\w-]{43}; Path=\/setup; HttpOnly; SameSite=Lax$/);
    expect(headers['set-cookie']?.[0]).not.to.include(page.token);
    const { text } = await (await opened()).get('/setup').expect(200);
    expectNothingInline(text);
  });

  it('keeps all answers in a file that only this user can read, with secrets made once', async () => {
    const agent = await opened();
    await answerAll(agent);
    const { SESSION_SECRET = '', ENCRYPTION_KEY = '', ADMIN_API_KEY = '', ...settings } = kept();
    expect(settings).to.deep.equal({
      ...{ MESSENGER_API_ID: TELEGRAM.apiId, MESSENGER_API_HASH: TELEGRAM.apiHash },
      ...{ AI_API_URL: '', AI_MODEL: '', AI_API_KEY: '', AI_CONCURRENCY: '', AI_TIMEOUT: '' },
      ...{ AI_FORMAT: '', AI_CONTEXT_TOKENS: '' },
      ...{ CRM_ACCESS_TOKEN: '', CRM_CLIENT_ID: '', CRM_CLIENT_SECRET: '' },
      ...{ APP_URL: '', TRUST_PROXY: '', OWNER_EMAIL: 'nora@example.com', MAIL_URL: '', MAIL_FROM: '' },
    });
    expect(Buffer.from(ENCRYPTION_KEY, 'base64')).to.have.length(32);
    expect([SESSION_SECRET.length >= 43, ADMIN_API_KEY.length >= 32]).to.deep.equal([true, true]);
    expect(statSync(setup.settingsFile).mode & 0o777).to.equal(0o600);
    await save(agent, 'telegram', TELEGRAM).expect(303);
    expect(kept()).to.include({ SESSION_SECRET, ENCRYPTION_KEY, ADMIN_API_KEY });
  });

  it('never makes new secrets in place of lost ones', async () => {
    const agent = await opened();
    await answerAll(agent);
    const { ENCRYPTION_KEY: _, ...others } = kept();
    writeSettings(setup.settingsFile, others);
    await save(agent, 'telegram', TELEGRAM).expect(500);
    expect(kept()).to.deep.equal(others);
  });

  it('shows at a second setup what is set, but no secret, and lets one thing be changed', async () => {
    const mail = { mailUrl: setup.mail.mailUrl, mailFrom: 'Forenoon <hello@forenoon.example>' };
    const first = await opened();
    await save(first, 'telegram', TELEGRAM).expect(303);
    await save(first, 'writer', { aiUrl: setup.ai.url, model: 'qwen3:14b', aiKey: 'ai-secret' }).expect(303);
    await save(first, 'crm', CRM).expect(303);
    await save(first, 'address', { action: 'later' }).expect(303);
    await save(first, 'owner', { ...OWNER, ...mail }).expect(303);
    const before = kept();

    const second = await opened();
    const pages = [await second.get('/setup').expect(200)];
    for (const step of ['telegram', 'writer', 'crm', 'address', 'owner']) {
      pages.push(await second.get('/setup').query({ change: step }).expect(200));
    }
    const text = pages.map(page => page.text).join();
    expect(wordsOf(text)).to.include('App 2814 ••••').and.include('qwen3:14b at').and.include('Kept, and not shown again');
    const made = [before.SESSION_SECRET, before.ENCRYPTION_KEY, before.ADMIN_API_KEY];
    for (const secret of [TELEGRAM.apiHash, 'ai-secret', CRM.accessKey, mail.mailUrl, ...made])
      expect(text).not.to.include(secret);

    await save(second, 'writer', { aiUrl: setup.ai.url, model: 'llama4', aiKey: '' }).expect(303);
    expect(kept()).to.deep.equal({ ...before, AI_MODEL: 'llama4' });
    expect(setup.said.join('\n'))
      .to.include('✓ llama4 at')
      .and.not.match(/ai-secret|c0ffee00/);
  });

  it('sends a kept key to no other server', async () => {
    const agent = await opened();
    await save(agent, 'writer', { aiUrl: setup.ai.url, model: 'm', aiKey: 'ai-secret' }).expect(303);
    const elsewhere = setup.ai.url.replace('127.0.0.1', 'localhost');
    await save(agent, 'writer', { aiUrl: elsewhere, model: 'm', aiKey: '' }).expect(303);
    expect(kept().AI_API_KEY).to.equal('');
    await save(agent, 'telegram', TELEGRAM).expect(303);
    const { text } = await save(agent, 'telegram', { apiId: '999', apiHash: '' }).expect(400);
    expect(wordsOf(text)).to.include('Enter the api_hash.');
  });

  it('says at the field what is wrong, and loses nothing that was typed', async () => {
    const agent = await opened();
    const { text } = await save(agent, 'telegram', { apiId: '28x', apiHash: 'short' }).expect(400);
    expect(text).to.include('value="28x"').and.include('href="#apiId"').and.include('<title>Error: ');
    expect(wordsOf(text)).to.include('api_id is a number').and.include('api_hash has 32 characters');
    expect(kept()).to.deep.equal({});
    const wrong: [string, object, string][] = [
      ['writer', { aiUrl: 'http://ai.example/v1', model: 'm' }, 'with https://'],
      ['writer', { aiUrl: setup.ai.url }, 'Enter the model’s name.'],
      ['crm', { accessKey: 'a key of mine' }, 'The key has letters, digits and hyphens only.'],
      ['address', { appUrl: 'https://forenoon.example/path' }, 'without a path'],
      ['address', { appUrl: 'javascript:alert(1)' }, 'with https://'],
      ['owner', { email: 'nora' }, 'This is not an email address.'],
      ['owner', { ...OWNER, mailUrl: 'smtp://mail.example' }, 'Enter the sender, too.'],
      ['owner', { ...OWNER, mailUrl: 'https://mail.example', mailFrom: 'a@b.example' }, 'It looks like smtps://'],
      ['owner', { ...OWNER, mailUrl: 'smtp://x', mailFrom: 'a@b.example\nBcc: c@d.example' }, 'an invalid character'],
    ];
    for (const [step, fields, words] of wrong) {
      const answer = await save(agent, step, fields).expect(400);
      expect(wordsOf(answer.text), JSON.stringify(fields)).to.include(words);
    }
    expect(kept()).to.deep.equal({});
    await save(agent, 'telegram', { action: 'later' }).expect(404);
    await save(agent, 'unknown', {}).expect(404);
  });

  describe('as it asks the services', () => {
    it('says what Telegram answers, and never saves what it rejects', async () => {
      const agent = await opened();
      const { text } = await check(agent, 'telegram', TELEGRAM).expect(200);
      expect(wordsOf(text)).to.match(/Telegram accepts them: app 2814 •••• \d+\.\d s/);
      const refused = { ...TELEGRAM, apiHash: UNKNOWN_HASH };
      for (const action of ['', 'anyway']) {
        const answer = await save(agent, 'telegram', { ...refused, action }).expect(400);
        expect(wordsOf(answer.text)).to.include('Telegram doesn’t accept this pair').and.not.include('Save anyway');
      }
      expect(kept()).to.deep.equal({});
      expect(setup.messenger.calls()['auth.SendCode']).to.equal(undefined);
    });

    it('saves what it could not check only when told to', async () => {
      const agent = await opened();
      setup.messenger.faults.always({ status: 420, message: 'FLOOD_WAIT_30', on: 'auth.ExportLoginToken' });
      const { text } = await save(agent, 'telegram', TELEGRAM).expect(400);
      expect(wordsOf(text)).to.include('Telegram didn’t answer').and.include('Save anyway');
      expect(kept()).to.deep.equal({});
      await save(agent, 'telegram', { ...TELEGRAM, action: 'anyway' }).expect(303);
      expect(kept()).to.include({ MESSENGER_API_ID: TELEGRAM.apiId });
    });

    it('finds out which HubSpot account the key opens, and whether it may read contacts', async () => {
      const agent = await opened();
      const said = async (key: string) => wordsOf((await check(agent, 'crm', { accessKey: key })).text);
      expect(await said(CRM.accessKey)).to.include('HubSpot accepts the key: account 8412077');
      expect(await said('pat-eu1-unknown')).to.include('HubSpot doesn’t accept this key');
      setup.crm.addKey('pat-eu1-narrow', ['crm.schemas.contacts.read']);
      expect(await said('pat-eu1-narrow')).to.include('The key may not read contacts');
    });
  });
});
