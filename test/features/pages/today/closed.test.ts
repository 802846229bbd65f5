import { expect } from 'chai';
import { recordPromises } from '../../../../src/features/promises/fromDigests/repo.ts';
import { wordsOf } from '../../../support/pages.ts';
import type { Agent } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { dayAgo, startStored, storePromise } from './stored.ts';

describe('What was closed, on Today', () => {
  let service: Service;
  let nora: Agent;
  let owner: { userId: string; accountId: string };
  let promiseId: string;
  let dialogId: string;

  before(async () => {
    ({ service, nora, owner } = await startStored());
  });
  after(stopServices);
  beforeEach(async () => {
    ({ dialogId, promiseId } = await storePromise(service.db, owner, 'Send the signed <contract>', { dueDate: dayAgo(0) }));
  });
  afterEach(() => service.db('promises').delete());

  const close = (state: 'done' | 'cancelled' | 'doubtful' | 'handedOver', at = service.clock.now()) => {
    const evidence = { who: 'Priya <Raman>', when: at.toISOString(), words: '<b>signed</b> and sent', messageIds: ['7'] };
    const closings = [{ promiseId, dialogId, state, evidence }];
    return recordPromises(service.db, { ...owner, now: at }, { closings });
  };
  const page = async (path = '/today') => (await nora.get(path).expect(200)).text;
  const decide = (action: string, agent = nora) =>
    agent.post(`/promises/${promiseId}`).type('form').send({ action, back: '/today' });
  const state = async () => (await service.db('promises').where({ id: promiseId }).first()).state;

  it('is listed with who said so and when, escaped, and is open again after Undo', async () => {
    await close('done');
    const text = await page();
    const words = wordsOf(text);
    expect(words).to.match(
      /Recently closed: 1 kept Send the signed &lt;contract&gt; Priya &lt;Raman&gt; ?, today, \d\d:\d\d/,
    );
    expect(words).to.include('&lt;b&gt;signed&lt;/b&gt; and sent');
    expect(text).not.to.include('<b>signed');
    await decide('undo').expect(303).expect('location', '/today');
    expect(await state()).to.equal('open');
    const after = wordsOf(await page());
    expect(after).to.include('Still open Send the signed &lt;contract&gt;').and.not.to.include('Recently closed');
  });

  it('is kept once the person says so, and is listed as theirs, as is whatever else they close', async () => {
    await close('doubtful');
    await decide('done').expect(303);
    expect(await state()).to.equal('done');
    expect(wordsOf(await page())).to.match(/Recently closed: 1 kept Send the signed &lt;contract&gt; .{0,20}By you, today/);
    await decide('undo').expect(303);
    await decide('dismiss').expect(303);
    expect(wordsOf(await page())).to.match(/: 1 not needed any more Send .{0,60}Not a task\. By you, today/);
  });

  it('shows the newest message that a question rests on, and one No takes all of it back', async () => {
    const first = service.clock.now();
    await close('doubtful', first);
    const evidence = {
      ...{ who: 'Priya', when: new Date(first.getTime() + 60_000).toISOString() },
      ...{ words: 'it is with the courier', messageIds: ['9'] },
    };
    const ask = (of: typeof evidence) => {
      const closing = { promiseId, dialogId, state: 'doubtful', evidence: of } as const;
      return recordPromises(service.db, { ...owner, now: service.clock.now() }, { closings: [closing] });
    };
    await ask(evidence);
    expect(wordsOf(await page()))
      .to.include('it is with the courier')
      .and.not.include('signed&lt;/b&gt;');
    expect(await ask({ ...evidence, when: first.toISOString(), messageIds: ['8'] })).to.deep.equal(new Set());
    await decide('undo').expect(303);
    expect(wordsOf(await page())).not.to.include('Settled?');
    expect(await close('doubtful')).to.deep.equal(new Set());
    expect(await ask(evidence)).to.deep.equal(new Set());
  });

  it('is not listed on another day, nor once it is older than yesterday', async () => {
    await close('done');
    expect(wordsOf(await page(`/today?day=${dayAgo(1)}`))).not.to.include('Recently closed');
    await service.db('promises').update({ changed_at: new Date(service.clock.now().getTime() - 3 * 86_400_000) });
    expect(wordsOf(await page())).not.to.include('Recently closed');
  });
});
