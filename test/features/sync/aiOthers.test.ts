import { expect } from 'chai';
import { type AiSandbox, startAiSandbox } from '../../support/ai/server.ts';
import { type Agent, connectMessenger, signIn, syncNow } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { dialog, message, owner, person, world } from '../../support/worlds.ts';

const [ANNA, BORIS] = [2001, 2002];

describe('An AI service that fails for one conversation', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;

  before(async () => {
    // Nothing but the code tells how much it read, and in one conversation that is always missing.
    ai = await startAiSandbox({ habits: { counts: 'nothing' } });
    ai.script(({ user }) => (user.includes('catalogue') ? { ...digest, code: '' } : digest));
    const env = { AI_API_KEY: 'key', AI_MODEL: 'model', AI_API_URL: ai.url };
    const talk = (from: number, text: string) => dialog(`user:${from}`, [message(1, { from, text })]);
    const dialogs = [talk(ANNA, 'Send me the catalogue please'), talk(BORIS, 'Good to see you')];
    service = await startService({ worlds: [world({ users: [person(ANNA), person(BORIS)], dialogs })], env });
    nora = await signIn(service, 'nora@example.com');
    await connectMessenger(service, nora, owner.phone ?? '');
    await syncNow(nora);
  });
  after(async () => {
    await stopServices();
    await ai.stop();
  });

  const digest = {
    ...{ language: 'en', summary: 'They talked.', topics: [], actionItems: [], sentiment: 'neutral', urgency: 'none' },
    ...{ meetings: [], introductions: [], dealSignals: [] },
  };
  const write = (from: number, text: string) => service.sandbox.addMessages('test', `user:${from}`, [{ from, text }]);
  const askedAbout = (text: string) => ai.requests().filter(({ user }) => user.includes(text)).length;
  const engines = () => service.db('digests').whereNotNull('engine').orderBy('engine').pluck('engine');

  it('writes the others, is not asked about that one again that day, and is on the next', async () => {
    expect(await engines()).to.deep.equal(['built-in', 'model']);
    expect(askedAbout('catalogue')).to.equal(2);
    write(ANNA, 'And the prices of the catalogue');
    write(BORIS, 'See you tomorrow');
    await syncNow(nora);
    expect(askedAbout('catalogue')).to.equal(2);
    expect(askedAbout('See you tomorrow')).to.equal(1);
    service.clock.advance(24 * 3600 * 1000);
    write(ANNA, 'The new catalogue');
    await syncNow(nora);
    expect(askedAbout('new catalogue')).to.equal(2);
  });
});
