import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import { conversation } from '../conversations.ts';

const summarizer = createBuiltInSummarizer();

type Case = [lines: string[], items: string[]];

/** What is left to do after these lines, said on Tuesday, 17 November, as "owner: task (day and hour)". */
const LEFT: Record<string, Case[]> = {
  'takes the earlier day that was promised for the thing itself': [
    [
      ['Ann: Please send the menu plan by Monday 12:00', 'Sam: You will have the menu plan by Thursday 10:00'],
      ['user: Send the menu plan by Thursday 10:00 (2026-11-19 10:00)'],
    ],
    [
      ['Ann: Can you check the menu plan by Friday?', 'Sam: I will look at it tomorrow'],
      ['user: Check the menu plan by Friday (2026-11-20)'],
    ],
  ],
  'takes the hour at which it is needed on its day': [
    [
      [
        'Ann: Please send me the budget draft by Thursday',
        'Sam: Will do',
        'Ann: About the budget draft: the board meets on Thursday at 9:00',
      ],
      ['user: Send Ann the budget draft by Thursday (2026-11-19 09:00)'],
    ],
  ],
  'leaves to a colleague what was handed on': [
    [
      [
        'Ann: I need from you by Friday: 1. the list of tenants, 2. a copy of the deed, 3. your meter numbers.',
        'Sam: Paula sends the list of tenants and the copy of the deed today. My meter number is 4411',
      ],
      ['contact: Send the list of tenants and the copy of the deed (2026-11-17)'],
    ],
  ],
  'makes up no day from a vague length': [
    [['Ann: We will decide in the next few days'], ['contact: Decide in the next few days']],
    [
      ['Ann: Ich schicke Ihnen den Plan in den nächsten Tagen'],
      ['contact: Sam den Plan in den nächsten Tagen schicken'],
    ],
  ],
  'asks for an answer to an invitation, for the day that was asked about': [
    [
      [
        'Ann: Do you have any plans for Sunday evening?',
        'Sam: No, why?',
        'Ann: I would like to invite you to dinner at our place',
      ],
      ['user: Answer Ann: “I would like to invite you to dinner at our place” (2026-11-22)'],
    ],
  ],
  'remembers nothing that is done on the spot': [
    [['Ann: Take off the left shoe, please', 'Sam: Ok'], []],
    [['Ann: Could you hold the door for a second?', 'Sam: Sure'], []],
    [['Ann: Hold the line, please', 'Sam: Thank you'], []],
    [['Ann: Check out that one over there', 'Sam: Nice'], []],
    [['Ann: I am going to be very popular'], []],
  ],
};

describe('what the built-in summarizer leaves open', () => {
  for (const [name, cases] of Object.entries(LEFT)) {
    for (const [lines, items] of cases) {
      it(`${name}: ${lines.join(' / ')}`, async () => {
        const { actionItems } = (await summarizer.summarize(conversation(lines))).structured;
        const dayOf = (date: string | null, time: string | null | undefined) =>
          date ? ` (${[date, time].filter(Boolean).join(' ')})` : '';
        expect(
          actionItems.map(({ owner, text, dueDate, dueTime }) => `${owner}: ${text}${dayOf(dueDate, dueTime)}`),
        ).to.deep.equal(items);
      });
    }
  }

  it('waits for the answer to an invitation, but not where no answer is wanted', async () => {
    const waiting = async (lines: string[]) =>
      (await summarizer.summarize(conversation(lines))).waits.questions.length > 0;
    expect(await waiting(['Ann: I would like to invite you to our opening'])).to.equal(true);
    expect(await waiting(['Ann: Please check the quotes by Friday. No answer = ok'])).to.equal(false);
    expect(await waiting(['Ann: Noted. Please bring your key on Friday.'])).to.equal(false);
  });
});
