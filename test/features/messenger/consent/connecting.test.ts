import { expect } from 'chai';
import { expectNothingInline, htmxPost, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectMessenger, signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
import { crowd, dialog, message, owner, person, world } from '../../../support/worlds.ts';
import { connectOnPage, dialogIdOf, MODEL, startWithModel } from './given.ts';

const PHONE = owner.phone ?? '';
const UMA = person(1700, { phone: '+34600111777' });
const REFUSAL = 'Choose who writes your digests.';
const CHECKED = /<input[^>]*type="radio"[^>]*\schecked/;

/** Someone with two groups of today and one that is silent. */
function groupsOfUma() {
  const date = Math.floor(Date.now() / 1000) - 3600;
  const group = (id: number, title: string) => ({ id, title, kind: 'group' as const, username: null });
  const said = (key: string, details: object) => dialog(key, [message(1, { from: UMA.id, ...details })]);
  return world({
    ...{ key: 'uma', owner: UMA },
    chats: [group(701, 'Rollout'), group(702, 'Long ago'), group(703, 'Choir')],
    dialogs: [said('chat:701', { date }), said('chat:702', {}), said('chat:703', { date })],
  });
}

describe('Connecting an account where the operator configured a model', () => {
  let service: Service;
  let host: string;
  let nora: Agent;

  before(async () => {
    ({ service, host } = await startWithModel({ worlds: [world(crowd(2)), groupsOfUma()], worker: false }));
    nora = await signIn(service, 'nora@example.com');
  });
  after(stopServices);
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

  it('offers the groups of the last two weeks before the first sync, each read and sent to the model only by its own switch', async () => {
    const agent = await signIn(service, 'uma@example.com');
    await agent.get('/start').expect(200);
    await connectOnPage(service, agent, { phone: UMA.phone ?? '', writer: 'model' });
    await post(agent, '/start/crm-later').expect(303);
    const start = async () => (await agent.get('/start').expect(200)).text;
    expect(wordsOf(await start()))
      .to.include('2 groups had messages in the last two weeks')
      .and.include('Rollout')
      .and.not.include('Long ago');
    const id = await dialogIdOf(service, 'Rollout');
    const on = { from: 'start', isTracked: 'true' };
    await post(agent, `/conversations/${id}/track`, on).expect(303).expect('Location', '/start');
    expect(wordsOf(await start())).to.match(/Rollout Group · (?:Today|Yesterday) Digests by this server\. Change/);
    const { text } = await htmxPost(agent, `/conversations/${id}/track`, on).expect(200);
    const [, writer = ''] = /href="(\/conversations\/[^"]*\/writer\?from=start)"/.exec(text) ?? [];
    const { text: question } = await agent.get(writer).expect(200);
    expect(question).not.to.match(CHECKED);
    await post(agent, writer, { writer: 'model', from: 'start' }).expect(303).expect('Location', '/start');
    const [choice, ...others] = await held().whereNotNull('dialog_id');
    expect(others).to.deep.equal([]);
    expect(choice).to.include({ dialog_id: id, writer: 'model', model: MODEL, host });
    expect(choice.wording).to.include('New messages of this group, with its name and first names.');
    expect(wordsOf(await start())).to.include(`Digests by ${MODEL}.`);
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
