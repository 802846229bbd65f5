import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import { conversation } from '../conversations.ts';
import { digestDays } from '../digestDays.ts';

const summarizer = createBuiltInSummarizer();

/** Said on a Tuesday. */
const TALKS: [name: string, urgency: string, lines: string[]][] = [
  ['one thing in the week ahead presses little', 'low', ['Sam: I will send you the drawings on Monday', 'Ann: Great']],
  [
    'two things in the week ahead make it full',
    'medium',
    ['Sam: I will send you the drawings on Monday', 'Ann: Great, and I will pay the invoice on Sunday'],
  ],
  [
    'what is due in a month fills no week',
    'low',
    ['Sam: I will send you the drawings on 14 December', 'Ann: Great, and I will pay the invoice on 18 December'],
  ],
  [
    'a deadline that the user set for today presses',
    'high',
    ['Sam: I need the signed lease from you by 8 tonight', 'Ann: I am at the notary, will send it from there'],
  ],
  [
    'what is lost today unless someone acts presses',
    'high',
    [
      'Sam: Can you ask the line to waive the fee?',
      'Ann: I will ask them. Need your yes by 5 today or I lose the truck',
    ],
  ],
  [
    '“no rush” about the fee leaves the promise for tomorrow as it is',
    'medium',
    [
      'Sam: I will send you the drawings tomorrow',
      'Ann: Perfect',
      'Ann: By the way I still owe you the fee for October',
      'Sam: No rush on that',
    ],
  ],
  [
    '“no rush” in reply to a promise takes its hurry',
    'low',
    ['Sam: I will send you the drawings tomorrow', 'Ann: No rush'],
  ],
];

describe('the urgency of what is due', () => {
  for (const [name, urgency, lines] of TALKS) {
    it(`is ${urgency}: ${name}`, async () => {
      const { structured } = await summarizer.summarize(conversation(lines));
      expect(structured.urgency).to.equal(urgency);
    });
  }
});

describe('A question whether something is possible', () => {
  it('makes a deadline no less urgent', async () => {
    const { structured } = await digestDays([
      '17 Ann: Hay que confirmar antes del jueves, si no se lo dan a otro. Dime si es posible',
    ]);
    expect(structured.urgency).to.equal('high');
  });
});
