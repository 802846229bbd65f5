import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { honestModel } from '../../support/ai/model.ts';
import { type AiSandbox, startAiSandbox, whoIn } from '../../support/ai/server.ts';
import { post, wordsOf } from '../../support/pages.ts';
import { type Agent, connectCrm, connectMessenger, finished, signIn, syncNow } from '../../support/people.ts';
import { type Service, startService, stopLater, stopServices } from '../../support/service.ts';
import { expireLeases, withoutPauses } from '../../support/skipPauses.ts';
import { until } from '../../support/until.ts';
import { dialog, message, owner, person, world } from '../../support/worlds.ts';

const WORKER = fileURLToPath(new URL('../../../src/worker.ts', import.meta.url));
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn'];
const SIZE = NAMES.length;
/** Each asks for something of its own; the oldest of them for a day that is over. */
const ids = NAMES.map((_, index) => 5001 + index);
const textOf = (id: number) =>
  id === 5001
    ? 'Please send us the new tags by tomorrow, or we cancel the contract.'
    : `Please send me the offer number ${id}.`;

describe('The first sync with a model that takes long', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;
  let accountId: string;
  let gate: PromiseWithResolvers<void>;
  let asked: string[];

  beforeEach(async () => {
    gate = Promise.withResolvers<void>();
    asked = [];
    ai = stopLater(await startAiSandbox());
    ai.script(async request => {
      asked.push(...whoIn(request));
      await gate.promise;
      return honestModel(request);
    });
    const people = ids.map((id, index) => person(id, { firstName: NAMES[index] ?? '', isContact: true }));
    const dialogs = ids.map(id => dialog(`user:${id}`, [message(id, { from: id, text: textOf(id) })]));
    const env = { AI_MODEL: 'slow-model', AI_API_URL: ai.url, AI_CONCURRENCY: '1', DIGEST_CONCURRENCY: '1' };
    const crm = { contacts: [{ id: '101', firstname: 'Ada' }] };
    service = await startService({ worlds: [world({ users: people, dialogs })], env, crm });
    nora = await signIn(service, 'nora@example.com');
    accountId = await connectMessenger(service, nora, owner.phone ?? '');
  });
  afterEach(async () => {
    gate.resolve();
    await stopServices();
  });

  const rows = (where: object = {}) => service.db('digests').where(where);
  const written = () => rows({ engine: 'slow-model', is_excerpt: false, status: 'COMPLETE' });
  const promises = () => service.db('promises').whereNot({ state: 'withdrawn' });

  /** Returns the id of a sync that has shown all excerpts and waits for the model. */
  async function excerpted(): Promise<string> {
    const { body } = await nora.post('/api/sync/trigger').expect(200);
    await until(async () => (await rows({ is_excerpt: true })).length === SIZE && asked.length > 0);
    return body.jobId;
  }

  it('shows excerpts at once, from which nothing follows, and replaces each with what the model wrote', async () => {
    const jobId = await excerpted();
    const { text } = await nora.get('/today').expect(200);
    expect(wordsOf(text)).to.include('offer number 5006').and.include('the AI model is still to write this digest');
    expect(wordsOf(text)).to.include('6 are excerpts until the AI model has written; promises follow then.');
    const { body } = await nora.get('/api/digests').expect(200);
    for (const { status, summary, structuredData } of body.digests) {
      expect(status).to.equal('COMPLETE');
      expect(summary).to.match(/offer number|new tags/);
      expect(structuredData.action_items).to.deep.equal([]);
    }
    const status = await nora.get('/api/sync/status').query({ jobId }).expect(200);
    expect(status.body).to.deep.include({ state: 'active', progress: 0 });
    expect(status.body.result).to.include({ digestsCreated: 0 });
    expect(await service.db('promises')).to.deep.equal([]);
    expect(await service.db('waiting_questions')).to.deep.equal([]);

    gate.resolve();
    const { result, progress } = await finished(nora, jobId);
    expect(result).to.deep.include({ dialogsProcessed: SIZE, digestsCreated: SIZE, errors: [] });
    expect(progress).to.equal(100);
    expect(await written()).to.have.length(SIZE);
    expect(await promises()).to.have.length(SIZE);
    expect(ai.calls()).to.equal(SIZE);
  });

  it('writes one note of each, once the model is done, even where the match is confirmed before', async () => {
    await connectCrm(service, nora);
    const jobId = await excerpted();
    const { id: dialogId } = await service.db('dialogs').where({ peer_key: '5001' }).first();
    const match = { dialogId, crmContactId: '101', matchStatus: 'CONFIRMED' };
    await nora.patch('/api/crm/contacts/match').send(match).expect(200);
    await sleep(1500);
    expect(service.crm.notes('101')).to.deep.equal([]);
    gate.resolve();
    expect((await finished(nora, jobId)).result).to.deep.include({ notesCreated: 1, errors: [] });
    const { summary } = await written().where({ dialog_id: dialogId }).first();
    const [note, ...others] = service.crm.notes('101');
    expect(note?.body).to.include(summary);
    expect(others).to.deep.equal([]);
  });

  it('keeps the excerpt over which three workers died, and says so', async () => {
    const jobId = await excerpted();
    const { id } = await rows().where('summary', 'like', '%5003%').first();
    await service.worker().close();
    await rows({ id }).update({ is_started: true, crashes: 2 });
    gate.resolve();
    await service.startWorker();
    const { result } = await finished(nora, jobId);
    expect(result).to.include({ dialogsProcessed: SIZE, digestsCreated: SIZE });
    expect(result.errors.map(({ code }) => code)).to.have.length(1);
    expect(await rows({ id }).first()).to.include({ status: 'COMPLETE', engine: 'built-in', is_excerpt: false });
  });

  it('leaves the excerpt when the model fails, which then is a digest as any other, with what it promises', async () => {
    ai.faults.always({ kind: 'notJson', about: 'Cleo' });
    const jobId = await excerpted();
    const shown = await rows({ is_excerpt: true, message_count: 1 }).where('summary', 'like', '%5003%').first();
    gate.resolve();
    const { result } = await finished(nora, jobId);
    expect(result).to.include({ digestsCreated: SIZE });
    expect(result.errors.map(({ code }) => code)).to.deep.equal(['AI_BAD_OUTPUT']);
    const left = await rows({ id: shown.id }).first();
    expect(left).to.include({ summary: shown.summary, is_excerpt: false, status: 'COMPLETE', engine: 'built-in' });
    // What the model's answers took is counted all the same.
    expect(left.prompt_tokens).to.be.above(0);
    expect(await promises()).to.have.length(SIZE);
    expect(await service.db('dialogs').whereNull('cursor_message_id')).to.deep.equal([]);
    expect(wordsOf((await nora.get('/today')).text)).not.to.include('still to write');
    const calls = ai.calls();
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 0, errors: [] });
    expect(ai.calls()).to.equal(calls);
  });

  it('sends no more to the model once the account is disconnected; connected again, all are written', async () => {
    const jobId = await excerpted();
    await nora.post('/api/messenger/disconnect').send({ accountId }).expect(200);
    const calls = ai.calls();
    gate.resolve();
    await finished(nora, jobId);
    expect(await rows({ is_excerpt: true })).to.have.length(SIZE);
    expect(await promises()).to.deep.equal([]);
    expect(ai.calls()).to.equal(calls);
    await connectMessenger(service, nora, owner.phone ?? '');
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: SIZE, errors: [] });
    expect(await written()).to.have.length(SIZE);
    expect(await rows()).to.have.length(SIZE);
    expect(await promises()).to.have.length(SIZE);
  });

  it('writes here what is left when its person takes the consent back', async () => {
    const jobId = await excerpted();
    const dialogs = await service.db('dialogs').pluck('id');
    for (const id of dialogs) await post(nora, `/conversations/${id}/writer`, { writer: 'built-in' }).expect(303);
    gate.resolve();
    expect((await finished(nora, jobId)).result).to.deep.include({ digestsCreated: SIZE, errors: [] });
    const engines = await rows({ status: 'COMPLETE', is_excerpt: false }).pluck('engine');
    expect(engines.filter(engine => engine === 'built-in')).to.have.length(SIZE - 1);
    expect(ai.calls()).to.equal(1);
  });

  it('loses and doubles nothing when its worker is killed while excerpts are shown @thorough', async () => {
    await service.worker().close();
    const env = { ...process.env, ...service.env, LOG_LEVEL: 'fatal' };
    const worker = spawn(process.execPath, [WORKER], { env, stdio: 'ignore' });
    try {
      const { body } = await nora.post('/api/sync/trigger').expect(200);
      await until(async () => (await rows({ is_excerpt: true })).length > 1);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
      expect(await promises()).to.deep.equal([]);
      await expireLeases(service.db);
      gate.resolve();
      await service.startWorker();
      const { result } = await withoutPauses(service.db, () => finished(nora, body.jobId));
      expect(result).to.deep.include({ dialogsProcessed: SIZE, digestsCreated: SIZE, errors: [] });
    } finally {
      worker.kill('SIGKILL');
    }
    expect(await rows()).to.have.length(SIZE);
    expect(await written()).to.have.length(SIZE);
    expect(await promises()).to.have.length(SIZE);
    expect(await service.db('dialogs').whereNull('cursor_message_id')).to.deep.equal([]);
  });
});
