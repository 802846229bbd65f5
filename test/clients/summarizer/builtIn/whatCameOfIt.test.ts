import { expect } from 'chai';
import { digestDays } from '../digestDays.ts';

describe('a digest of what came of a talk', () => {
  it('leaves out what was needed and then arrived as a file', async () => {
    const { summary } = await digestDays([
      '17 Ann: The shop opens at 9 on Monday. Also need a photo of the roof, 2000 px wide.',
      '17 Sam: [photo] Photo of the roof',
      '19 Ann: The owner agreed to 8500 euros.',
    ]);
    expect(summary).not.to.include('2000 px');
  });

  it('tells no fragment of an answer without its question', async () => {
    const { summary } = await digestDays([
      '17 Ann: We need keys for 30 halls. Can you do that?',
      '17 Sam: Yes: 12 weeks for the full number.',
      '17 Ann: What I need to know: who opens the gate at 2am?',
      '17 Sam: Tom or Rita, by turns, rota printed for tenants.',
      '18 Ann: The crane costs 9000 euros.',
    ]);
    expect(summary).not.to.match(/(?<!\?” )Sam says Tom or Rita/);
  });

  it('tells what somebody wanted in the first of two talks', async () => {
    const { summary } = await digestDays([
      '17 Ann: Good morning, the port hotel.',
      '17 Sam: We need to rent a hall for about 200 people in January.',
      '17 Ann: I see.',
      '17 Sam: The blue one is too dark.',
      '17 Ann: Right.',
      '18 Ann: The tulips came back from the market.',
      '18 Sam: The tulips stay in the cold room.',
    ]);
    expect(summary).to.include('rent a hall for about 200 people');
  });

  it('does not tell a question on its own that was answered in other words', async () => {
    const { summary } = await digestDays([
      '17 Ann: One beef stew and one tomato soup for 14 euros. What would you like for the main course?',
      '17 Sam: I really cannot decide, everything on the card looks so delicious.',
      '17 Ann: The sole is very good.',
      '17 Sam: I will have that.',
      '18 Ann: The crane costs 9000 euros.',
      '18 Sam: The crane is ours for 8500 euros.',
    ]);
    expect(summary).to.include('14 euros').and.not.to.include('main course');
  });

  it('leaves out what the other side rejected at once', async () => {
    const { summary } = await digestDays([
      '17 Ann: When can we expect the crane at the port?',
      '17 Sam: By the middle of October.',
      '17 Ann: That is too late for the season at the port.',
      '17 Sam: We can manage the crane on 20 September with three shifts.',
      '17 Ann: Good.',
    ]);
    expect(summary).to.include('20 September').and.not.to.include('middle of October');
  });

  it('does not take a message of the next day as the answer of somebody who already answered', async () => {
    const { summary } = await digestDays([
      '17 Sam: Are you going to have a harvest party?',
      '17 Ann: Maybe. I will have to ask the owner.',
      '18 Ann: this harvest party rocks!',
      '18 Sam: The band of the harbor plays until 2.',
      '18 Ann: Good.',
    ]);
    expect(summary).not.to.include('answers: “This');
  });

  it('tells once what was asked about and is still to do', async () => {
    const { summary } = await digestDays([
      '17 Ann: Have you called the fire station yet?',
      '17 Sam: Will do it tomorrow.',
    ]);
    expect(summary).to.include('will call the fire station').and.not.to.include('do it');
  });

  it('leaves out a sentence whose "it" is in one that is not told', async () => {
    const { summary } = await digestDays([
      '17 Ann: The final version of the lease, with 8 weeks of notice. Can you sign by Monday? Jule needs it for the bank.',
      '17 Sam: Will do.',
      '19 Sam: [photo] Signed lease is in the inbox of the bank',
    ]);
    expect(summary).to.include('8 weeks').and.not.to.include('Jule needs it');
  });

  it('appends the day that a later sentence gives to what is needed', async () => {
    const { summary } = await digestDays([
      '17 Ann: Before Friday I need from you in writing: the price of the crane and the plan of the port. By Wednesday please',
    ]);
    expect(summary).to.match(/in writing: .*\(by Wednesday\)\.$/);
  });

  it('tells what a short question is about', async () => {
    const { summary } = await digestDays([
      '17 Ann: Two lamps of the harbor are dark again.',
      '17 Sam: We know the cause, it is a fault of the winter fuses. Which pier numbers?',
      '17 Ann: 3982 and 3990',
      '19 Ann: The crane costs 9000 euros.',
    ]);
    expect(summary).to.match(/winter fuses.*Which pier numbers.*3982/);
  });

  it('names the other person where "they" would be whoever asks', async () => {
    const { summary } = await digestDays([
      '17 Ann: We run a piece on the port, would you be up for an interview of 20 minutes?',
      '17 Sam: Sure.',
    ]);
    expect(summary).to.include('whether Sam would be up');
  });
});
