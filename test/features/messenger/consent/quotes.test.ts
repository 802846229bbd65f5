import { expect } from 'chai';
import type { SummaryRequest } from '../../../../src/clients/summarizer/types.ts';
import { createSummarizerChoice } from '../../../../src/features/messenger/consent/service.ts';
import type { AiSandbox } from '../../../support/ai/server.ts';
import { post, wordsOf } from '../../../support/pages.ts';
import { type Agent, signIn, syncNow } from '../../../support/people.ts';
import { type Service, stopServices } from '../../../support/service.ts';
import { dialog, message, owner, person, world } from '../../../support/worlds.ts';
import { connectOnPage, dialogIdOf, MODEL, startWithModel } from './given.ts';

const ANNA = person(2001, { firstName: 'Anna', lastName: 'Weber' });
const KEY = 'user:2001';
type Asked = Pick<SummaryRequest, 'openPromises'>;
const QUESTION = 'Who writes your digests? This server can use an AI model';

/** A promise that the built-in summarizer quotes. */
const talk = () =>
  world({
    users: [ANNA],
    dialogs: [
      dialog(KEY, [
        message(11, { from: ANNA.id, text: 'Could you please send me the marzipan invoice by Friday?' }),
        message(12, { text: 'I will send the marzipan invoice on Friday.' }),
        message(13, { from: ANNA.id, text: 'Thank you, the board waits for it.' }),
      ]),
    ],
  });

describe('Promises as quotes', () => {
  let ai: AiSandbox;
  let service: Service;
  let host: string;
  let nora: Agent;
  let accountId: string;

  beforeEach(async () => {
    ({ ai, service, host } = await startWithModel({ worlds: [talk()] }));
    nora = await signIn(service, 'nora@example.com');
    accountId = await connectOnPage(service, nora, { phone: owner.phone ?? '', writer: 'built-in' });
    await syncNow(nora);
  });
  afterEach(stopServices);

  const choose = (writer: string) => post(nora, `/settings/connections/${accountId}/writer`, { writer }).expect(303);
  const promise = () => service.db('promises').where({ direction: 'mine' }).orderBy('first_said_on').first();
  /** What the model was sent for the messages of a new day. */
  const sentOnNextDay = async (texts: { from: number; text: string }[]) => {
    service.clock.advance(24 * 3600 * 1000);
    service.sandbox.addMessages('test', KEY, texts);
    const before = ai.requests().length;
    expect((await syncNow(nora)).result).to.deep.include({ digestsCreated: 1, errors: [] });
    return JSON.stringify(ai.requests().slice(before));
  };

  it('are named in the question, which says that earlier ones stay', async () => {
    const text = wordsOf((await nora.get(`/settings/connections/${accountId}/writer`).expect(200)).text);
    expect(text)
      .to.include(
        'With them go the promises that are open there, which may be quotes; quotes from before you agree stay here.',
      )
      .and.include('A digest is people’s own words: short quotes, with secrets masked where they are recognized.');
  });

  it('from before the consent are not sent, and are asked about all the same', async () => {
    expect(await promise()).to.include({ state: 'open' });
    expect((await promise()).words).to.include('marzipan');
    expect((await promise()).quoted_at).to.be.instanceOf(Date);
    service.clock.advance(1000);
    await choose('model');
    const sent = await sentOnNextDay([
      { from: owner.id, text: 'marzipan invoice is in your mailbox, sent it this morning' },
      { from: ANNA.id, text: 'Yes got the marzipan invoice, thank you!' },
    ]);
    expect(sent).to.include('marzipan invoice is in your mailbox').and.not.include('on Friday');
    expect(sent).not.to.match(/leftOpen\\*":|\\*"promise\\*":/);
    expect(await promise()).to.include({ state: 'open', is_doubtful: true });
  });

  it('from after the consent are sent', async () => {
    await choose('model');
    await service.db('promises').update({ quoted_at: new Date(service.clock.now().getTime() + 1000) });
    const sent = await sentOnNextDay([{ from: ANNA.id, text: 'How is the weather where you are today?' }]);
    expect(sent)
      .to.include('marzipan')
      .and.match(/\\*"promise\\*":/);
  });

  it('are not sent on a consent that did not name them: it is asked for again, by Today and Privacy', async () => {
    await choose('model');
    const today = async () => wordsOf((await nora.get('/today').expect(200)).text);
    expect(await today()).not.to.include(QUESTION);
    await service.db('writer_choices').update({ terms: 1 });
    expect(await today()).to.include(`${QUESTION} (${MODEL}, at ${host}).`);
    expect(wordsOf((await nora.get('/privacy')).text)).to.include('Not in effect: more is sent than you read then.');
    expect(await sentOnNextDay([{ from: ANNA.id, text: 'Could you call me on Monday?' }])).to.equal('[]');
    await choose('model');
    expect(await today()).not.to.include(QUESTION);
    const held = await service.db('writer_choices').where({ ended_at: null });
    expect(held.map(({ terms }) => terms)).to.deep.equal([4]);
  });

  it('that a person typed are no quotes', async () => {
    const dialogId = await dialogIdOf(service, 'Anna Weber');
    await nora.post('/api/promises').send({ dialogId, words: 'Call Katrin', dueDate: null, direction: 'mine' }).expect(200);
    service.clock.advance(1000);
    await choose('model');
    const sent = await sentOnNextDay([{ from: ANNA.id, text: 'How is the weather where you are today?' }]);
    expect(sent).to.include('Call Katrin').and.not.include('marzipan');
  });

  it('stay with the model’s own closings, each under its number', async () => {
    await choose('model');
    const { id: userId } = await service.db('users').first('id');
    const dialogId = await dialogIdOf(service, 'Anna Weber');
    const asked: number[][] = [];
    const closing = (n: number) => ({ n, state: 'done' as const, newDueDate: null, messageIds: ['13'], quote: '' });
    const model = {
      isInstant: false,
      summarize: async ({ openPromises = [] }: Asked) => {
        const numbers = openPromises.map(({ n }) => n);
        asked.push(numbers);
        return { closings: numbers.map(closing) } as never;
      },
    };
    const aiService = { model: MODEL, host };
    const chosen = await createSummarizerChoice({ db: service.db, builtIn: model, ai: model, aiService })({
      userId,
      dialogId,
    });
    const one = { direction: 'mine' as const, who: null, text: '', dueDate: null, saidAt: '2026-11-20' };
    const openPromises = [
      { ...one, n: 1, quotedAt: new Date(0) },
      { ...one, n: 2, quotedAt: null },
    ];
    const { closings } = await chosen.summarize({ openPromises } as never);
    expect(asked).to.deep.equal([[2], [1]]);
    expect(closings?.map(({ n }) => n)).to.deep.equal([2, 1]);
  });
});
