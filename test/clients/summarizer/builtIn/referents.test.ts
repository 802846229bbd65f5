import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import type { SummaryRequest } from '../../../../src/clients/summarizer/types.ts';
import { conversation } from '../conversations.ts';

const summarizer = createBuiltInSummarizer();

/** What is left to do after these lines, said on Tuesday, 17 November, as "owner: task (day)". */
async function leftAfter(lines: string[], change: Partial<SummaryRequest> = {}): Promise<string[]> {
  const { structured } = await summarizer.summarize(conversation(lines, change));
  return structured.actionItems.map(({ owner, text, dueDate }) => `${owner}: ${text}${dueDate ? ` (${dueDate})` : ''}`);
}

type Case = [lines: string[], items: string[]];

const ALONE: Record<string, Case[]> = {
  'takes "do it" for what was asked about': [
    [
      ['Ann: Have you booked the hall for the fair yet?', 'Sam: Will do it tomorrow.'],
      ['user: Book the hall for the fair (2026-11-18)'],
    ],
    [
      ['Ann: Did you renew the insurance?', 'Sam: Not yet. I will do it on Thursday'],
      ['user: Renew the insurance (2026-11-19)'],
    ],
  ],
  'takes "do it" for what was offered before': [
    [
      ['Sam: I can water the plants in the shop', 'Ann: Please do', 'Sam: Ok, will do it tomorrow'],
      ['user: Water the plants in the shop (2026-11-18)'],
    ],
  ],
  'takes a thing that was left out from the sentence before': [
    [
      ["Ann: The baker's second bill, 420 €, is still open. Paying on Thursday, sorry"],
      ["contact: Pay the baker's second bill, 420 € on Thursday (2026-11-19)"],
    ],
    [
      ['Ann: The heating plan is ready. I will send it on Friday.'],
      ['contact: Send the heating plan on Friday (2026-11-20)'],
    ],
    [
      ['Sam: The customer is angry. I will call him tomorrow.'],
      ['user: Call him (“The customer is angry.”) (2026-11-18)'],
    ],
  ],
  'takes what comes on a day for something to send': [
    [
      ['Ann: We need your bio and the slides.', 'Sam: Confirmed. Bio comes on Thursday, slides by 27 November.'],
      ['user: Send Ann the bio on Thursday (2026-11-19)', 'user: Slides by 27 November (2026-11-27)'],
    ],
    [['Ann: Hello Sam', 'Sam: The drawing follows on Friday.'], ['user: Send Ann the drawing on Friday (2026-11-20)']],
    [['Ann: Our fitter Paul leaves on Friday with the pump.'], ['contact: Leave on Friday with the pump (2026-11-20)']],
  ],
  'takes the earlier hour of a day that both named': [
    [
      [
        'Ann: Please write me a report on the crane by Wednesday 12:00.',
        'Sam: You will have the report by tomorrow 10:00.',
      ],
      ['user: Write Ann a report on the crane by Wednesday 10:00 (2026-11-18)'],
    ],
  ],
  'calls an hour that both agreed on an appointment': [
    [
      ['Ann: Are you free on Thursday at 14:30 for the workshop?', 'Sam: Yes, that works'],
      ['user: Appointment with Ann: “Are you free on Thursday at 14:30 for the workshop?” (2026-11-19)'],
    ],
  ],
  'says what somebody is to be told': [
    [
      ['Ann: Could I watch you at the workshop on Saturday?', 'Sam: I ask my boss. I will let you know on Thursday'],
      ['user: Let Ann know on Thursday whether they can watch Sam at the workshop on Saturday (2026-11-19)'],
    ],
    [
      ['Ann: Tables and chairs, I text you tomorrow evening'],
      ['contact: Text Sam on Wednesday evening about tables and chairs (2026-11-18)'],
    ],
  ],
  'says whom somebody meets': [
    [
      ['Ann: Did you hear from Oliver? I gave him your number yesterday', 'Sam: Yes, he called, we meet on Friday.'],
      ['user: Meet Oliver on Friday (2026-11-20)'],
    ],
    [
      ['Ann: Did you hear from Oliver?', 'Sam: Yes, he called, we meet on Friday.'],
      ['user: Meet Oliver on Friday (2026-11-20)'],
    ],
  ],
  'takes up what one had meant to do, once it is confirmed': [
    [['Ann: And you wanted to buy the balloons', 'Sam: Yes yes'], ['user: Buy the balloons']],
    [['Ann: You wanted to buy the balloons, right?'], []],
  ],
  'dates a confirmation by when it is needed, not by the day to confirm': [
    [
      ['Ann: I propose 12 December for the tasting', 'Ann: Can you confirm 12 December? I would print it on Friday.'],
      ['user: Answer Ann: “I propose 12 December for the tasting” (2026-11-20)'],
    ],
  ],
  'writes nothing where nobody can tell what is meant': [
    [['Ann: I like this song.', "Ann: We'll offer that on holidays."], []],
    [['Ann: It rains again.', 'Ann: So it goes.', 'Sam: I think I do it then.'], []],
  ],
};

describe('a task that leaves its object implicit', () => {
  for (const [name, cases] of Object.entries(ALONE)) {
    for (const [lines, items] of cases) {
      it(`${name}: ${lines.join(' / ')}`, async () => {
        expect(await leftAfter(lines)).to.deep.equal(items);
      });
    }
  }

  it('reads "you" in a group as whoever asked right before', async () => {
    const lines = [
      'Urs Frei: Does anybody know a good printer for labels?',
      'Sam: We use a small family printer, I can introduce you',
      'Urs Frei: Please do',
      'Sam: Will do it tomorrow',
    ];
    expect(await leftAfter(lines, { isGroup: true, peerName: 'Makers' })).to.deep.equal([
      'user: Introduce Urs to the small family printer (2026-11-18)',
    ]);
  });
});
