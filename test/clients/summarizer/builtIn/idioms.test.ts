import { expect } from 'chai';
import { digestDays } from '../digestDays.ts';

/** Owner, task and day of what is left of a talk on Tuesday 17 November 2026. */
const leftOf = async (...lines: string[]) => {
  const { structured } = await digestDays(lines.map(line => `17 ${line}`));
  return structured.actionItems.map(({ owner, text, dueDate }) => [owner, text, dueDate]);
};

describe('What one takes on without saying “I will”', () => {
  const PROMISES: Record<string, [task: string, day: string | null]> = {
    "You'll hear from me about the lease by Monday": ['Get back to Sam about the lease by Monday', '2026-11-23'],
    "You'll hear back on the lease tomorrow": ['Get back to Sam on the lease', '2026-11-18'],
    'Give me until Tuesday to finish the lease': ['Finish the lease', '2026-11-24'],
    'Allow me to put the lease to the board on the 20th': ['Put the lease to the board on the 20th', '2026-11-20'],
    'Expect the lease on Friday': ['Send Sam the lease on Friday', '2026-11-20'],
    "I'll put in a claim with the insurer": ['Put in a claim with the insurer', null],
    "I'll ask the bank and let you know tomorrow": ['Ask the bank and let Sam know', '2026-11-18'],
    'The bank wants the lease from me on the 20th': [
      'Ann says the bank wants the lease from them on the 20th',
      '2026-11-20',
    ],
    'My assistant is sending the lease tomorrow': [
      'Ann says their assistant is sending the lease on Wednesday',
      '2026-11-18',
    ],
    "The new pump's being fitted on Thursday": ["Ann says the new pump's being fitted on Thursday", '2026-11-19'],
  };
  for (const [text, [task, day]] of Object.entries(PROMISES)) {
    it(`is on the list: ${text}`, async () => {
      expect(await leftOf(`Ann: ${text}`)).to.deep.equal([['contact', task, day]]);
    });
  }

  it('is what was asked, when the answer is only to leave it to them', async () => {
    expect(await leftOf('Sam: Why was the colour wrong again?', 'Ann: Leave it with me')).to.deep.equal([
      ['contact', 'Look into it (“Why was the colour wrong again?”)', null],
    ]);
  });

  it('is found after “let me see”', async () => {
    expect(
      await leftOf('Ann: Who pays for that?', 'Sam: Let me see what the lease says, I will get back to you by Friday'),
    ).to.deep.equal([['user', 'Get back to Ann by Friday (“Who pays for that?”)', '2026-11-20']]);
  });

  const NOTHING = [
    'She flies to Lagos on Wednesday',
    'I drive past yours on Friday anyway',
    'The tiles come on Monday',
    'I just need one socket',
    'Please keep taking it as usual',
    "I'm going to have to cancel tomorrow, sorry",
  ];
  for (const text of NOTHING) {
    it(`is nothing: ${text}`, async () => {
      expect(await leftOf(`Ann: ${text}`)).to.deep.equal([]);
    });
  }

  it('is nothing where somebody is only asked to pass on a greeting', async () => {
    expect(await leftOf('Ann: Bath time. Say hi to Mary', 'Sam: Will do')).to.deep.equal([]);
  });
});

describe('What is asked for in a roundabout way', () => {
  const REQUESTS: Record<string, [task: string, day: string | null]> = {
    'I was wondering if you could send me the lease': ['Send Ann the lease', null],
    "It'd be great if you could send me the lease by Friday": ['Send Ann the lease by Friday', '2026-11-20'],
    'Would you mind sending the lease again?': ['Send the lease again', null],
    'Any chance of getting the lease today?': ['Give Ann the lease', '2026-11-17'],
    'Still waiting for the lease btw': ['Give Ann the lease', null],
    'Could do with a copy of the lease': ['Give Ann a copy of the lease', null],
    "I'll need your bank details for the refund": ['Give Ann the bank details for the refund', null],
    'Need your answer by 5 today': ["Ann needs Sam's answer by 5 on Tuesday", '2026-11-17'],
    'They want it back signed by Friday': ['Ann says they want it back signed by Friday', '2026-11-20'],
    'The licence has to be in by Friday': ['Ann says the licence has to be in by Friday', '2026-11-20'],
    'Are you going to replace it or not?': ['Answer Ann: “Are you going to replace it or not?”', null],
  };
  for (const [text, [task, day]] of Object.entries(REQUESTS)) {
    it(`is on the list: ${text}`, async () => {
      expect(await leftOf(`Ann: ${text}`)).to.deep.equal([['user', task, day]]);
    });
  }

  it('takes the day from what is said before it, without a second task', async () => {
    expect(await leftOf('Ann: Payroll must go out by Friday, can you check the hours?')).to.deep.equal([
      ['user', 'Check the hours', '2026-11-20'],
    ]);
  });

  it('is done when its doer reports what came of it', async () => {
    expect(
      await leftOf('Ann: The boiler is dead', "Sam: I'll ring Barry", "Sam: Barry can't do it till Friday"),
    ).to.deep.equal([]);
  });

  it('is a single task when it is offered, accepted and confirmed', async () => {
    expect(await leftOf('Sam: Shall I draw up the order?', 'Ann: Please do', 'Sam: Will do')).to.deep.equal([
      ['user', 'Draw up the order', null],
    ]);
  });

  it('is for whoever in a group says “me”', async () => {
    expect(await leftOf('Sam: Anyone free to drive on Saturday?', 'Pat: Me', 'Ann: Not me')).to.deep.equal([
      ['contact', 'Drive on Saturday', '2026-11-21'],
    ]);
  });
});

