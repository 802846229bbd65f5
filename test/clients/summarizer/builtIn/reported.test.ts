import { expect } from 'chai';
import { reportStatement } from '../../../../src/clients/summarizer/builtIn/english/reported.ts';
import { reportQuestion } from '../../../../src/clients/summarizer/builtIn/english/reportedQuestions.ts';
import { readWords } from '../../../../src/clients/summarizer/builtIn/english/spelling.ts';
import { loadTagger } from '../../../../src/clients/summarizer/builtIn/english/tagger.ts';

/** Nora speaks to Sam. */
const STATEMENTS: [said: string, report: string | null][] = [
  ['I need the lease by Monday.', 'Nora needs the lease by Monday'],
  ["I'm on holiday and I don't read mails.", "Nora is on holiday and they don't read mails"],
  ["I've sent you the lease.", 'Nora has sent Sam the lease'],
  ['Well, I think you should call the bank.', 'Nora thinks Sam should call the bank'],
  ['The bank opens at nine.', 'Nora says the bank opens at nine'],
  ['My brother will bring the keys.', 'Nora says their brother will bring the keys'],
  ['You know the house.', 'Nora says Sam knows the house'],
  ['Your roof is leaking again.', "Nora says Sam's roof is leaking again"],
  ['We need two more desks.', 'Nora needs two more desks'],
  ['We should meet the plumber first.', 'Nora says they should meet the plumber first'],
  ['Also need one photo of the roof.', 'Nora needs one photo of the roof'],
  ['Will do it on Monday.', 'Nora will do it on Monday'],
  ['Let me see the plan.', null],
  ['If it rains on Monday.', null],
  ['Sent you the plan of the roof.', 'Nora sent Sam the plan of the roof'],
  ['Please call the plumber before noon.', 'Nora tells Sam to call the plumber before noon'],
  ["Don't call the plumber.", 'Nora tells Sam not to call the plumber'],
  ['Sam, the plumber is here.', 'Nora says the plumber is here'],
  ["It's been cold since Monday.", 'Nora says it has been cold since Monday'],
  ['Dr. Weber, I woke up with a pain.', 'Nora woke up with a pain'],
  ['Sorry, sir, the room is taken.', 'Nora says the room is taken'],
  ['Dinner is on me.', 'Nora says dinner is on them'],
  ['Helen is in.', 'Nora says Helen is in'],
  // A second clause with a voice of its own, and a "you" that means anybody.
  ['I can host, tell me the date.', null],
  ["After the rush hour you'll envy the sardines.", null],
  ['At dinner you wait for the hostess.', null],
  ['Position yourself, watch the ball and hit it as hard as you can.', null],
  ['Sorry to have kept you waiting.', null],
  ['I mean besides bask in the sun, obviously.', null],
  // Broken grammar of the speaker's own, a name said twice, a request whose words are not sure.
  ["It's be against the law if we didn't.", null],
  ['You can pay online and the shop calls you.', null],
  ['If it rains, the crane stays at home.', 'Nora says that if it rains, the crane stays at home'],
  ['Sending it to the bank today, express, 61 euros.', 'Nora is sending it to the bank today, express, 61 euros'],
  ['To start with, the roof is old.', 'Nora says the roof is old'],
  ['Turn left at the second light.', 'Nora tells Sam to turn left at the second light'],
  ['Sending it to the bank today.', 'Nora is sending it to the bank today'],
  // No sentence, or words whose counterpart would be guessed.
  ['78 dollars a day.', null],
  ['Annex 2, hosting and mail.', null],
  ['The keys are mine.', null],
  ['Number: our tags saw one failure.', null],
  ['He wrote "not small, boring" on it.', null],
];

const QUESTIONS: [asked: string, report: string | null][] = [
  ['How much does it cost per day?', 'how much it costs per day'],
  ['When do you need the lease?', 'when they need the lease'],
  ['Did you call the bank?', 'whether they called the bank'],
  ['Can I pay on Friday?', 'whether Nora can pay on Friday'],
  ['Is the lease signed?', 'whether the lease is signed'],
  ['Who trains the night shift?', 'who trains the night shift'],
  ['And what kind of roof do you want?', 'what kind of roof they want'],
  ['Could you tell me when the bank opens?', 'when the bank opens'],
  ['Do you know if the bank is open?', 'whether the bank is open'],
  ['Have you signed it, Sam?', 'whether they have signed it'],
  // Whoever is asked would be named twice.
  ['Do you think we can park?', null],
  // Where the subject ends can't be told, or there is no verb.
  ['Is the chair at the window free?', null],
  ['14 people?', null],
];

describe('reported speech in English', () => {
  const voices = { speaker: 'Nora', listener: 'Sam', names: new Set(['nora', 'sam']) };
  before(loadTagger);

  for (const [said, report] of STATEMENTS) {
    it(report === null ? `leaves “${said}” to a quotation` : `tells “${said}” as “${report}”`, () => {
      expect(reportStatement(readWords(said), voices)).to.equal(report);
    });
  }

  for (const [asked, report] of QUESTIONS) {
    it(report === null ? `leaves “${asked}” to a quotation` : `tells “${asked}” as “asks ${report}”`, () => {
      expect(reportQuestion(readWords(asked), voices)).to.equal(report);
    });
  }

  it('leaves “you” to a quotation where several people listen', () => {
    expect(reportStatement(readWords('You need the lease.'), { ...voices, listener: null })).to.equal(null);
  });
});
