import { expect } from 'chai';
import type { ActionItem } from '../../../src/clients/summarizer/types.ts';
import type { Digest } from '../../../src/features/digests/schema.ts';
import { presentDigest } from '../../../src/features/today/presentDigest.ts';
import { digest, item } from './digests.ts';

const NOW = { today: '2026-11-20', timezone: 'Europe/Berlin' };
const present = (row: Digest) => presentDigest(row, NOW);
const action = (details: Partial<ActionItem>) =>
  present(digest({ name: 'Farid', structured: { actionItems: [item(details)] } })).actions[0];

describe('A digest in words', () => {
  it('marks what is the user’s and due today, and nothing else', () => {
    expect(action({ dueDate: '2026-11-20' })).to.include({ owner: 'You', due: 'today', tone: 'today' });
    expect(action({ dueDate: '2026-11-23' })).to.include({ due: 'Mon 23 Nov', tone: 'plain' });
    expect(action({ dueDate: '2026-11-20', owner: 'contact' })).to.include({ due: 'today', tone: 'plain' });
  });

  it('says since when the user is late', () => {
    expect(action({ dueDate: '2026-11-19' })).to.include({ due: 'was due Thu', tone: 'late' });
    expect(action({ dueDate: '2026-11-02' })).to.include({ due: 'was due Mon 2 Nov', tone: 'late' });
    expect(action({ dueDate: '2026-11-19', owner: 'contact' })).to.include({ tone: 'plain' });
  });

  it('keeps the words said when no date could be computed', () => {
    expect(action({ dueText: 'before the summer' })).to.include({ due: 'before the summer', tone: 'plain' });
  });

  it('names the owner as far as known', () => {
    expect(action({ owner: 'contact' })).to.include({ owner: 'Farid', isUser: false });
    expect(action({ owner: 'unknown', ownerName: 'Tobias' })).to.include({ owner: 'Tobias' });
    expect(action({ owner: 'unknown' })).to.include({ owner: '' });
  });

  it('links to the chat by username, else by phone, else not at all', () => {
    const link = (dialog: Partial<Digest['dialog']>) => present(digest({ dialog })).reply;
    expect(link({ peerUsername: 'farid_n', peerPhone: '+491713920012' })).to.equal('https://t.me/farid_n');
    expect(link({ peerPhone: '+491713920012' })).to.equal('https://t.me/+491713920012');
    expect(link({})).to.equal(undefined);
    expect(link({ peerUsername: 'x/../evil?' })).to.equal(undefined);
  });

  it('shows the time in the user’s zone, with the day when it is another one', () => {
    expect(present(digest({ lastMessageAt: new Date('2026-11-20T21:14:00Z') })).when).to.equal('22:14');
    expect(present(digest({ lastMessageAt: new Date('2026-11-18T23:30:00Z') })).when).to.equal('Thu 19 Nov, 00:30');
    expect(present(digest({ lastMessageAt: null })).when).to.equal('');
  });

  it('shows at most three topics', () => {
    expect(present(digest({ structured: { topics: ['a', 'b', 'c', 'd'] } })).topics).to.deep.equal(['a', 'b', 'c']);
  });

  it('gives a skipped and a failed one its own reason', () => {
    const skipped = digest({ status: 'SKIPPED', summary: '', reason: 'TOO_FEW_MESSAGES', messageCount: 1 });
    expect(present(skipped).reason).to.equal('1 new message, too few for a digest. They add up.');
    expect(present(digest({ status: 'FAILED', reason: 'AI_UNAVAILABLE' })).reason).to.equal(
      'The summary service did not answer. The messages are still in Telegram.',
    );
    expect(present(digest({ status: 'FAILED', reason: 'NEW_CODE' })).reason).to.match(
      /^The digest could not be written/,
    );
  });

  it('has a name for everybody', () => {
    expect(present(digest({ name: '', dialog: { peerUsername: 'olu' } })).name).to.equal('olu');
    expect(present(digest({ name: '' })).name).to.equal('Without a name');
  });
});