describe('A day out of several', () => {
  it('is the one that the answer picks from those offered', async () => {
    const [item] = await leftOf(
      'Sam: Would Thursday the 26th at 2:40 work, or Monday the 30th at 8:30?',
      'Ann: Monday it is',
    );
    expect(item?.[2]).to.equal('2026-11-30');
  });

  it('is the one that something is moved to', async () => {
    const [item] = await leftOf('Sam: Can we push Thursday to Friday?', 'Ann: That works');
    expect(item?.[2]).to.equal('2026-11-20');
  });

  it('is settled even when the answer starts with something else', async () => {
    expect(
      await leftOf('Ann: I need a day in hand. Monday?', 'Sam: Spoken to the printer. Monday it is'),
    ).to.have.length(1);
  });

  it('is within office hours where neither morning nor afternoon is named', async () => {
    const { structured } = await digestDays(['17 Ann: Please call me on Friday at 4']);
    expect(structured.actionItems[0]?.dueTime).to.equal('16:00');
  });
});

describe('A sentence that leaves its subject out', () => {
  for (const text of [
    "Can't do Wednesday, I'm in Leeds",
    'Confirmed and paid, all of it',
    '11 degrees in the flat, we have a baby',
  ]) {
    it(`is quoted: ${text}`, async () => {
      const { summary } = await digestDays([`17 Ann: ${text}`]);
      expect(summary).to.include('Ann: “').and.not.include('says');
    });
  }
});

describe('A short talk', () => {
  it('is told with what was asked and what came of it', async () => {
    const { summary } = await digestDays([
      '17 Ann: Our director wants a discount of 15%.',
      '17 Sam: I can do 10 on two years. 15 is not possible.',
      '17 Ann: Understood.',
    ]);
    expect(summary).to.include('discount of 15%').and.include("15 isn't possible");
  });

  it('of a payment alone is told', async () => {
    const { summary } = await digestDays(['17 Ann: invoice paid 👍', '17 Sam: received, thank you!']);
    expect(summary).to.match(/invoice paid/iu);
  });

  it('tells what was found out by who checked', async () => {
    const { summary } = await digestDays([
      '17 Ann: Do we need a permit?',
      "17 Sam: I'll check with the council",
      '17 Sam: checked, yes, 85 quid and takes 10 days',
    ]);
    expect(summary).to.include('85 quid');
  });
});

describe('What somebody is reminded of', () => {
  it('is not a promise by whoever reminds them', async () => {
    expect(await leftOf('Ann: You promised the tour lasts 3 hours and we will visit the mill.')).to.deep.equal([]);
  });
});

describe('What is to be handed over', () => {
  it('is told without naming the person who asks for it twice', async () => {
    const { summary } = await digestDays([
      '17 Ann: Still missing: 1) bank statement 2) two hotel receipts 3) mileage log',
      '17 Ann: I need them by Friday',
    ]);
    expect(summary).to.include('Ann asks Sam to give them by Friday').and.not.include('them to them');
  });
});

describe('A threat', () => {
  it('is told, even where it refers to what was said before', async () => {
    const { summary } = await digestDays([
      '17 Ann: The gate is down again, 64 sensors gray.',
      '17 Sam: We replace it, Tim is on his way.',
      '17 Ann: If it goes on like this we cancel our contract.',
    ]);
    expect(summary).to.include('cancel');
  });
});
