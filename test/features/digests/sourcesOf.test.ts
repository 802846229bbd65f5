import { expect } from 'chai';
import { collectSources } from '../../../src/features/digests/rules.ts';
import { EMPTY_CONTENT } from '../../../src/features/digests/schema.ts';

const HELEN = 'Helen signs on Monday.';
const PRICE = 'The price stays.';
const sentAt = new Date('2026-11-20T16:58:00Z');
const message = (id: number, details: { senderName?: string; fromUser?: boolean } = {}) => {
  const text = 'Helen signs it on Monday, she says';
  return { id, sentAt, senderName: 'Farid Nazari', fromUser: false, forwarded: false, text, ...details };
};
const written = (summary: string, sentences?: { text: string; sourceMessageIds: string[] }[]) => ({
  summary,
  structured: EMPTY_CONTENT,
  ...(sentences && { sentences }),
});
const helen = { text: HELEN, sourceMessageIds: ['12', '11'] };
const price = { text: PRICE, sourceMessageIds: ['13'] };

describe('What is kept of a digest’s messages', () => {
  const messages = [message(11), message(12, { fromUser: true }), message(13), message(14)];

  it('is where each sentence is, the ids, who and when, and none of the text', () => {
    const { sentences, messages: kept } = collectSources(written(`${HELEN} ${PRICE}`, [helen, price]), messages);
    expect(sentences).to.deep.equal([
      { from: 0, to: 22, messageIds: ['12', '11'] },
      { from: 23, to: 39, messageIds: ['13'] },
    ]);
    const farid = { sender: 'Farid Nazari', sentAt: '2026-11-20T16:58:00.000Z' };
    expect(kept).to.deep.equal([
      { ...farid, id: '11', fromUser: false },
      { ...farid, id: '12', fromUser: true },
      { ...farid, id: '13', fromUser: false },
    ]);
  });

  it('is bounded for any summary and any name', () => {
    const many = Array.from({ length: 500 }, (_, n) => message(n + 1, { senderName: `\0${'😀'.repeat(500)}` }));
    const ids = many.map(({ id }) => String(id));
    const sentences = ids.map(() => ({ text: 'So. ', sourceMessageIds: ids }));
    const kept = collectSources(written('So. '.repeat(500), sentences), many);
    expect(kept.sentences).to.have.length(40);
    expect(kept.messages).to.have.length(10);
    expect(kept.messages[0]?.sender)
      .to.have.length.at.most(100)
      .and.match(/^(😀)+�?$/u);
  });
});
