import { expect } from 'chai';
import { sampleWorld } from '../../../sandbox/messenger/samples.ts';
import { DEMO_CONVERSATION } from '../../../src/clients/summarizer/demoConversation.ts';

describe('The conversation that a model is tried with', () => {
  it('is one of the demo, word for word', () => {
    const { dialogs, owner } = sampleWorld(new Date('2026-01-08T17:00:00Z'));
    const { messages } = DEMO_CONVERSATION;
    const [{ text: first = '' } = {}] = messages;
    const dialog = dialogs.find(one => one.messages.some(({ text }) => text === first));
    const told = messages.map(({ fromUser, text }) => [fromUser, text]);
    expect(told).to.deep.equal(
      dialog?.messages.map(({ from, text, media }) => [from === owner.id, media ? `[${media}]` : text]),
    );
  });
});
