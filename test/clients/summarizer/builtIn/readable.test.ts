import { expect } from 'chai';
import { mergeSameSubject } from '../../../../src/clients/summarizer/builtIn/english/merging.ts';
import { withoutSays } from '../../../../src/clients/summarizer/builtIn/english/reported.ts';
import { digestDays } from '../digestDays.ts';

describe('a digest that reads well', () => {
  it('prefers a sentence that names its thing to one with a pronoun for it', async () => {
    const { summary } = await digestDays([
      '17 Ann: Where did you get that lamp?',
      '17 Sam: I bought it online.',
      '17 Ann: The lamp shop in the harbor closes in March.',
      '17 Sam: Everybody likes it there.',
    ]);
    expect(summary)
      .to.include('harbor')
      .and.not.to.match(/bought it online|likes it there/);
  });

  it('tells an offer with the yes to it', async () => {
    const { summary } = await digestDays([
      '17 Ann: Could the crane come in May?',
      '17 Sam: The crane costs 9000 euros a week.',
      '17 Ann: That is acceptable.',
    ]);
    expect(summary).to.match(/9000 euros.*Ann agrees\./);
  });

  it('leaves out a yes with a condition', async () => {
    const { summary } = await digestDays([
      '17 Sam: The crane costs 9000 euros a week.',
      '17 Ann: That is acceptable if the gate is open by then.',
    ]);
    expect(summary).not.to.include('agrees');
  });

  it('puts what is left to do after several days under a heading', async () => {
    const { summary } = await digestDays([
      '17 Ann: The crane costs 9000 euros.',
      '18 Ann: The crane arrived in the yard, all 14 parts of it.',
      '18 Ann: Please send me the lease by Monday.',
    ]);
    expect(summary).to.include('Open: Ann asks Sam to send the lease by Monday.');
  });

  it('has no heading where nothing comes before it', async () => {
    const { summary } = await digestDays(['18 Ann: Please send me the lease by Monday.']);
    expect(summary).to.equal('Ann asks Sam to send the lease by Monday.');
  });

  it('says what a call is to be about', async () => {
    const { summary } = await digestDays(["17 Ann: Please call me back when you can, it's about the harbor fair"]);
    expect(summary).to.include('asks Sam to call back about the harbor fair');
  });

  it('keeps a "that" which belongs to the sentence itself', () => {
    expect(withoutSays('Ann says that is the plan', 'Ann')).to.equal('that is the plan');
    expect(withoutSays('Ann says that if it rains, they wait', 'Ann')).to.equal('if it rains, they wait');
  });

  it('adds the yes to an answer that is an offer', async () => {
    const { summary } = await digestDays([
      '17 Ann: How much does the crane cost per week?',
      '17 Sam: The crane costs 9000 euros a week.',
      '17 Ann: That price is acceptable.',
    ]);
    expect(summary).to.match(/9000 euros a week\. Ann agrees\./);
  });

  it('does not report a call for attention as a question', async () => {
    const { summary } = await digestDays([
      '17 Ann: Excuse me, Mr. Porter? The crane is in the yard.',
      '17 Sam: Sure, Rita. Sorry to have kept you waiting.',
    ]);
    expect(summary).not.to.include('Excuse me');
  });

  it('reports that somebody wants no more messages', async () => {
    const { summary } = await digestDays([
      '17 Ann: Certified posters for dear owners 🚀',
      "17 Sam: Please don't write to me again.",
    ]);
    expect(summary).to.include('not to write to them again');
  });

  it('leaves out the fragment that a message begins with', async () => {
    const { summary } = await digestDays([
      '17 Sam: The crane is in the yard, 14 parts.',
      '18 Ann: Not too bad. The goal is to lift the roof in May with 20 people.',
    ]);
    expect(summary).to.include('the goal is to lift the roof').and.not.to.include('Not too bad');
  });

  it('keeps the request that a message begins with', async () => {
    const { summary } = await digestDays([
      '17 Ann: Send an ambulance fast! My brother is having a heart attack!',
      '17 Sam: Which street?',
    ]);
    expect(summary).to.include('send an ambulance fast');
  });

  it('makes one sentence of neighboring sentences about one person', () => {
    expect(mergeSameSubject(['Sam would like soup.', 'Sam wants to skip dessert.'], 'Sam')).to.deep.equal([
      'Sam would like soup and wants to skip dessert.',
    ]);
  });

  it('keeps what was said apart from what its speaker does', () => {
    const sentences = ['Sam says the roof leaks.', 'Sam wants a plumber.'];
    expect(mergeSameSubject(sentences, 'Sam')).to.deep.equal(sentences);
  });
});
