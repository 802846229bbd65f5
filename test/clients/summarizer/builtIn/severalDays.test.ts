import { expect } from 'chai';
import { commitmentsLeft, leftOfDays } from '../commitmentsLeft.ts';
import { datedLines, digestDays } from '../digestDays.ts';

/** What is left at the end of several days, by whose it is. */
const LEFT: Record<string, [lines: string[], items: string[]][]> = {
  'what both have moved past': [
    [['17 Ann: Which color should the logo have?', '18 Sam: The printer is back.', '19 Ann: Good to hear.'], []],
    [["17 Sam: I'll look for the old plans.", '19 Ann: The crane is broken.', '19 Sam: Oh no, since when?'], []],
    [['17 Ann: Can you do that?', '17 Sam: Yes: 12 weeks for the full number.', '19 Ann: The crane is broken.'], []],
  ],
  'what is due on a day to come': [
    [['17 Ann: Please send me the lease by Monday.', '17 Sam: Sure.', '19 Ann: The crane is broken.'], ['user']],
  ],
  'what was due when its doer wrote again': [
    [["17 Sam: I'll send the lease tomorrow.", '18 Sam: The crane is broken, what a week.'], []],
  ],
  'a new proposal on another day, which is not the old one': [
    [
      [
        '17 Ann: Could we meet the plumber on Friday?',
        '17 Sam: Yes, Friday works.',
        '18 Ann: Are you free for lunch on Monday?',
      ],
      ['user', 'user'],
    ],
  ],
  'what one file settles, asked for and promised': [
    [
      [
        "17 Ann: Bonjour Sam, pouvez-vous m'envoyer un devis d'ici lundi ?",
        '17 Sam: Avec plaisir. Je vous envoie le devis demain',
        '18 Sam: [file: Devis.pdf] Voici le devis : 30 × 39 €',
      ],
      [],
    ],
  ],
  'what nobody answered': [[['17 Ann: The crane is broken.', '18 Ann: Which crane should we rent?'], ['user']]],
};

/** Whether someone waits for Sam at the end. */
const WAITING: [lines: string[], waiting: boolean][] = [
  [['17 Sam: The crane is here.', '17 Ann: Which floor does it go to?'], true],
  [['17 Ann: Which floor does it go to?', '17 Sam: The crane is here.'], false],
  [['17 Ann: Could you sign the lease?', '17 Sam: Yes, tonight.', '17 Ann: Perfect, thanks.'], false],
  [['17 Sam: Which floor?', '17 Ann: The second one.'], false],
  [['17 Ann: Please send me the lease.', "17 Sam: I'll send it tomorrow.", '19 Ann: Any news?'], true],
];

describe('a digest over several days', () => {
  for (const [group, cases] of Object.entries(LEFT)) {
    for (const [lines, items] of cases) {
      it(`keeps only what is left: ${group}: ${lines.join(' / ')}`, async () => {
        const left = await leftOfDays(lines);
        expect(left.map(([owner]) => owner)).to.deep.equal(items);
      });
    }
  }

  for (const [lines, waiting] of WAITING) {
    it(`says that somebody ${waiting ? 'waits' : 'waits for nothing'}: ${lines.join(' / ')}`, async () => {
      expect((await digestDays(lines)).waits.questions.length > 0).to.equal(waiting);
    });
  }

  it('does not wait for an answer where none is wanted', async () => {
    const { waits } = await digestDays(['17 Ann: Please check the quotes by Friday. No answer = ok']);
    expect(waits.questions).to.deep.equal([]);
  });

  it('reads the hour of a day, but none of another time zone, and takes no count for one', async () => {
    const HOURS: [text: string, hour: string | null][] = [
      ['明日の午後3時までに送ってください。', '15:00'],
      ['明日の17時(日本時間)までに送ってください。', null],
      ['请明天下午2点半之前发给我', '14:30'],
      ['заеду к вам завтра в 6 вечера', '18:00'],
      ['к 25 числу подготовим 3 макета', null],
    ];
    for (const [text, hour] of HOURS) {
      const [commitment] = await commitmentsLeft(datedLines([`17 Ann: ${text}`]));
      expect(commitment, text).to.include({ dueTime: hour });
    }
  });
});
