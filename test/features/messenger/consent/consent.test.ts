import { expect } from 'chai';
import { createSummarizerChoice } from '../../../../src/features/messenger/consent/service.ts';
import type { AiSandbox } from '../../../support/ai/server.ts';
import { expectNothingInline, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectedNora, signIn, syncNow } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { crowd, dialog, message, owner, person, world } from '../../../support/worlds.ts';
import { connectOnPage, dialogIdOf, enginesOfNextDay, MODEL, startWithModel, WRITES } from './given.ts';

const PHONE = owner.phone ?? '';
const PRIVATE = ['user:5001', 'user:5002'];
const ALL = [...PRIVATE, 'chat:20'];
const QUESTION = 'Who writes your digests? This server can use an AI model';

function worldWithGroup() {
  const { users, dialogs } = crowd(2);
  const bot = person(5900, { firstName: 'Parcel', isBot: true });
  const group = { id: 20, kind: 'group' as const, title: 'The team', username: null };
  const talk = dialog('chat:20', [message(5003, { from: WRITES })]);
  return world({ users: [...users, bot], chats: [group], dialogs: [...dialogs, talk, dialog('user:5900', [message(1)])] });
}

describe('Consent to a model', () => {
  let ai: AiSandbox;
  let service: Service;
  let host: string;
  let nora: Agent;
  let accountId: string;

  before(async () => {
    ({ ai, service, host } = await startWithModel({ worlds: [worldWithGroup()] }));
    nora = await signIn(service, 'nora@example.com');
    await nora.post('/api/settings').send({ includeGroups: true }).expect(200);
    accountId = await connectOnPage(service, nora, { phone: PHONE, writer: 'model' });
    expect((await syncNow(nora)).state).to.equal('completed');
  });
  after(stopServices);

  const ofAccount = () => `/settings/connections/${accountId}/writer`;
  const ofDialog = async (name: string) => `/conversations/${await dialogIdOf(service, name)}/writer`;
  const words = async (path: string) => wordsOf((await nora.get(path).expect(200)).text);
  const exported = async () => JSON.parse((await nora.get('/settings/account/export').expect(200)).text);
  const nextDay = (keys = ALL) => enginesOfNextDay(service, nora, keys);

  it('lets the model write private conversations, and no group', async () => {
    expect(await nextDay()).to.deep.equal({ 'Person 5001': MODEL, 'Person 5002': MODEL, 'The team': 'built-in' });
    expect(await words('/settings')).to.include(`Digests by an AI model (${MODEL}, at ${host}).`);
    const list = await words('/conversations');
    expect(list).to.include(`Digests by ${MODEL}. Change , for Person 5001`);
    expect(list).to.include('Digests by this server. Change , for The team');
  });

  it('is seen under Privacy and in the export, with time, wording, model and host', async () => {
    const privacy = await nora.get('/privacy').expect(200);
    expectNothingInline(privacy.text);
    expect(wordsOf(privacy.text))
      .to.include(`An AI model: ${MODEL}, at ${host}`)
      .and.match(/Chosen (on \w+|yesterday|today) at \d\d:\d\d/)
      .and.include('What leaves this server: New messages of your private conversations, with first names.')
      .and.include('Take back');
    const [choice] = (await exported()).writerChoices;
    expect(choice).to.include({ writer: 'model', model: MODEL, host, accountId, endedAt: null });
    expect(choice.wording).to.include('What leaves this server');
    expect(Date.parse(choice.chosenAt)).to.be.below(Number(service.clock.now()));
  });

  it('is given for one group only by switching it on, in words about that group', async () => {
    const path = await ofDialog('The team');
    const { text } = await nora.get(path).expect(200);
    expect(text).not.to.match(/<input[^>]*type="radio"[^>]*\schecked/);
    expect(wordsOf(text))
      .to.include('The team')
      .and.include('New messages of this group, with its name and first names.')
      .and.include('The others in this group haven’t been asked');
    expectNothingInline(text);
    await post(nora, path, { writer: 'model' }).expect(303);
    expect((await nextDay())['The team']).to.equal(MODEL);
  });

  it('is taken back for one conversation alone', async () => {
    await post(nora, await ofDialog('Person 5001'), { writer: 'built-in' }).expect(303);
    expect(await nextDay()).to.deep.equal({ 'Person 5001': 'built-in', 'Person 5002': MODEL, 'The team': MODEL });
    expect(await words(`/conversations/${await dialogIdOf(service, 'Person 5001')}`)).to.include('Digests by this server.');
  });

  it('is taken back under Privacy for the whole account, groups included, and the next digest is the built-in one', async () => {
    const calls = ai.calls();
    await post(nora, ofAccount(), { writer: 'built-in', from: 'privacy' }).expect(303).expect('Location', '/privacy#writer');
    expect(new Set(Object.values(await nextDay()))).to.deep.equal(new Set(['built-in']));
    expect(ai.calls()).to.equal(calls);
    const privacy = await words('/privacy');
    expect(privacy)
      .to.match(/Taken back .* at \d\d:\d\d/)
      .and.not.include('Take back');
    const { writerChoices } = await exported();
    const consents = writerChoices.filter((one: { writer: string }) => one.writer === 'model');
    expect(consents).to.have.length(2);
    for (const consent of consents) expect(consent).to.include({ endReason: 'taken back' });
    expect(await words('/today')).not.to.include(QUESTION);
  });

  it('keeps the time of the first answer when it is repeated', async () => {
    const before = await service.db('writer_choices').orderBy('id');
    service.clock.advance(60_000);
    await Promise.all([1, 2, 3].map(() => post(nora, ofAccount(), { writer: 'built-in' }).expect(303)));
    const after = await service.db('writer_choices').orderBy('id');
    // The conversation that was allowed meanwhile ends with it.
    expect(after.map(({ id }) => id)).to.deep.equal(before.map(({ id }) => id));
    expect(after.filter(({ ended_at }) => ended_at === null).map(({ writer }) => writer)).to.not.include('model');
  });

  it('is asked for again when the operator turns to another model or host', async () => {
    await post(nora, ofAccount(), { writer: 'model' }).expect(303);
    const dialogId = await dialogIdOf(service, 'Person 5002');
    await post(nora, `/conversations/${dialogId}/writer`, { writer: 'model' }).expect(303);
    const { id: userId } = await service.db('users').where({ email: 'nora@example.com' }).first('id');
    const [builtIn, model] = [true, false].map(isInstant => ({ isInstant, summarize: () => Promise.reject() }));
    if (!builtIn || !model) throw new Error('two summarizers');
    const writes = async (aiService: { model: string; host: string }) =>
      (await createSummarizerChoice({ db: service.db, builtIn, ai: model, aiService })({ userId, dialogId })).isInstant
        ? 'built-in'
        : 'model';
    expect(await writes({ model: MODEL, host })).to.equal('model');
    expect(await writes({ model: 'another', host })).to.equal('built-in');
    expect(await writes({ model: MODEL, host: 'ai.example.org' })).to.equal('built-in');

    const url = await service.anotherWeb({ AI_MODEL: 'another' });
    const there = await signIn({ url }, 'nora@example.com');
    expect(wordsOf((await there.get('/today')).text)).to.include(`${QUESTION} (another, at ${host}).`);
    expect(wordsOf((await there.get('/privacy')).text)).to.include('Not in effect: this server now uses another model');
    expect(await words('/today')).not.to.include(QUESTION);
  });
});

