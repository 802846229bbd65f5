import { expect } from 'chai';
import { deedsIn } from '../../../src/clients/summarizer/builtIn/closings/words.ts';
import { readClosings } from '../../../src/clients/summarizer/builtIn/closings.ts';
import { fold } from '../../../src/clients/summarizer/cleaning.ts';
import { lexiconOf } from '../../../src/clients/summarizer/languages/lexicon.ts';
import type { Closing } from '../../../src/clients/summarizer/types.ts';
import { digestOf } from '../../support/ai/model.ts';
import { type AiService, startAiService } from './aiService.ts';
import { linesOfStranger, OBEDIENT, RIGHTFUL, requestOf, STRANGERS, stateOf } from './attackers/cases.ts';

const UNDECIDED = ['open', 'doubtful'];
/** Of 64. */
const RIGHTFUL_SEEN = 48;
/** "В среде" and "toda la mañana" are days in other sentences. */
const AMBIGUOUS_DAYS = 2;

/** The longest that is not itself a deed, as "refund" would be. */
function thingOf(text: string, language: string): string {
  const isDeed = (word: string) => deedsIn(fold(word, language), lexiconOf(language)).size > 0;
  const words = text.split(' ').filter(word => !isDeed(word));
  return words.toSorted((one, other) => other.length - one.length)[0] ?? '';
}

describe('People who try to decide what is not theirs, and models that help them', () => {
  let service: AiService;

  beforeEach(async () => {
    service = await startAiService();
  });
  afterEach(() => service.stop());

  type Claim = Record<string, unknown> & { n: number };

  async function byModel(request: ReturnType<typeof requestOf>, claims: Claim[]): Promise<Closing[]> {
    service.ai.script(() => digestOf('A day.', [], { closings: claims }));
    return (await service.summarizer.summarize(request)).closings ?? [];
  }

  it('close none of sixty groups’ promises as strangers, in six languages, whoever reads them', async () => {
    const closed: string[] = [];
    for (const chat of STRANGERS) {
      const request = requestOf(chat);
      const lines = linesOfStranger(chat);
      const words = chat.messages[(lines.at(-1) ?? 1) - 1]?.text ?? '';
      const claimed = (state: Closing['state']) =>
        chat.promises.map((_, at) => ({ n: at + 1, state, dateText: words, newDueDate: '2026-11-23', lines }));
      const read = [await readClosings(request)];
      for (const state of ['done', 'cancelled', 'moved'] as const) read.push(await byModel(request, claimed(state)));
      for (const closings of read)
        for (const at of chat.promises.keys())
          if (!UNDECIDED.includes(stateOf(closings, at + 1))) closed.push(`${words}: ${chat.promises[at]?.text}`);
    }
    expect(closed).to.deep.equal([]);
  });

  it('close none where a model cites what someone with the right said of it in passing as well', async () => {
    const closed: string[] = [];
    let doubted = 0;
    for (const chat of STRANGERS) {
      const inPassing = chat.promises.flatMap(({ text, sources }) =>
        sources.slice(0, 1).map(source => ({ ...source, text: `${thingOf(text, chat.language)} ☕` })),
      );
      const request = requestOf({ ...chat, messages: [...inPassing, ...chat.messages] });
      const lines = request.messages.map((_, at) => at + 1);
      const words = chat.messages.at(-1)?.text ?? '';
      for (const state of ['done', 'cancelled', 'moved', 'handedOver'] as const) {
        const claimed = chat.promises.map((_, at) => ({ n: at + 1, state, dateText: words, newDueDate: null, lines }));
        const closings = await byModel(request, claimed);
        doubted += closings.length;
        for (const at of chat.promises.keys())
          if (!UNDECIDED.includes(stateOf(closings, at + 1)))
            closed.push(`${state} ${words}: ${chat.promises[at]?.text}`);
      }
    }
    expect(doubted).to.be.greaterThan(60);
    expect(closed).to.deep.equal([]);
  });

  it('are believed where the promise is theirs', async () => {
    let [byRules, byModels] = [0, 0];
    for (const chat of RIGHTFUL) {
      const request = requestOf(chat);
      const lines = chat.messages.map((_, at) => at + 1);
      const claims = chat.expect.map((expected, at) => {
        const [state, newDueDate = null] = expected.split(':');
        return { n: at + 1, state, dateText: null, newDueDate, lines };
      });
      const [rules, model] = [await readClosings(request), await byModel(request, claims)];
      byRules += chat.expect.filter((expected, at) => stateOf(rules, at + 1) === expected).length;
      byModels += chat.expect.filter((expected, at) => stateOf(model, at + 1) === expected).length;
    }
    expect(byRules).to.be.at.least(RIGHTFUL_SEEN);
    expect(byModels).to.be.at.least(RIGHTFUL_SEEN);
  });

  it('put nothing into a digest that no one wrote, and take nothing honest out', async () => {
    const faults: string[] = [];
    let wrongDays = 0;
    for (const chat of OBEDIENT) {
      service.ai.script(() => ({ ...digestOf(''), ...chat.answer }));
      const { summary, structured, closings = [] } = await service.summarizer.summarize(requestOf(chat));
      const items = structured.actionItems.map(({ text, ownerName, dueText, dueDate }) => [
        text,
        ownerName,
        dueText,
        dueDate,
      ]);
      const said = JSON.stringify([summary, structured.topics, items, structured.meetings, structured.introductions]);
      const days = [
        ...structured.actionItems.map(({ dueDate }) => dueDate),
        ...structured.meetings.map(({ date }) => date),
      ];
      faults.push(...chat.forbidden.filter(text => said.includes(text)).map(text => `${chat.name}: says ${text}`));
      faults.push(...chat.mustKeep.filter(text => !said.includes(text)).map(text => `${chat.name}: lost ${text}`));
      const closed = chat.mustStayOpen.filter(n => !UNDECIDED.includes(stateOf(closings, n)));
      faults.push(...closed.map(n => `${chat.name}: closed ${n}`));
      if (chat.forbiddenDays.some(day => days.includes(day))) wrongDays += 1;
    }
    expect(faults).to.deep.equal([]);
    expect(wrongDays).to.be.at.most(AMBIGUOUS_DAYS);
  });
});
