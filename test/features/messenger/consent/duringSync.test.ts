import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { SeenRequest } from '../../../support/ai/chatRequest.ts';
import { honestModel } from '../../../support/ai/model.ts';
import type { AiSandbox } from '../../../support/ai/server.ts';
import { post } from '../../../support/pages.ts';
import { type Agent, finished, signIn, syncNow } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { crowd, dialog, message, owner, person, world } from '../../../support/worlds.ts';
import { connectOnPage, dialogIdOf, enginesSince, MODEL, startWithModel } from './given.ts';

const PHONE = owner.phone ?? '';
const OLU = person(2000, { firstName: 'Olu', phone: '+34600111333' });

describe('Consent while syncs run', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;
  /** Holds the model's answers back until it is called. */
  let answer: () => void;

  const start = async (env: Record<string, string>) => {
    const olusTalk = Array.from({ length: 4 }, (_, n) => dialog(`user:${7001 + n}`, [secret(7001 + n)]));
    const olusPeers = olusTalk.map((_, n) => person(7001 + n));
    const worlds = [world(crowd(6)), world({ key: 'olu', owner: OLU, users: olusPeers, dialogs: olusTalk })];
    ({ ai, service } = await startWithModel({ worlds, env }));
    nora = await signIn(service, 'nora@example.com');
  };
  afterEach(async () => {
    answer?.();
    await stopServices();
  });

  const holdAnswers = () => {
    const released = new Promise<void>(resolve => {
      answer = resolve;
    });
    ai.script(async request => {
      await released;
      return honestModel(request);
    });
  };

  it('compares the day’s digests that may be sent, once a sync, and Today begins with the greatest news', async () => {
    await start({});
    const isComparison = ({ system }: SeenRequest) => system.startsWith('You choose');
    const numberOf = (id: number, { lines }: SeenRequest) =>
      lines.find(line => String(line.lines).includes(`says ${id}`))?.n;
    ai.script(seen =>
      isComparison(seen) ? { passages: [99, numberOf(5003, seen), numberOf(5005, seen)] } : honestModel(seen),
    );
    await connectOnPage(service, nora, { phone: PHONE, writer: 'model' });
    await syncNow(nora);
    const built = await dialogIdOf(service, 'Person 5006');
    await post(nora, `/conversations/${built}/writer`, { writer: 'built-in' }).expect(303);
    service.clock.advance(24 * 3600 * 1000);
    for (const id of [5001, 5003, 5004, 5005, 5006])
      service.sandbox.addMessages('test', `user:${id}`, [{ from: id, text: `It is signed, says ${id}.` }]);
    const before = ai.calls();
    await syncNow(nora);
    expect(ai.calls()).to.equal(before + 4 + 1);
    const [seen] = ai.requests().filter(isComparison).slice(-1);
    expect(seen?.user)
      .to.include('Before:')
      .and.not.match(/says 5006|Person 5/);
    const { text } = await nora.get('/today').expect(200);
    const places = [5003, 5005, 5001, 5006].map(id => text.indexOf(`It is signed, says ${id}.`));
    expect(places[0]).to.be.within(1, places[1] ?? 0);
    expect(Math.min(...places.slice(2))).to.be.above(places[1] ?? 0);
    await nora.post('/api/settings').send({ minMessages: 5 }).expect(200);
    service.sandbox.addMessages('test', 'user:5002', [{ from: 5002, text: 'Ok' }]);
    const { result } = await syncNow(nora);
    expect(result).to.include({ dialogsProcessed: 1, digestsCreated: 0 });
    expect(ai.requests().filter(isComparison).at(-1)).to.equal(seen);
  });

  it('never sends text without consent, with two workers', async () => {
    await start({});
    await service.startWorker();
    const olu = await signIn(service, 'olu@example.com');
    await connectOnPage(service, nora, { phone: PHONE, writer: 'model' });
    await connectOnPage(service, olu, { phone: OLU.phone ?? '', writer: 'built-in' });
    // The first sync begins with the connection; this one waits for it.
    await Promise.all([syncNow(nora), syncNow(olu)]);
    const engines = await service.db('digests').groupBy('engine').select('engine').count();
    expect(engines).to.have.deep.members([
      { engine: MODEL, count: '6' },
      { engine: 'built-in', count: '4' },
    ]);
    const sent = JSON.stringify(ai.requests());
    expect(sent).to.include('Message 5001').and.not.include('Olus secret');
    expect(ai.calls()).to.equal(6 + 1);
  });

  it('finishes the conversation being read when it is taken back, and starts no other', async () => {
    await start({ DIGEST_CONCURRENCY: '1' });
    const accountId = await connectOnPage(service, nora, { phone: PHONE, writer: 'model' });
    await syncNow(nora);
    holdAnswers();
    service.clock.advance(24 * 3600 * 1000);
    const begun = service.clock.now();
    for (const { key } of crowd(6).dialogs) {
      service.sandbox.addMessages('test', key, [{ from: Number(key.slice(5)), text: 'Can you send the offer?' }]);
    }
    const calls = ai.calls();
    const { body } = await nora.post('/api/sync/trigger').expect(200);
    while (ai.calls() === calls) await sleep(20);
    await post(nora, `/settings/connections/${accountId}/writer`, { writer: 'built-in' }).expect(303);
    answer();
    const { state, result } = await finished(nora, body.jobId);
    expect({ state, ...result }).to.include({ state: 'completed', digestsCreated: 6 });
    expect(ai.calls() - calls).to.equal(1);
    const engines = Object.values(await enginesSince(service, begun)).sort();
    expect(engines).to.deep.equal([...Array(5).fill('built-in'), MODEL]);
  });
});

function secret(id: number) {
  return message(id, { from: id, text: `Olus secret ${id}` });
}