describe('An account connected before consent was asked for', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;

  before(async () => {
    ({ ai, service } = await startWithModel({ worlds: [worldWithGroup()] }));
    nora = await connectedNora(service);
    await service.db('writer_choices').del();
  });
  after(stopServices);

  const today = async () => (await nora.get('/today').expect(200)).text;

  it('gets the built-in summarizer, and Today asks', async () => {
    expect(await enginesOfNextDay(service, nora, PRIVATE)).to.deep.equal({
      'Person 5001': 'built-in',
      'Person 5002': 'built-in',
    });
    expect(ai.calls()).to.equal(0);
    const html = await today();
    expect(wordsOf(html)).to.include(QUESTION);
    const [path = ''] = html.match(/\/settings\/connections\/[\w-]+\/writer\?from=today/) ?? [];
    expect((await nora.get(path).expect(200)).text).not.to.match(/<input[^>]*type="radio"[^>]*\schecked/);
  });

  for (const writer of ['built-in', 'model']) {
    it(`is not asked again once the answer is ${writer}`, async () => {
      await service.db('writer_choices').del();
      const { id } = await service.db('messenger_accounts').first();
      const answer = post(nora, `/settings/connections/${id}/writer`, { writer, from: 'today' });
      await answer.expect(303).expect('Location', '/today');
      expect(wordsOf(await today())).not.to.include(QUESTION);
      const engine = writer === 'model' ? MODEL : 'built-in';
      expect(await enginesOfNextDay(service, nora, ['user:5001'])).to.deep.equal({ 'Person 5001': engine });
    });
  }
});
