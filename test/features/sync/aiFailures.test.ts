import { expect } from 'chai';
import type { AiFault } from '../../support/ai/faults.ts';
import { NO_QUOTA, tooManyRequests } from '../../support/ai/faults.ts';
import { type AiSandbox, startAiSandbox } from '../../support/ai/server.ts';
import { post, wordsOf } from '../../support/pages.ts';
import { type Agent, connectedNora, syncNow } from '../../support/people.ts';
import { type Service, startService, stopLater, stopServices } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { dialog, message, person, world } from '../../support/worlds.ts';

const [ANNA, BORIS] = [2001, 2002];
const USELESS = 'The summary service’s response couldn’t be used.';
const UNREACHED = 'The summary service couldn’t be reached.';
const INSTEAD = 'You see key lines instead; Rewrite tries again.';

/** What the server does with every request about Anna: the code of the job's error, what she reads, what the operator is told. */
const WAYS: [string, AiFault, string, string, string][] = [
  ['cuts its answer off', { kind: 'length' }, 'AI_BAD_OUTPUT', USELESS, 'AI_BAD_OUTPUT'],
  ['answers in prose', { kind: 'notJson' }, 'AI_BAD_OUTPUT', USELESS, 'AI_BAD_OUTPUT'],
  ['declines', { kind: 'refusal' }, 'AI_BAD_OUTPUT', USELESS, 'AI_BAD_OUTPUT'],
  ['refuses the request', { status: 400 }, 'AI_BAD_OUTPUT', USELESS, 'AI_REFUSED_REQUEST'],
  ['has no room', { status: 413 }, 'AI_BAD_OUTPUT', USELESS, 'AI_CONTEXT_TOO_SMALL'],
  ['knows no such key', { status: 401 }, 'AI_UNAVAILABLE', UNREACHED, 'AI_REFUSED_REQUEST'],
  ['has no credit', NO_QUOTA, 'AI_UNAVAILABLE', UNREACHED, 'AI_REFUSED_REQUEST'],
  ['is busy for long', tooManyRequests('600'), 'AI_UNAVAILABLE', UNREACHED, 'AI_UNAVAILABLE'],
  ['is down', { status: 500, retryAfter: '0.1' }, 'AI_UNAVAILABLE', UNREACHED, 'AI_UNAVAILABLE'],
  ['says nothing', { isSilent: true }, 'TIMEOUT', 'The summary service didn’t respond in time.', 'AI_UNAVAILABLE'],
];

describe('An AI service that fails for one conversation', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;

  before(async () => {
    ai = stopLater(await startAiSandbox({}));
    const env = { AI_API_KEY: 'key', AI_MODEL: 'model', AI_API_URL: ai.url, AI_TIMEOUT: '3' };
    const talk = (from: number, text: string) => dialog(`user:${from}`, [message(1, { from, text })]);
    const dialogs = [talk(ANNA, 'Send me the catalogue please'), talk(BORIS, 'Good to see you')];
    const users = [person(ANNA, { firstName: 'Anna' }), person(BORIS, { firstName: 'Boris' })];
    service = await startService({ worlds: [world({ users, dialogs })], env });
    nora = await connectedNora(service);
    await syncNow(nora);
  });
  beforeEach(async () => {
    ai.faults.clear();
    service.clock.advance(24 * 3600 * 1000);
    await service.db('alerts').delete();
  });
  after(stopServices);

  const write = (from: number, text: string) => service.sandbox.addMessages('test', `user:${from}`, [{ from, text }]);
  const newest = async (peer: number) => {
    const { id } = await service
      .db('dialogs')
      .where({ peer_key: String(peer) })
      .first();
    return service.db('digests').where({ dialog_id: id }).orderBy('digest_date', 'desc').first();
  };
  const kinds = () => service.db('alerts').where({ source: 'summarizer' }).distinct('kind').pluck('kind');

  for (const [what, fault, code, words, kind] of WAYS) {
    it(`leaves an excerpt, an error and an alert, writes the other, and is asked again the next day: it ${what}`, async () => {
      ai.faults.always({ ...fault, about: 'Anna' });
      write(ANNA, 'Can you send me the offer until Friday?');
      write(BORIS, 'See you tomorrow then');
      const { state, result } = await syncNow(nora);
      expect(state).to.equal('completed');
      expect(result).to.include({ dialogsProcessed: 2, digestsCreated: 2 });
      expect(result.errors).to.have.length(1);
      expect(result.errors[0]).to.include({ stage: 'summarize', code, message: `${words} ${INSTEAD}` });
      expect(await newest(ANNA)).to.include({ status: 'COMPLETE', engine: 'built-in', is_excerpt: false });
      expect(await newest(BORIS)).to.include({ status: 'COMPLETE', engine: 'model' });
      expect(wordsOf((await nora.get('/today').expect(200)).text)).to.include(`${words} ${INSTEAD}`);
      await until(async () => (await kinds()).includes(kind));

      ai.faults.clear();
      service.clock.advance(24 * 3600 * 1000);
      write(ANNA, 'Any news?');
      const calls = ai.calls();
      expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 1, errors: [] });
      expect(ai.calls()).to.equal(calls + 1);
      expect(await newest(ANNA)).to.include({ engine: 'model', reason: null });
    });
  }

  it('is asked once when the connection to the messenger breaks while it writes', async () => {
    write(ANNA, 'Can you send me the offer until Friday?');
    write(BORIS, 'See you tomorrow then');
    ai.faults.next({ about: 'Anna', delayMs: 1500 });
    service.sandbox.faults.next({ on: 'messages.GetHistory', about: `user:${BORIS}`, isGarbled: true, delayMs: 500 });
    const calls = ai.calls();
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 2, errors: [] });
    expect(ai.calls()).to.equal(calls + 2);
  });

  it('is asked again by Rewrite, which replaces the excerpt', async () => {
    ai.faults.always({ status: 500, retryAfter: '0.1', about: 'Anna' });
    write(ANNA, 'Can you send me the offer until Friday?');
    await syncNow(nora);
    const { id } = await newest(ANNA);
    ai.faults.clear();
    await post(nora, `/digests/${id}/regenerate`, { style: 'BUSINESS' }).expect(303);
    await until(async () => (await newest(ANNA)).engine === 'model');
    expect(await newest(ANNA)).to.include({ reason: null });
  });
});
