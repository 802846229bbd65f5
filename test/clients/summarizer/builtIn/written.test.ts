import { expect } from 'chai';
import { splitSentences } from '../../../../src/clients/summarizer/sentences.ts';
import { leftOfDays } from '../commitmentsLeft.ts';

const daysOf = async (lines: string[]) => (await leftOfDays(lines)).map(([, day]) => day);

describe('What is written in lowercase', () => {
  it('is read sentence by sentence', () => {
    expect(
      splitSentences("i need to ask my boss. he is off until thursday. i'll tell you friday", 'en'),
    ).to.have.length(3);
    expect(splitSentences('there is room for 118. will ask them', 'en')).to.have.length(2);
  });

  it('is not split after abbreviations', () => {
    for (const text of ['we need approx. 40 boxes', 'we need the min. order incl. transport', 'see no. 5 of the list'])
      expect(splitSentences(text, 'en')).to.deep.equal([text]);
  });

  it('leaves to do what the last sentence takes on', async () => {
    const days = await daysOf([
      '17 Sam: what about 4.20 for 3000 boxes?',
      "17 Ann: i need to ask my boss. he is on holiday until thursday. i'll tell you friday",
    ]);
    expect(days).to.deep.equal(['2026-11-20']);
  });

  it('expects no answer to good wishes', async () => {
    const days = await daysOf(['17 Ann: legend. have a great party tonight', '17 Sam: cheers!!']);
    expect(days).to.deep.equal([]);
  });
});

describe('A day that is agreed on', () => {
  it('is told with what was proposed, and not with how it was accepted', async () => {
    const days = await daysOf([
      '17 Sam: would you be free for a first interview next tuesday 10am?',
      '17 Ann: tuesday 10 works for me',
    ]);
    expect(days).to.deep.equal(['2026-11-24']);
  });

  it('is none while someone has to check first', async () => {
    const days = await daysOf([
      '17 Sam: could you do the 25th or the 26th?',
      '17 Ann: the 26th could work. but I have to check with my assistant, will confirm by tomorrow',
      '17 Sam: perfect, pencilled in',
    ]);
    expect(days).to.deep.equal(['2026-11-18']);
  });

  it('is the due day of what was asked for, when its doer suggests it', async () => {
    const days = await daysOf([
      '17 Ann: Could you send the side letter from 2024?',
      '17 Sam: have to dig it out of old mails. over the weekend ok?',
      '17 Ann: Fine',
    ]);
    expect(days).to.deep.equal(['2026-11-22']);
  });
});

describe('What is read as left to do', () => {
  it('does not take “erledigt” for a request', async () => {
    const days = await daysOf([
      '17 Ann: kannst du die Telefonnummer im Footer ändern? die alte ist abgeschaltet',
      "17 Sam: erledigt, Cache leeren dann siehst du's",
    ]);
    expect(days).to.deep.equal([]);
  });

  it('dates a promise by the day that the other side names after its yes', async () => {
    const days = await daysOf(["17 Sam: I'll send you the lease", '17 Ann: Great, thanks. By Friday, please.']);
    expect(days).to.deep.equal(['2026-11-20']);
  });

  it('dates what is to be asked by when its answer is promised', async () => {
    const days = await daysOf([
      '17 Sam: 180 euro with material. yes or no?',
      '17 Ann: hmm let me ask my partner, i tell you tonight',
    ]);
    expect(days).to.include('2026-11-17');
  });
});
