import { expect } from 'chai';
import { presentDigest } from '../../../src/features/digests/present.ts';
import type { Digest } from '../../../src/features/digests/schema.ts';
import { digest } from '../pages/today/digests.ts';

const NOW = { today: '2026-11-20', timezone: 'Europe/Berlin' };
const present = (row: Digest) => presentDigest(row, NOW);

describe('A digest in words', () => {
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

  it('gives a skipped digest its reason', () => {
    const quiet = digest({ writing: 'SKIPPED', summary: '', reason: 'TOO_FEW_MESSAGES', messageCount: 1 });
    const words = 'Too quiet: 1 new message. Messages add up until there are enough.';
    expect(present(quiet)).to.deep.include({
      reason: words,
      badge: { icon: 'skip', tone: 'is-mute', word: 'Too quiet' },
    });
    const over = digest({ writing: 'SKIPPED', summary: '', reason: 'PLAN_LIMIT' });
    const today = presentDigest(over, { ...NOW, plan: { conversationsPerDay: 1000 } });
    expect(today.reason).to.equal(
      'Over your plan’s 1,000 conversations for today. The messages add up for a later day.',
    );
    expect(today.badge.word).to.equal('Over the plan');
    const earlier = { ...over, digestDate: '2026-11-18', isCovered: true };
    expect(present(earlier).reason).to.equal('Over your plan’s limit for that day. A later digest has its messages.');
  });

  it('says what happened to a failed one and where its messages are', () => {
    const failed = (reason: string, messageCount = 0) =>
      present(digest({ writing: 'FAILED', summary: '', reason, messageCount })).reason;
    const codes = 'AI_UNAVAILABLE SUMMARY_TIMEOUT AI_BAD_OUTPUT SESSION_EXPIRED MESSENGER_NOT_CONNECTED CRASHED'.split(
      ' ',
    );
    const all = [...codes, 'MESSENGER_UNAVAILABLE', 'TIMEOUT', 'FLOOD_WAIT', 'UNREADABLE', 'NEW_CODE'].map(reason =>
      failed(reason),
    );
    expect(new Set(all)).to.have.length(11);
    expect(failed('AI_UNAVAILABLE')).to.equal(
      'The summary service couldn’t be reached. The messages are still in Telegram.',
    );
    expect(failed('AI_UNAVAILABLE', 3)).to.equal(
      'The summary service couldn’t be reached. 3 messages wait in Telegram.',
    );
    expect(failed('AI_UNAVAILABLE', 1)).to.match(/ 1 message waits in Telegram\.$/);
    expect(failed('NEW_CODE')).to.match(/^The digest couldn’t be written/);
  });

  it('does not count messages already summarized as waiting after a failure', () => {
    const row = present(
      digest({ writing: 'FAILED', summary: 'From this morning.', reason: 'TIMEOUT', messageCount: 9 }),
    );
    expect(row.reason).to.equal('Telegram didn’t respond in time. The messages are still in Telegram.');
  });

  it('says until when Telegram asks to wait, until then', () => {
    const flooded = digest({ writing: 'FAILED', summary: '', reason: 'FLOOD_WAIT' });
    expect(presentDigest(flooded, { ...NOW, waitsUntil: '09:48' }).reason).to.match(
      /^Telegram asks us to wait until 09:48\. We’ll try again automatically then\./,
    );
  });
});
