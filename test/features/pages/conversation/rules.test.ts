import { expect } from 'chai';
import { chatLink, messageLink } from '../../../../src/features/messenger/dialogs/rules.ts';
import { periodOf } from '../../../../src/features/pages/conversation/describeTimeline.ts';

/** A Friday. */
const TODAY = '2026-11-20';

describe('The days of a conversation', () => {
  it('are grouped by this week, last week and month, with weeks from Monday', () => {
    const title = (day: string, today = TODAY) => periodOf(day, today).title;
    expect([title(TODAY), title('2026-11-16')]).to.deep.equal(['This week', 'This week']);
    expect([title('2026-11-15'), title('2026-11-09')]).to.deep.equal(['Last week', 'Last week']);
    expect([title('2026-11-08'), title('2025-10-31')]).to.deep.equal(['November', 'October 2025']);
    expect(title('2026-11-16', '2026-11-22')).to.equal('This week');
    expect(title('2026-11-15', '2026-11-16')).to.equal('Last week');
  });
});

describe('An address in the messenger', () => {
  const peer = (kind: 'user' | 'chat' | 'channel', more = {}) => ({
    peerType: 'user' as const,
    peer: { kind, id: '1234', accessHash: '' },
    peerUsername: '',
    peerPhone: '',
    topMessageId: 77,
    ...more,
  });

  it('leads to a message of a supergroup, by name or by number', () => {
    expect(messageLink(peer('channel', { peerUsername: 'founders' }), '9')).to.equal('https://t.me/founders/9');
    expect(messageLink(peer('channel'), '9')).to.equal('https://t.me/c/1234/9');
  });

  it('does not exist for messages of private chats and small groups, nor for ids that are no number', () => {
    expect(messageLink(peer('user', { peerUsername: 'anna' }), '9')).to.equal(undefined);
    expect(messageLink(peer('chat'), '9')).to.equal(undefined);
    expect(messageLink(peer('channel'), '9/../x')).to.equal(undefined);
  });

  it('of the chat is its username, else the phone, else its newest message where that has one', () => {
    expect(chatLink(peer('user', { peerUsername: 'anna', peerPhone: '+491711234567' }))).to.equal('https://t.me/anna');
    expect(chatLink(peer('user', { peerPhone: '+491711234567' }))).to.equal('https://t.me/+491711234567');
    expect(chatLink(peer('user', { peerUsername: 'a"b' }))).to.equal(undefined);
    expect(chatLink(peer('channel'))).to.equal('https://t.me/c/1234/77');
  });
});
