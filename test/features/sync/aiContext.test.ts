import { expect } from 'chai';
import { type AiSandbox, startAiSandbox } from '../../support/ai/server.ts';
import { post } from '../../support/pages.ts';
import { type Agent, connectedNora, syncNow } from '../../support/people.ts';
import { type Service, startService, stopLater, stopServices } from '../../support/service.ts';
import { dialog, message, person, world } from '../../support/worlds.ts';

const [ANNA, BORIS] = [2001, 2002];

describe('The context of a request to an AI service', () => {
  let ai: AiSandbox;
  let service: Service;
  let nora: Agent;

  before(async () => {
    ai = stopLater(await startAiSandbox({}));
    const env = { AI_API_KEY: 'key', AI_MODEL: 'model', AI_API_URL: ai.url };
    const talk = (from: number, text: string) => dialog(`user:${from}`, [message(1, { from, text })]);
    const dialogs = [talk(ANNA, 'Send me the catalogue please'), talk(BORIS, 'Good to see you')];
    service = await startService({ worlds: [world({ users: [person(ANNA), person(BORIS)], dialogs })], env });
    nora = await connectedNora(service);
    await syncNow(nora);
  });
  after(stopServices);

  const write = (from: number, text: string) => service.sandbox.addMessages('test', `user:${from}`, [{ from, text }]);
  const askedAbout = (text: string) => ai.requests().findLast(({ user }) => user.includes(text));
  const day = () => service.clock.now().toISOString().slice(0, 10);
  const leftOpen = (text: string) => askedAbout(text)?.lines.flatMap(line => (line.leftOpen ? [line.leftOpen] : []));

  it('says on the first day that nothing was left open', () => {
    expect(askedAbout('catalogue')?.user).to.include(`Today: ${day()}`);
    expect(leftOpen('catalogue')).to.deep.equal([]);
  });

  it('marks what today’s digest already said when it is rewritten, without its own items', async () => {
    write(ANNA, 'Still waiting for it');
    await syncNow(nora);
    const lines = askedAbout('Still waiting')?.lines.filter(({ n }) => n !== undefined);
    expect(lines?.map(({ told }) => told)).to.deep.equal([true, undefined]);
    expect(leftOpen('Still waiting')).to.deep.equal([]);
  });

  it('contains what each conversation left open, and nothing from others', async () => {
    const before = day();
    service.clock.advance(24 * 3600 * 1000);
    write(ANNA, 'Hello again');
    write(BORIS, 'Hello to you too');
    await syncNow(nora);
    expect(leftOpen('Hello again')).to.have.length(1);
    expect(leftOpen('Hello again')?.[0]).to.deep.include({ text: 'Send me the catalogue please', since: before });
    expect(leftOpen('Hello to you too')).to.deep.equal([]);
  });

  it('leaves out what was ticked', async () => {
    const [item] = await service.db('promises').where({ state: 'open' });
    const { id } = item;
    await post(nora, `/promises/${id}`, { action: 'done' }).expect(303);
    expect(await service.db('promises').where({ id }).pluck('state')).to.deep.equal(['done']);
    service.clock.advance(24 * 3600 * 1000);
    write(ANNA, 'Thanks for everything');
    await syncNow(nora);
    expect(leftOpen('Thanks for everything')).to.deep.equal([]);
  });
});
