import { expect } from 'chai';
import { presentDigest } from '../../../src/features/digests/present.ts';
import { quoteSentences, quoteSource } from '../../../src/features/digests/quoteSource.ts';
import { digest } from '../pages/today/digests.ts';

const NOW = { today: '2026-11-20', timezone: 'Europe/Berlin' };
const sent = (id: string, sentAt: string, fromUser = false) => ({ id, sender: 'Farid Nazari', fromUser, sentAt });
const MESSAGES = [
  sent('11', '2026-11-19T15:58:00Z'),
  sent('12', '2026-11-19T16:03:00Z', true),
  sent('13', '2026-11-19T23:30:00Z'),
  sent('14', '2026-11-19T23:30:20Z'),
];
const told = (ids: string[], dialog = {}) => {
  const sources = { sentences: [], messages: MESSAGES };
  return quoteSource(digest({ sources, dialog }), ids, { ...NOW, key: '1' });
};

describe('The source of a sentence', () => {
  it('says who and when in the user’s zone, naming the day once', () => {
    expect(told(['11', '12'])?.lines).to.deep.equal([
      { name: 'Farid Nazari', when: 'Thu 19 Nov, 16:58' },
      { name: 'You', when: '17:03' },
    ]);
    expect(told(['11', '13', '14'])?.lines.map(({ when }) => when)).to.deep.equal([
      'Thu 19 Nov, 16:58',
      'Fri 20 Nov, 00:30',
    ]);
  });

  it('leads to the message in a group, to the chat of a person, and nowhere else', () => {
    const peer = { kind: 'channel' as const, id: '77' };
    expect(told(['11', '13'], { peerType: 'supergroup', peer })?.links).to.deep.equal([
      { href: 'https://t.me/c/77/11', label: 'Open message' },
      { href: 'https://t.me/c/77/13', label: 'Open message 2' },
    ]);
    const chat = [{ href: 'https://t.me/farid_b', label: 'Open chat in Telegram' }];
    expect(told(['11'], { peerUsername: 'farid_b' })?.links).to.deep.equal(chat);
    expect(told(['11'])?.links).to.deep.equal([]);
  });

  it('leaves the summary unchanged', () => {
    const summary = 'Well. Helen signs. And more. Bye';
    const messageIds = ['11'];
    const sentences = [
      { from: 6, to: 18, messageIds },
      { from: 10, to: 20, messageIds },
      { from: 19, to: 28, messageIds: ['99'] },
      { from: 29, to: 400, messageIds },
    ];
    const parts = quoteSentences(digest({ summary, sources: { sentences, messages: MESSAGES } }), NOW);
    expect(parts.map(({ text }) => text)).to.deep.equal(['Well. ', 'Helen signs.', ' And more. Bye']);
    expect(parts.map(({ source }) => source !== undefined)).to.deep.equal([false, true, false]);
  });
});

describe('A digest over several days', () => {
  const since = (first: string, last: string) =>
    presentDigest(digest({ firstMessageAt: new Date(first), lastMessageAt: new Date(last) }), NOW).since;

  it('says from when', () => {
    expect(since('2026-11-07T10:00:00Z', '2026-11-20T08:00:00Z')).to.equal('since 7 Nov');
    expect(since('2026-11-15T10:00:00Z', '2026-11-17T08:00:00Z')).to.equal('since 15 Nov');
  });

  it('is not one that runs from the evening before to the morning, nor one of a single day', () => {
    expect(since('2026-11-19T08:00:00Z', '2026-11-20T05:00:00Z')).to.equal('');
    expect(since('2026-11-12T08:00:00Z', '2026-11-12T15:00:00Z')).to.equal('');
  });
});
