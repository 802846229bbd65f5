import { expect } from 'chai';
import type { ActionItem } from '../../../src/clients/summarizer/types.ts';
import { withRequests } from '../../../src/clients/summarizer/withRequests.ts';
import { conversation } from './conversations.ts';

const item = (owner: ActionItem['owner'], ...sourceMessageIds: string[]): ActionItem => {
  return { id: 'a', text: 'Will do', owner, ownerName: null, dueDate: null, dueText: null, sourceMessageIds };
};
const LINES = ['Eve: Hi Sam', 'Eve: Could you send me the contract?', 'Sam: Will do', 'Eve: Great'];

describe('The request that a promise answers', () => {
  const requestOf = (one: ActionItem, lines = LINES) => withRequests([one], conversation(lines).messages)[0]?.request;

  it('is the other side’s message that it rests on', () => {
    const request = { words: 'Could you send me the contract?', messageId: '2', who: 'Eve', fromUser: false };
    expect(requestOf(item('user', '2', '3'))).to.deep.include(request);
    const named = [`${'x'.repeat(99)}👍: Could you send me the contract?`, 'Sam: Will do'];
    expect(requestOf(item('user', '1', '2'), named)?.who.isWellFormed()).to.equal(true);
    // A long one is quoted from the sentence on that names the day.
    const long = [`Eve: ${'Thank you for all of that. '.repeat(6)}Shall we meet on Friday?`, 'Sam: Yes'];
    const due = { ...item('user', '1', '2'), dueText: 'Friday' };
    expect(requestOf(due, long)?.words).to.equal('… Shall we meet on Friday?');
  });

  it('is the message that asks, of several that it rests on', () => {
    const lines = ['Eve: You do what no one will', 'Eve: Could you send me the contract?', 'Sam: Will do'];
    expect(requestOf(item('user', '1', '2', '3'), lines)?.messageId).to.equal('2');
  });

  it('is what was said just before a short promise that cites nothing else', () => {
    for (const promise of ['Will do', 'Will do; by Friday'])
      expect(requestOf(item('user', '3'), LINES.with(2, `Sam: ${promise}`))?.messageId).to.equal('2');
    expect(requestOf(item('user', '3'), ['Eve: Hi', 'Eve: The tags are here', 'Sam: Shall I call?'])).to.equal(undefined);
  });

  it('is not what someone else wrote in between', () => {
    const lines = ['Eve: Could you send me the contract?', 'Mallory: Lovely weather', 'Sam: Will do'];
    expect(requestOf(item('user', '3'), lines)?.who).to.equal('Eve');
    const { messages } = conversation(['Eve: The contract, please', 'Mallory: Who wants coffee?', 'Sam: Will do']);
    const replied = messages.map(message => (message.fromUser ? { ...message, replyTo: 1 } : message));
    expect(withRequests([item('user', '3')], replied)[0]?.request?.who).to.equal('Eve');
    // In a group, others ask and answer each other.
    expect(requestOf(item('contact', '2', '3'), ['Sam: Fine', 'Eve: Who drives?', 'Ivo: I do'])?.who).to.equal('Eve');
  });

  it('is none for a promise that says all itself, or that is no one’s', () => {
    const lines = ['Eve: Hi Sam', 'Sam: I will send you the signed contract for the warehouse tomorrow morning'];
    expect(requestOf(item('user', '2'), lines)).to.equal(undefined);
    expect(requestOf(item('unknown', '2', '3'))).to.equal(undefined);
  });

  it('never quotes a secret', () => {
    const lines = ['Eve: The password is Tr0ub4dor&3, can you log in?', 'Sam: Will do'];
    expect(JSON.stringify(requestOf(item('user', '1', '2'), lines) ?? {})).to.not.include('Tr0ub');
  });
});
