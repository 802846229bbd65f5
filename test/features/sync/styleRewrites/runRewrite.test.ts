import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runRewrite } from '../../../../src/features/sync/styleRewrites/service.ts';
import { digestOf } from '../../../support/ai/model.ts';
import { type AiSandbox, startAiSandbox } from '../../../support/ai/server.ts';
import { htmxPost, post, wordsOf } from '../../../support/pages.ts';
import { type Agent, connectCrm, connectedNora, finished, signIn, syncNow } from '../../../support/people.ts';
import { type Service, startService, stopLater, stopServices } from '../../../support/service.ts';
import { expireLeases, withoutPauses } from '../../../support/skipPauses.ts';
import { until } from '../../../support/until.ts';
import { dialog, message, person, world } from '../../../support/worlds.ts';

const WORKER = fileURLToPath(new URL('../../../../src/worker.ts', import.meta.url));
const ANNA = person(2001, { firstName: 'Anna', lastName: 'Weber', username: 'annaweber' });
const KEY = `user:${ANNA.id}`;
const MODEL = 'model-of-the-operator';
const DAY_MS = 24 * 3600 * 1000;

function talk() {
  const texts = [
    'Could you please send me the signed contract by Friday?',
    'The price of 18,400 for forty seats is fine with us, the board has agreed to it.',
    'Our lawyer wants to see the data agreement before anybody signs, so please bring it along.',
    'And could you book a call with Marcus next Tuesday?',
  ];
  return world({
    users: [ANNA],
    dialogs: [
      dialog(
        KEY,
        texts.map((text, n) => message(11 + n, { from: ANNA.id, text })),
      ),
    ],
  });
}

