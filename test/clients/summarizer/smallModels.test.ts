import { expect } from 'chai';
import { tokensIn } from '../../support/ai/habits.ts';
import { chattyModel, looseModel } from '../../support/ai/smallModels.ts';
import { type AiService, startAiService } from './aiService.ts';
import { conversation } from './conversations.ts';

/** On a Tuesday. */
const CHAT = ['Anna: Hallo Sam, wann kommen die Kabel?', 'Sam: Ich schicke dir die Kabel am Freitag.'];
const FRIDAY = '2026-11-20';

describe('The habits of small models', () => {
  let service: AiService;
  beforeEach(async () => {
    service = await startAiService();
  });
  afterEach(() => service.stop());

  for (const [what, model, words] of [
    ['chatter, missing fields and a copied example', chattyModel, 'Kabel schicken'],
    ['a text for a list, invented days and figures, and a copied example', looseModel, 'Die Kabel schicken'],
  ] as const) {
    it(`leave a digest with the one promise that was made: ${what}`, async () => {
      service.ai.script(model);
      const { structured, engine } = await service.summarizer.summarize(conversation(CHAT));
      expect(engine).to.equal('gpt-test');
      expect(service.ai.calls(), 'without a second request').to.equal(1);
      const [item, ...others] = structured.actionItems;
      expect(others).to.deep.equal([]);
      expect(item).to.include({ text: words, owner: 'user', dueDate: FRIDAY });
      expect(structured.language).to.equal('de');
    });
  }

  it('get instructions that leave three quarters of a context of 4,096 tokens to the chat and the answer', async () => {
    await service.summarizer.summarize(conversation(CHAT));
    expect(tokensIn(service.ai.requests()[0]?.system ?? '')).to.be.lessThan(1024);
  });
});
