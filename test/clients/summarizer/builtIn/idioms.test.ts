import { expect } from 'chai';
import { commitmentsLeft, leftOfDays } from '../commitmentsLeft.ts';
import { datedLines } from '../digestDays.ts';

/** Owner and day of what is left of a talk on Tuesday 17 November 2026. */
const leftOf = (...lines: string[]) => leftOfDays(lines.map(line => `17 ${line}`));

describe('What one takes on without saying “I will”', () => {
  const PROMISES: Record<string, string | null> = {
    "I'll ask the bank and let you know tomorrow": '2026-11-18',
  };
  for (const [text, day] of Object.entries(PROMISES)) {
    it(`is on the list: ${text}`, async () => {
      expect(await leftOf(`Ann: ${text}`)).to.deep.equal([['contact', day]]);
    });
  }

  it('is found after “let me see”', async () => {
    expect(
      await leftOf('Ann: Who pays for that?', 'Sam: Let me see what the lease says, I will get back to you by Friday'),
    ).to.deep.equal([['user', '2026-11-20']]);
  });

  const NOTHING = [
    'She flies to Lagos on Wednesday',
    'I drive past yours on Friday anyway',
    'The tiles come on Monday',
    'I think they call the bank on Friday',
    'The order and your quote were in the post on Monday',
    'I just need one socket',
    'Please keep taking it as usual',
  ];
  for (const text of NOTHING) {
    it(`is nothing: ${text}`, async () => {
      expect(await leftOf(`Ann: ${text}`)).to.deep.equal([]);
    });
  }
});

describe('What is asked for in a roundabout way', () => {
  const REQUESTS: Record<string, string | null> = {
    'I was wondering if you could send me the lease': null,
    "It'd be great if you could send me the lease by Friday": '2026-11-20',
    'Would you mind sending the lease again?': null,
    'Any chance of getting the lease today?': '2026-11-17',
    'Still waiting for the lease btw': null,
    'Could do with a copy of the lease': null,
    'Are you going to replace it or not?': null,
  };
  for (const [text, day] of Object.entries(REQUESTS)) {
    it(`is on the list: ${text}`, async () => {
      expect(await leftOf(`Ann: ${text}`)).to.deep.equal([['user', day]]);
    });
  }

  it('takes the day from what is said before it, without a second commitment', async () => {
    expect(await leftOf('Ann: Payroll must go out by Friday, can you check the hours?')).to.deep.equal([
      ['user', '2026-11-20'],
    ]);
  });

  it('is a single commitment when it is offered, accepted and confirmed', async () => {
    expect(await leftOf('Sam: Shall I draw up the order?', 'Ann: Please do', 'Sam: Will do')).to.deep.equal([
      ['user', null],
    ]);
  });

  it('is for whoever in a group says “me”', async () => {
    expect(await leftOf('Sam: Anyone free to drive on Saturday?', 'Pat: Me', 'Ann: Not me')).to.deep.equal([
      ['contact', '2026-11-21'],
    ]);
  });
});

describe('A day out of several', () => {
  it('is the one that the answer picks from those offered', async () => {
    const [item] = await leftOf(
      'Sam: Would Thursday the 26th at 2:40 work, or Monday the 30th at 8:30?',
      'Ann: Monday it is',
    );
    expect(item?.[1]).to.equal('2026-11-30');
  });

  it('is settled even when the answer starts with something else', async () => {
    expect(
      await leftOf('Ann: I need a day in hand. Monday?', 'Sam: Spoken to the printer. Monday it is'),
    ).to.have.length(1);
  });

  it('is within office hours where neither morning nor afternoon is named', async () => {
    const [commitment] = await commitmentsLeft(datedLines(['17 Ann: Please call me on Friday at 4']));
    expect(commitment?.dueTime).to.equal('16:00');
  });
});

describe('What somebody is reminded of', () => {
  it('is not a promise by whoever reminds them', async () => {
    expect(await leftOf('Ann: You promised the tour lasts 3 hours and we will visit the mill.')).to.deep.equal([]);
  });
});
