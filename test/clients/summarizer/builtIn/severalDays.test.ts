import { expect } from 'chai';
import { dayLabel } from '../../../../src/clients/summarizer/builtIn/range.ts';
import { digestDays } from '../digestDays.ts';

/** What is left at the end of several days, as "owner: task". */
const LEFT: Record<string, [lines: string[], items: string[]][]> = {
  'what both have moved past': [
    [['17 Ann: Which color should the logo have?', '18 Sam: The printer is back.', '19 Ann: Good to hear.'], []],
    [["17 Sam: I'll look for the old plans.", '19 Ann: The crane is broken.', '19 Sam: Oh no, since when?'], []],
    [['17 Ann: Can you do that?', '17 Sam: Yes: 12 weeks for the full number.', '19 Ann: The crane is broken.'], []],
  ],
  'what is due on a day to come': [
    [
      ['17 Ann: Please send me the lease by Monday.', '17 Sam: Sure.', '19 Ann: The crane is broken.'],
      ['user: Send Ann the lease by Monday'],
    ],
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
      ['user: Ann: “Could we meet the plumber on Friday?”', 'user: Answer Ann: “Are you free for lunch on Monday?”'],
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
  'what nobody answered': [
    [
      ['17 Ann: The crane is broken.', '18 Ann: Which crane should we rent?'],
      ['user: Answer Ann: “Which crane should we rent?”'],
    ],
  ],
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
        const { structured } = await digestDays(lines);
        expect(structured.actionItems.map(({ owner, text }) => `${owner}: ${text}`)).to.deep.equal(items);
      });
    }
  }

  it('tells each of several days with its date, in their order', async () => {
    const { summary } = await digestDays([
      '17 Ann: The new crane costs 9000 euros.',
      '17 Sam: That is a lot.',
      '19 Ann: The owner agreed to 8500 euros.',
    ]);
    expect(summary).to.equal(
      'Tue 17 Nov: Ann says the new crane costs 9000 euros. Thu 19 Nov: Ann says the owner agreed to 8500 euros. (Since 17 Nov)',
    );
  });

  it('takes the week that was named on a weekend for the coming one', async () => {
    const said = async (days: [number, number]) =>
      digestDays([`${days[0]} Ann: Could I join the tour?`, `${days[1]} Sam: I will let you know this week.`]);
    const sunday = await said([21, 22]);
    expect(sunday.structured.actionItems.map(({ dueDate }) => dueDate)).to.include('2026-11-27');
  });

  it('leaves out the small talk of days that are over', async () => {
    const { summary } = await digestDays([
      '17 Ann: Did you sleep well after the trip?',
      '17 Sam: Like a stone in the sea.',
      '19 Ann: The owner agreed to 8500 euros.',
    ]);
    expect(summary).to.equal('Ann says the owner agreed to 8500 euros. (Since 17 Nov)');
  });

  it('does not treat a message of a later day as the answer to an unrelated question', async () => {
    const { summary } = await digestDays([
      '17 Ann: Would you hang up and wait at the gate?',
      "19 Sam: I can't find a cheap ticket to Oslo, they cost 900 euros.",
    ]);
    expect(summary).not.to.match(/declines|answers/);
  });

  it('keeps the yes of an answer', async () => {
    const { summary } = await digestDays([
      '17 Sam: Is a foreign driving license fine for the van?',
      '17 Ann: Yes, it is. The insurance of the van covers it.',
    ]);
    expect(summary).to.include('Ann says yes. ');
  });

  it('tells what was said last, and introductions only where nothing else is told', async () => {
    const { summary } = await digestDays([
      '17 Ann: Hi Sam, Ann Keller from Tasman in Perth.',
      '17 Ann: We lost two pallets of tulips last week, about 19000 euros.',
    ]);
    expect(summary).to.include('two pallets').and.not.to.include('from Tasman');
  });

  it('leaves out the rest of a message whose request is told', async () => {
    const { summary } = await digestDays([
      '17 Sam: The lease is in the office of the port.',
      '19 Ann: Please send me the floor plan by Monday. Word travels, our guard knows theirs.',
    ]);
    expect(summary).to.include('asks Sam to send').and.not.to.include('Word travels');
  });

  it('bases what was done on the message that says so', async () => {
    const { sentences = [] } = await digestDays([
      '17 Ann: Can you send me the signed lease for the bakery?',
      '17 Sam: Sure, tomorrow.',
      '18 Sam: The signed lease for the bakery is in your inbox.',
    ]);
    const told = sentences.find(({ text }) => text.includes("is in Ann's inbox"));
    expect(told?.text).to.match(/^Sam says the signed lease/);
    expect(told?.sourceMessageIds).to.include('3');
  });

  it('prefers what the other side said on earlier days to what the user said', async () => {
    const { summary } = await digestDays([
      '17 Ann: What a fog over the harbor today.',
      '17 Sam: The truck costs 300 euros a week with driver.',
      '17 Ann: The port asks 400 euros a week with driver.',
      '17 Sam: A lot of money.',
      '18 Ann: Still foggy out here.',
      '19 Ann: The owner agreed to 8500 euros.',
      '19 Sam: Then we take it.',
      '19 Ann: The deposit is 900 euros.',
    ]);
    expect(summary).to.include('Tue 17 Nov: Ann says the port asks').and.not.to.include('The truck costs');
  });

  it('tells a request together with what happens otherwise', async () => {
    const { summary } = await digestDays([
      '17 Ann: I need the signed lease by Thursday. Otherwise we look for another shop.',
    ]);
    expect(summary).to.equal(
      'Ann asks Sam to give the signed lease by Thursday; otherwise they look for another shop.',
    );
  });

  it('addresses a question to the other one, even where its speaker is to act', async () => {
    const { summary } = await digestDays([
      '17 Ann: May I pay the second half of the rent on Friday?',
      '17 Sam: No, sorry, the bank wants all of it.',
    ]);
    expect(summary).to.include('Ann asks Sam whether Ann may pay');
  });

  it('tells both days of two talks, without the opener of either', async () => {
    const { summary } = await digestDays([
      '17 Ann: Excuse me, Mr. Porter?',
      '17 Sam: Yes, what is it?',
      '17 Ann: The tenants of the red house complain about their heating.',
      '17 Sam: The heating of the red house is older than both of us.',
      '18 Ann: The bakery wants to rent the shop at the corner.',
      '18 Sam: The bakery paid its last rent late.',
    ]);
    expect(summary).to.match(/^Tue 17 Nov: .*heating/);
    expect(summary).to.include('bakery').and.not.to.include('Excuse me');
  });

  it('tells how the last day ended in a language whose words it does not know', async () => {
    const { summary } = await digestDays([
      '17 Ann: היי סם, כאן אן מהמאפייה.',
      '18 Ann: אורי אומר שחסר שדה של לחות. מתוכנן?',
      '18 Sam: כן, בגרסה 3 של החיישן, ברבעון הבא. אפשר כבר להכין את השדה, יחזור null',
      '18 Ann: סבבה. בואי נקבע שיחה על מודל הכנסות: אני חושבת על 15% עמלה לכל לקוח שמגיע דרכנו. עד יום שלישי תוכלי להגיד לי אם זה בכיוון?',
      '18 Sam: 15% נשמע סביר לשנה הראשונה. אחזור אלייך עד יום שלישי עם תשובה מסודרת',
    ]);
    expect(summary).to.include('15%');
  });

  for (const [lines, waiting] of WAITING) {
    it(`says that somebody ${waiting ? 'waits' : 'waits for nothing'}: ${lines.join(' / ')}`, async () => {
      expect((await digestDays(lines)).waits.questions.length > 0).to.equal(waiting);
    });
  }

  it('counts "tomorrow" from the day on which it was said, not from the day of the request', async () => {
    const { summary, structured } = await digestDays([
      '17 Ann: Please send me the signed lease by Friday.',
      "18 Sam: I'll send you the signed lease by tomorrow evening.",
    ]);
    expect(structured.actionItems.map(({ text }) => text)).to.deep.equal([
      'Send Ann the signed lease by Thursday evening',
    ]);
    expect(summary).to.include('by Thursday evening').and.not.to.include('Wednesday');
  });

  it('does not join what was said on different days', async () => {
    const { summary } = await digestDays([
      "17 Sam: I'll send you the lease by Friday.",
      "19 Sam: I'll call the bank about the loan.",
    ]);
    expect(summary).to.include('Sam will send Ann the lease by Friday.');
    expect(summary).to.include(' Sam will call the bank about the loan.');
  });

  it('names a day in English where the language can’t be told, whatever the language of the machine', () => {
    expect(dayLabel('2026-11-17', 'und')).to.equal('Tue 17 Nov');
  });
});
