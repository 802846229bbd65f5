import { expect } from 'chai';
import { type AiSandbox, startAiSandbox } from '../../../src/sandbox/ai/server.ts';
import { expectNothingInline, htmxPost, post, wordsOf } from '../../support/pages.ts';
import { type Agent, connectMessenger, secretsOf, signIn, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { crowd, dialog, message, owner, person, world } from '../../support/worlds.ts';

const PHONE = owner.phone ?? '';
const MODEL = 'model-of-the-operator';
const { users, dialogs } = crowd(2);
const bot = person(5900, { firstName: 'Parcel', isBot: true });
const worlds = [world({ users: [...users, bot], dialogs: [...dialogs, dialog('user:5900', [message(1)])] })];

describe('The choice of who reads the text', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;
  let sam: Agent;
  let accountId: string;

  before(async () => {
    ai = await startAiSandbox({});
    const env = { AI_API_KEY: 'key', AI_MODEL: MODEL, AI_API_URL: ai.url, RATE_LIMIT_CONNECT: '20' };
    service = await startService({ worlds, env });
    [nora, sam] = [await signIn(service, 'nora@example.com'), await signIn(service, 'sam@example.com')];
    accountId = await connectMessenger(service, nora, PHONE);
  });
  after(async () => {
    await stopServices();
    await ai.stop();
  });

  const settings = async () => wordsOf((await nora.get('/settings').expect(200)).text);
  const conversations = async () => (await nora.get('/conversations').expect(200)).text;
  const ofAccount = () => `/settings/connections/${accountId}/summariser`;
  const ofDialog = async (peerName: string) => {
    const { id } = await service.db('dialogs').where({ peer_name: peerName }).first();
    return `/conversations/${id}/summariser`;
  };
  /** The engines of a day of its own, by conversation. */
  const enginesOfNextDay = async () => {
    service.clock.advance(24 * 3600 * 1000);
    for (const id of [5001, 5002]) {
      service.sandbox.addMessages('test', `user:${id}`, [{ from: id, text: 'Can you send the offer?' }]);
    }
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 2, errors: [] });
    const rows = await service
      .db('digests')
      .join('dialogs', 'dialogs.id', 'dialog_id')
      .orderBy([{ column: 'digest_date', order: 'desc' }, 'peer_name'])
      .limit(2);
    return rows.map(row => row.engine);
  };

  it('says in words that the AI service reads an account, with its model’s name', async () => {
    expect(await settings()).to.include(`sent to the AI service this server uses (${MODEL})`);
    expectNothingInline((await nora.get('/settings')).text);
    expect(wordsOf((await nora.get('/connect')).text))
      .to.include(`sent to the AI service this server uses (${MODEL})`)
      .and.include('to the summariser built into this server');
  });

  it('says it of each conversation that is read, and offers to keep it on this server', async () => {
    const html = await conversations();
    expect(wordsOf(html)).to.include(`Read by ${MODEL}. Keep it on this server`);
    expect(html.match(/\/summariser"/g)).to.have.length(4);
    expectNothingInline(html);
    const { id } = await service.db('dialogs').where({ peer_name: 'Person 5001' }).first();
    await post(nora, `/conversations/${id}/track`, { isTracked: 'false' }).expect(303);
    expect((await conversations()).match(/\/summariser"/g)).to.have.length(2);
    await post(nora, `/conversations/${id}/track`, { isTracked: 'true' }).expect(303);
  });

  it('keeps one conversation on this server, from the next sync on', async () => {
    const path = await ofDialog('Person 5001');
    await post(nora, path, { builtInOnly: 'true', page: '1' }).expect(303).expect('Location', '/conversations');
    expect(wordsOf(await conversations())).to.include('Read on this server only. Let the AI service read it');
    expect(await enginesOfNextDay()).to.deep.equal(['built-in', MODEL]);
  });

  it('lets the AI service read it again, with htmx in its row', async () => {
    const { text } = await htmxPost(nora, await ofDialog('Person 5001'), { builtInOnly: 'false' }).expect(200);
    expect(text.trim()).to.match(/^<li class="conversation"/);
    expect(wordsOf(text)).to.include('Keep it on this server');
    expect(await enginesOfNextDay()).to.deep.equal([MODEL, MODEL]);
  });

  it('keeps a whole account on this server', async () => {
    await post(nora, ofAccount(), { builtInOnly: 'true' }).expect(303).expect('Location', '/settings#connections');
    expect(await settings()).to.include('None is sent to the AI service.');
    const html = await conversations();
    expect(wordsOf(html)).to.include('Read on this server, as its whole account is.');
    expect(html).not.to.include('/summariser"');
    expect(await enginesOfNextDay()).to.deep.equal(['built-in', 'built-in']);
  });

  it('answers htmx with the connection alone', async () => {
    const { text } = await htmxPost(nora, ofAccount(), { builtInOnly: 'false' }).expect(200);
    expect(text.trim())
      .to.match(/^<div class="conn"/)
      .and.include('aria-checked="false"');
    expect(await enginesOfNextDay()).to.deep.equal([MODEL, MODEL]);
  });

  it('is nobody else’s, and refuses what is no choice', async () => {
    const path = await ofDialog('Person 5001');
    for (const somewhere of [path, ofAccount(), `/settings/connections/${crypto.randomUUID()}/summariser`]) {
      await post(sam, somewhere, { builtInOnly: 'true' }).expect(404);
    }
    for (const nothing of ['/conversations/x/summariser', '/settings/connections/x/summariser']) {
      await post(nora, nothing, { builtInOnly: 'true' }).expect(404);
    }
    await post(nora, path, { builtInOnly: 'perhaps' }).expect(400);
    await post(nora, ofAccount()).expect(400);
    await post(nora, await ofDialog('Parcel'), { builtInOnly: 'true' }).expect(409);
    expect(await service.db('dialogs').where({ built_in_only: true })).to.deep.equal([]);
    expect(await service.db('messenger_accounts').where({ built_in_only: true })).to.deep.equal([]);
  });

  it('can be made before anything is read, and is not taken back by connecting again', async () => {
    const wrong = await post(nora, '/connect', { phone: '12', builtInOnly: 'on' }).expect(400);
    expect(wrong.text).to.match(/id="builtInOnly"[^>]* checked/);
    const chosen: Record<string, string>[] = [{ phone: PHONE, builtInOnly: 'on' }, { phone: PHONE }];
    for (const form of chosen) {
      await post(nora, '/connect', form).expect(303);
      const { code } = secretsOf(service, PHONE);
      await post(nora, '/connect/code', { code }).expect(303).expect('Location', '/today');
      expect((await service.db('messenger_accounts').first()).built_in_only).to.equal(true);
    }
  });
});

describe('A server without an AI service', () => {
  after(stopServices);

  it('offers no choice and says that no message leaves it', async () => {
    const service = await startService({ worlds, worker: false });
    const nora = await signIn(service, 'nora@example.com');
    await connectMessenger(service, nora, PHONE);
    for (const path of ['/settings', '/conversations']) {
      expect((await nora.get(path).expect(200)).text).not.to.match(/summariser"|AI service/);
    }
    const connect = await nora.get('/connect').expect(200);
    expect(wordsOf(connect.text)).to.include('No message leaves it, and none is stored.');
    expect(connect.text).not.to.include('name="builtInOnly"');
  });
});
