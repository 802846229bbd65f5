import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import type { Urgency } from '../../../../src/clients/summarizer/types.ts';
import { dayAfter } from '../../../../src/lib/timezones.ts';
import { conversation, TUESDAY } from '../conversations.ts';
import { digestDays } from '../digestDays.ts';

const summarizer = createBuiltInSummarizer();

/** Said on a Tuesday. */
const TALKS: [name: string, urgency: Urgency, lines: string[]][] = [
  [
    'what is due tomorrow is the user’s',
    'medium',
    ['Ann: Can you send me the signed lease by tomorrow?', 'Sam: Yes, I will'],
  ],
  [
    'what is due tomorrow is the other side’s',
    'low',
    ['Sam: Can you send me the drawings by tomorrow?', 'Ann: Yes, I will'],
  ],
  [
    'what is the user’s is due in a week',
    'low',
    ['Ann: Can you send me the signed lease by next Tuesday?', 'Sam: Yes, I will'],
  ],
  ['only a question waits', 'low', ['Sam: Here is the plan', 'Ann: What does the crane cost?']],
  [
    'what was due tomorrow is done',
    'none',
    ['Ann: Can you send me the signed lease by tomorrow?', 'Sam: Just sent it to you', 'Ann: Got it, thanks'],
  ],
  ['nothing is asked or promised', 'none', ['Ann: The meeting was in room 4', 'Sam: I see']],
];

describe('How much presses without a model', () => {
  for (const [name, urgency, lines] of TALKS) {
    it(`is ${urgency} where ${name}`, async () => {
      const { structured } = await summarizer.summarize(conversation(lines));
      expect(structured.urgency).to.equal(urgency);
    });
  }

  it('looks over the weekend', async () => {
    const due = async (day: number, asked: string) =>
      (await digestDays([`${day} Ann: Can you send me the signed lease by ${asked}?`, `${day} Sam: Yes, I will`]))
        .structured.urgency;
    expect(await due(20, '23 November')).to.equal('medium');
    expect(await due(20, '24 November')).to.equal('low');
    expect(await due(19, '23 November')).to.equal('low');
  });

  it('is never called urgent, however loud the words, and never felt', async () => {
    for (const lines of [
      ['Ann: URGENT!!! The shop is down and we lose money every minute', 'Ann: Can you restart it today??'],
      ['Ann: This is a disaster, I am furious. I cancel the contract today'],
      ['Ann: What a wonderful day, I love it!! ❤️', 'Sam: So glad to hear'],
    ]) {
      const { structured } = await summarizer.summarize(conversation(lines));
      expect(structured.urgency, lines[0]).to.not.equal('high');
      expect(structured.sentiment, lines[0]).to.equal('neutral');
    }
  });

  it('counts from the day of the digest, not from that of the last message', async () => {
    const lines = ['Ann: Can you send me the signed lease by Friday?', 'Sam: Yes, I will'];
    const urgencyOn = async (today: string) =>
      (await summarizer.summarize(conversation(lines, { today }))).structured.urgency;
    const [day = ''] = TUESDAY.toISOString().split('T');
    expect(await urgencyOn(day)).to.equal('low');
    expect(await urgencyOn(dayAfter(day, 1))).to.equal('medium');
  });
});
