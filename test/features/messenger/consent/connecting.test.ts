import { expect } from 'chai';
import type { AiSandbox } from '../../../support/ai/server.ts';
import { expectNothingInline, htmxPost, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectMessenger, secretsOf, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { crowd, owner, world } from '../../../support/worlds.ts';
import { connectOnPage, MODEL, startWithModel } from './given.ts';

const PHONE = owner.phone ?? '';
const REFUSAL = 'Choose who writes your digests.';
const CHECKED = /<input[^>]*type="radio"[^>]*\schecked/;

describe('Connecting an account where the operator configured a model', () => {
  let ai: AiSandbox;
  let service: Service;
  let host: string;
  let nora: Agent;

  before(async () => {
    ({ ai, service, host } = await startWithModel({ worlds: [world(crowd(2))], worker: false }));
    nora = await signIn(service, 'nora@example.com');
  });
  after(async () => {
    await stopServices();
    await ai.stop();
  });
  beforeEach(() => service.db('messenger_accounts').del());

  const held = () => service.db('writer_choices').where({ ended_at: null });

  it('asks who writes the digests, with the model and its host, and preselects neither', async () => {
    const { text } = await nora.get('/connect').expect(200);
    expectNothingInline(text);
    expect(text.match(/name="writer"/g)).to.have.length(2);
    expect(text).not.to.match(CHECKED);
    expect(wordsOf(text))
      .to.include(`An AI model Model ${MODEL}, at ${host}`)
      .and.include('This server The built-in summarizer')
      .and.include('Groups always start with the built-in summarizer.');
  });

  it('shows an error when nothing is chosen, sends no code and keeps the number', async () => {
    service.sandbox.resetCalls();
    for (const choice of [{}, { writer: 'operator' }, { writer: '' }] as Record<string, string>[]) {
      const { text } = await post(nora, '/connect', { phone: PHONE, ...choice }).expect(400);
      expect(wordsOf(text)).to.include(`There is a problem ${REFUSAL}`);
      expect(text)
        .to.include('href="#writer"')
        .and.match(/<input[^>]*id="writer"/);
      expect(text).to.include(`value="${PHONE}"`).and.not.match(CHECKED);
    }
    const { text } = await htmxPost(nora, '/connect', { phone: PHONE }).expect(400);
    expect(text.trim()).to.match(/^<div id="wizard">/);
    expect(service.sandbox.calls()).not.to.have.property('auth.SendCode');
  });

  it('asks the same before it shows a code to scan, and stores the answer once it was scanned', async () => {
    service.sandbox.resetCalls();
    const { text } = await post(nora, '/connect/scan', { phone: PHONE }).expect(400);
    expect(wordsOf(text)).to.include(`There is a problem ${REFUSAL}`);
    expect(text).to.include(`value="${PHONE}"`).and.not.match(CHECKED);
    expect(service.sandbox.calls()).not.to.have.property('auth.ExportLoginToken');
    await post(nora, '/connect/scan', { writer: 'built-in' }).expect(303).expect('Location', '/connect/scan');
    expect(await held()).to.deep.equal([]);
    service.sandbox.scan('test');
    await nora.get('/connect/scan').expect(303).expect('Location', '/today');
    expect((await held()).map(({ writer }) => writer)).to.deep.equal(['built-in']);
  });

  it('names both mistakes at once and keeps the choice', async () => {
    const { text } = await post(nora, '/connect', { phone: '12', writer: 'model' }).expect(400);
    expect(text).to.match(/<input[^>]*value="model"[^>]*\schecked/);
    const both = await post(nora, '/connect', { phone: '12' }).expect(400);
    expect(wordsOf(both.text)).to.include(`${REFUSAL} Enter the number with its country code`);
  });

  it('stores the consent with its time, its wording, the model and its host', async () => {
    await connectOnPage(service, nora, { phone: PHONE, writer: 'model' });
    const [choice, ...others] = await held();
    expect(others).to.deep.equal([]);
    expect(choice).to.include({ writer: 'model', model: MODEL, host, dialog_id: null });
    expect(choice.wording)
      .to.include(`Model ${MODEL}, at ${host}`)
      .and.include('What leaves this server: New messages of your private conversations, with first names.');
    expect(Math.abs(choice.chosen_at - Number(service.clock.now()))).to.be.below(60_000);
  });

  it('keeps the choice when a new code is asked for', async () => {
    await post(nora, '/connect', { phone: PHONE, writer: 'built-in' }).expect(303);
    const { text } = await nora.get('/connect/code').expect(200);
    expect(text).to.match(/<input type="hidden" name="writer" value="built-in">/);
    await post(nora, '/connect/code', { code: secretsOf(service, PHONE).code }).expect(303);
    expect((await held()).map(({ writer }) => writer)).to.deep.equal(['built-in']);
  });

  it('asks again on connecting again, and takes the newer answer', async () => {
    await connectOnPage(service, nora, { phone: PHONE, writer: 'model' });
    await post(nora, '/connect', { phone: PHONE }).expect(400);
    await connectOnPage(service, nora, { phone: PHONE, writer: 'built-in' });
    expect((await held()).map(({ writer }) => writer)).to.deep.equal(['built-in']);
    const [ended] = await service.db('writer_choices').whereNotNull('ended_at');
    expect(ended).to.include({ writer: 'model', end_reason: 'taken back' });
  });

  it('follows the operator’s setting through the API, but never overrides a choice made on the page', async () => {
    await connectMessenger(service, nora, PHONE);
    expect((await held()).map(({ writer }) => writer)).to.deep.equal(['operator']);
    expect(wordsOf((await nora.get('/today')).text)).not.to.include('Who writes your digests?');
    await connectOnPage(service, nora, { phone: PHONE, writer: 'built-in' });
    await connectMessenger(service, nora, PHONE);
    expect((await held()).map(({ writer }) => writer)).to.deep.equal(['built-in']);
  });

  it('ends the consent with the connection, and the API does not restore it', async () => {
    const accountId = await connectOnPage(service, nora, { phone: PHONE, writer: 'model' });
    await nora.post('/api/messenger/disconnect').send({ accountId }).expect(200);
    expect(await held()).to.deep.equal([]);
    expect(await service.db('writer_choices').first()).to.include({ end_reason: 'disconnected' });
    await connectMessenger(service, nora, PHONE);
    expect(await held()).to.deep.equal([]);
    expect(wordsOf((await nora.get('/today')).text)).to.include('Who writes your digests?');
  });

  it('says on every step what Telegram’s terms ask, with a sentence for the other side', async () => {
    await post(nora, '/connect', { phone: PHONE, writer: 'built-in' }).expect(303);
    for (const path of ['/connect', '/connect/code']) {
      const { text } = await nora.get(path).expect(200);
      expect(wordsOf(text))
        .to.include('uses the Telegram API and isn’t affiliated with Telegram')
        .and.include('Telegram monitors accounts that use other apps')
        .and.include('in Telegram under Settings, Devices')
        .and.include('I use Forenoon to keep track of what we agree.')
        .and.include(`An AI model (${MODEL}, at ${host}) summarizes our chat once a day.`);
      expect(text).to.include('href="mailto:recover@telegram.org"');
    }
  });
});

describe('Connecting an account where there is no model', () => {
  after(stopServices);

  it('asks nothing, and sends no text anywhere', async () => {
    const service = await startService({ worlds: [world(crowd(2))], worker: false });
    const nora = await signIn(service, 'nora@example.com');
    const { text } = await nora.get('/connect').expect(200);
    expect(text).not.to.include('name="writer"');
    expect(wordsOf(text))
      .to.include('This server, with its built-in summarizer.')
      .and.include('isn’t affiliated with Telegram');
    const accountId = await connectOnPage(service, nora, { phone: PHONE });
    expect(await service.db('writer_choices')).to.deep.equal([]);
    for (const path of ['/settings', '/conversations', '/today']) {
      expect((await nora.get(path).expect(200)).text).not.to.match(/AI model|\/writer"/);
    }
    await nora.get(`/settings/connections/${accountId}/writer`).expect(404);
  });
});