describe('A digest to be rewritten', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;

  const start = async (options: { worker?: boolean; crm?: boolean; perHour?: string } = {}) => {
    ai = stopLater(await startAiSandbox({}));
    service = await startService({
      worlds: [talk()],
      env: { AI_API_KEY: 'key', AI_MODEL: MODEL, AI_API_URL: ai.url, RATE_LIMIT_REWRITE: options.perHour ?? '100' },
      worker: options.worker ?? true,
      ...(options.crm && { crm: { contacts: [{ id: '101', firstname: 'Anna', lastname: 'Weber' }] } }),
    });
    nora = await connectedNora(service);
  };
  afterEach(stopServices);

  const newest = () => service.db('digests').orderBy('digest_date', 'desc').first();
  const ask = async (style: string, id?: string) =>
    post(nora, `/digests/${id ?? (await newest()).id}/regenerate`, { style });
  const rewrites = () => service.db('digest_rewrites');
  const over = async () => (await rewrites().whereNot({ state: 'failed' })).length === 0;
  const page = async () => wordsOf((await nora.get(`/conversations/${(await newest()).dialog_id}`).expect(200)).text);
  const cursor = async () => (await service.db('dialogs').first()).cursor_message_id;
  const write = (text: string) => service.sandbox.addMessages('test', KEY, [{ from: ANNA.id, text }]);

  it('is written in the other style, from exactly its own messages, and changes nothing else', async () => {
    await start();
    await syncNow(nora);
    const before = await newest();
    const at = await cursor();
    write('This came later and belongs to the next digest.');
    const asked = ai.requests().length;
    await ask('DETAILED').then(({ status, headers }) => {
      expect(status).to.equal(303);
      expect(headers.location).to.equal(`/conversations/${before.dialog_id}#e-${before.id}`);
    });
    await until(over);
    const after = await newest();
    expect(after).to.include({ id: before.id, style: 'DETAILED', message_count: 4, status: 'COMPLETE' });
    expect(after.last_message_id).to.equal(before.last_message_id);
    expect(await cursor()).to.equal(at);
    const sent = JSON.stringify(ai.requests().slice(asked));
    expect(sent).to.include('signed contract').and.not.include('came later');
    expect(await service.db('digests')).to.have.length(1);
    expect(after.prompt_tokens).to.be.above(before.prompt_tokens);
    expect(await rewrites()).to.deep.equal([]);
    expect((await syncNow(nora)).result).to.include({ digestsCreated: 1 });
  });

  it('is limited to so many rewrites an hour across all processes, and says when the next one is possible', async () => {
    await start({ perHour: '2' });
    await syncNow(nora);
    const { id } = await newest();
    await ask('DETAILED');
    await until(over);
    await ask('MINIMAL');
    await until(over);
    const asked = ai.requests().length;

    const answer = await ask('DETAILED');
    expect(answer.status).to.equal(429);
    expect(Number(answer.headers['retry-after'])).to.be.within(3500, 3600);
    expect(wordsOf(answer.text)).to.include('Too many attempts Try again in 60 minutes.');
    const fragment = await htmxPost(nora, `/digests/${id}/regenerate`, { style: 'DETAILED' }).expect(429);
    expect(fragment.headers).to.include({ 'hx-retarget': '#problem' });
    expect(wordsOf(fragment.text)).to.include('Try again in 60 minutes.');
    const other = await signIn({ url: await service.anotherWeb() }, 'nora@example.com');
    await post(other, `/digests/${id}/regenerate`, { style: 'DETAILED' }).expect(429);
    expect(await rewrites()).to.deep.equal([]);
    expect(ai.requests()).to.have.length(asked);
    expect(await newest()).to.include({ id, style: 'MINIMAL' });
    // Someone else is told the same as ever of it, whatever is left to its owner.
    await post(await signIn(service, 'sam@example.com'), `/digests/${id}/regenerate`, { style: 'DETAILED' }).expect(404);
  });

  it('is rewritten once under repeated requests', async () => {
    await start();
    await syncNow(nora);
    ai.faults.delay(400);
    const asked = ai.calls();
    const answers = await Promise.all(['MINIMAL', 'MINIMAL', 'MINIMAL', 'MINIMAL'].map(style => ask(style)));
    expect(answers.map(({ status }) => status)).to.deep.equal([303, 303, 303, 303]);
    await until(over);
    await sleep(1500);
    expect(ai.calls() - asked).to.equal(1);
    expect(await newest()).to.include({ style: 'MINIMAL' });
  });

  it('has its note in the CRM updated, without a second one', async () => {
    await start({ crm: true });
    await connectCrm(service, nora);
    await nora.get('/api/messenger/dialogs').expect(200);
    const { id: dialogId } = await service.db('dialogs').first();
    const match = { dialogId, crmContactId: '101', matchStatus: 'CONFIRMED' };
    await nora.patch('/api/crm/contacts/match').send(match).expect(200);
    await syncNow(nora);
    const [before, ...none] = service.crm.notes('101');
    expect(none).to.deep.equal([]);
    ai.script(() => digestOf('Quite another summary.'));
    await ask('MINIMAL');
    await until(async () => service.crm.notes('101')[0]?.body.includes('Quite another summary.'));
    const [after, ...others] = service.crm.notes('101');
    expect(others).to.deep.equal([]);
    expect(after?.id).to.equal(before?.id);
    await until(async () => (await newest()).status === 'COMPLETE');
    // The job comes again after a crash between storing the digest and requesting its note.
    const { id: digestId, user_id: userId } = await newest();
    await service.db('digests').update({ summary: 'Stored before the crash.' });
    await runRewrite(service.worker(), { userId, digestId, requestId: randomUUID() }, AbortSignal.timeout(10_000));
    await until(async () => service.crm.notes('101')[0]?.body.includes('Stored before the crash.'));
  });

  it('stays as it is, with the reason, when the summary service is down', async () => {
    await start();
    await syncNow(nora);
    const before = await newest();
    ai.faults.always({ status: 500 });
    await ask('DETAILED');
    await until(async () => (await rewrites().where({ state: 'failed' })).length === 1);
    expect(await newest()).to.include({ summary: before.summary, style: 'BUSINESS', status: 'COMPLETE' });
    expect(await page())
      .to.include('Not rewritten as Detailed. The summary service couldn’t be reached. The digest stays as it was.')
      .and.include('Rewrite');
    ai.faults.clear();
    await ask('DETAILED');
    await until(over);
    expect(await newest()).to.include({ style: 'DETAILED' });
  });

  it('stays as it is when its messages are gone, Telegram is disconnected, or has banned the account', async () => {
    await start();
    await syncNow(nora);
    const before = await newest();
    for (const _message of [1, 2, 3, 4]) service.sandbox.deleteNewest('test', KEY);
    await ask('DETAILED');
    await until(async () => (await rewrites().where({ state: 'failed' })).length === 1);
    expect(await page()).to.include('Its messages are no longer in Telegram. The digest stays as it was.');
    await service.db('messenger_accounts').update({ status: 'inactive' });
    await ask('MINIMAL');
    await until(async () => (await rewrites().where({ reason: 'MESSENGER_NOT_CONNECTED' })).length === 1);
    await service.db('messenger_accounts').update({ status: 'banned' });
    await ask('DETAILED');
    await until(async () => (await page()).includes('Telegram has banned this account'));
    expect(await newest()).to.include({ summary: before.summary, style: 'BUSINESS' });
  });

  it('is rejected with a reason when none was written', async () => {
    await start();
    await syncNow(nora);
    const { id } = await newest();
    await service.db('digests').update({ status: 'FAILED', reason: 'AI_UNAVAILABLE', summary: '' });
    const { status, text } = await ask('DETAILED', id);
    expect(status).to.equal(409);
    expect(wordsOf(text)).to.include('There is no digest of this day yet.');
    expect(await rewrites()).to.deep.equal([]);
  });

  it('waits for the end of a sync that is reading, so that the session is used from one place', async () => {
    await start();
    service.sandbox.faults.endSharedKeys(true);
    await syncNow(nora);
    const { id } = await newest();
    service.clock.advance(DAY_MS);
    write('Something for a new day, please have a look at it.');
    service.sandbox.faults.delay(4000, 'messages.GetHistory');
    service.sandbox.resetCalls();
    const { body } = await nora.post('/api/sync/trigger').expect(200);
    await until(() => 'messages.GetHistory' in service.sandbox.calls());
    await ask('DETAILED', id);
    expect(await page()).to.include('once the sync is done');
    expect((await finished(nora, body.jobId)).state).to.equal('completed');
    service.sandbox.faults.delay(0, 'messages.GetHistory');
    await until(over);
    expect(await service.db('digests').where({ id }).first()).to.include({ style: 'DETAILED', message_count: 4 });
    expect(await service.db('messenger_accounts').first()).to.include({ status: 'active' });
  });

  describe('by a worker that is killed', () => {
    const workers: ChildProcess[] = [];
    const startWorkerProcess = () => {
      const env = { ...process.env, ...service.env, LOG_LEVEL: 'fatal' };
      const worker = spawn(process.execPath, [WORKER], { env, stdio: 'ignore' });
      workers.push(worker);
      return worker;
    };
    afterEach(() => {
      for (const worker of workers.splice(0)) worker.kill('SIGKILL');
    });

    it('keeps its text, and is rewritten by the next one', async () => {
      await start({ worker: false });
      const first = startWorkerProcess();
      await syncNow(nora);
      const before = await newest();
      const at = await cursor();
      ai.faults.delay(20_000);
      await ask('DETAILED');
      await until(async () => (await rewrites().where({ state: 'active' })).length === 1);
      await until(async () => ai.calls() > 1);
      first.kill('SIGKILL');
      await once(first, 'exit');
      await expireLeases(service.db);
      expect(await newest()).to.include({ summary: before.summary, style: 'BUSINESS', status: 'COMPLETE' });
      expect(await page()).to.include('Rewriting as Detailed.');

      ai.faults.delay(0);
      startWorkerProcess();
      await withoutPauses(service.db, () => until(over));
      expect(await newest()).to.include({ style: 'DETAILED', status: 'COMPLETE', message_count: 4 });
      expect(await service.db('digests')).to.have.length(1);
      expect(await cursor()).to.equal(at);
    });
  });
});
