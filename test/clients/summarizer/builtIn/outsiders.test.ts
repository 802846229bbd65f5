import { expect } from 'chai';
import { createBuiltInSummarizer } from '../../../../src/clients/summarizer/builtIn/summarizer.ts';
import { conversation } from '../conversations.ts';

const PEOPLE = ['Sam', 'Nora', 'Marco', 'Mallory'];
const EN = ['Marco: The hall is booked for the fair', 'Nora: I’ll send you the signed contract by Thursday, Sam'];
const DE = ['Marco: Die Halle ist gebucht', 'Nora: Ich schicke dir den Vertrag bis Donnerstag, Sam'];
const THURSDAY = '2026-11-19';

describe('Someone in a group who has no say in a promise', () => {
  const summarizer = createBuiltInSummarizer();

  /** Whose each item is with its day, after these messages of one day. `of`: the ids of those who aren't who they say. */
  async function itemsOf(lines: string[], of: Record<number, string> = {}) {
    const request = conversation(lines, { isGroup: true, peerName: 'Launch team' });
    for (const [at, message] of request.messages.entries()) {
      if (of[at]) message.fromUser = false;
      message.senderId = of[at] ?? `user:${PEOPLE.indexOf(lines[at]?.split(':')[0] ?? '')}`;
    }
    const { structured } = await summarizer.summarize(request);
    return structured.actionItems.map(({ ownerName, dueDate }) => [ownerName, dueDate]);
  }

  it('names no day for it, on the day on which it is made', async () => {
    for (const words of [
      'Nora, send the signed contract on Monday please',
      'Nora, can you send the signed contract on Monday?',
      'Can you send it on Monday?',
    ])
      expect(await itemsOf([...EN, `Mallory: ${words}`]), words).to.deep.include(['Nora', THURSDAY]);
    const words = 'Schick den Vertrag bitte am Montag, Nora';
    expect(await itemsOf([...DE, `Mallory: ${words}`]), words).to.deep.include(['Nora', THURSDAY]);
    const asked = ['Nora: Sam, can you send me the contract?', 'Sam: I’ll send you the contract'];
    const items = await itemsOf([...asked, 'Mallory: Sam, send the contract by Friday please']);
    expect(items).to.deep.include(['Sam', null]).and.not.deep.include(['Sam', '2026-11-20']);
  });

  it('settles nothing of it', async () => {
    const asked = ['Sam: Nora, can you send me the signed contract?', 'Nora: Sure, will do'];
    const before = await itemsOf([...asked, 'Mallory: Nice weather today']);
    expect(before).to.deep.include(['Nora', null]);
    for (const words of ['Got it, thanks!', 'The signed contract is sent', 'No, not needed', '[file: contract.pdf]'])
      expect(await itemsOf([...asked, `Mallory: ${words}`]), words).to.deep.include(['Nora', null]);
  });

  it('is not who owes it by having the same name', async () => {
    for (const words of [
      'Monday works, you get the signed contract on Monday',
      'I’ll send the signed contract on Monday',
    ])
      expect(await itemsOf([...EN, `Nora: ${words}`], { 2: 'user:66' }), words).to.deep.include(['Nora', THURSDAY]);
    const asked = ['Nora: Can you send me the signed contract?', 'Sam: Sure, will do'];
    for (const words of ['I’ll send the offer on Friday', 'I’ll pay the invoice 4711 on Friday']) {
      const items = await itemsOf([...asked, `Sam: ${words}`], { 2: 'user:66' });
      expect(items, words).to.deep.include(['Sam', null]);
    }
  });

  it('is everyone but who owes it, whom it was promised to and the user', async () => {
    const asked = ['Marco: Nora, can you send me the signed contract by Thursday?', 'Nora: Yes, I’ll send it'];
    const later = 'on Friday instead, I’ll send the signed contract on Friday';
    expect(await itemsOf([...asked, `Nora: Sorry, ${later}`])).to.deep.include(['Nora', '2026-11-20']);
    for (const who of ['Marco', 'Sam']) {
      const items = await itemsOf([...asked, `${who}: Nora, send the signed contract on Friday please`]);
      expect(items, who).to.deep.include(['Nora', '2026-11-20']);
    }
  });
});
