import { expect } from 'chai';
import type { Digest } from '../../../../src/features/digests/schema.ts';
import { chooseFrontDigests, countViews, filterGroups, groupDay } from '../../../../src/features/pages/today/rules.ts';
import { digest, urgent } from './digests.ts';

const NEVER = () => false;
const group = (digests: Digest[], syncRuns = false) => groupDay(digests, { syncRuns });
const names = (digests: Digest[]) => digests.map(({ dialog }) => dialog.peerName);
const pinned = { dialog: { isPinned: true } };
const muted = { dialog: { isMuted: true } };

describe('The groups of a day', () => {
  it('begin with what is pinned, then the greatest news', () => {
    const signed = { structured: { sentiment: 'positive', urgency: 'low' } } as const;
    const { written } = group([
      digest({ name: 'Calm' }),
      digest({ name: 'Long ago', structured: urgent, lastMessageAt: new Date('2026-11-10T08:00:00Z') }),
      digest({ name: 'Dinner', structured: { news: 92 } }),
      digest({ name: 'Signed, by a model', ...signed, engine: 'large-2' }),
      digest({ name: 'Signed', structured: { news: 169 } }),
      digest({ name: 'Urgent', structured: urgent }),
      digest({ name: 'Threat', structured: { ...urgent, sentiment: 'negative', news: 140 } }),
      digest({ name: 'Pinned', ...pinned }),
    ]);
    const order = ['Pinned', 'Threat', 'Signed', 'Urgent', 'Signed, by a model', 'Dinner', 'Calm', 'Long ago'];
    expect(names(written)).to.deep.equal(order);
  });

  it('show what failed until a later digest covers it', () => {
    const failed = { writingState: 'FAILED', summary: '', isWritten: false, reason: 'AI_UNAVAILABLE' } as const;
    const again = digest({ name: 'Second try', ...failed, summary: 'Of the first one.' });
    const groups = group([
      again,
      digest({ name: 'Open', ...failed }),
      digest({ name: 'Covered', ...failed, isCovered: true }),
    ]);
    expect(names(groups.notFinished)).to.have.members(['Open', 'Second try']);
    expect(names(groups.quiet)).to.deep.equal(['Covered']);
  });

  it('call a row left in the middle not finished only when no sync is at work', () => {
    const waiting = [digest({ writingState: 'PENDING', summary: '', isWritten: false })];
    expect(group(waiting, true).notFinished).to.have.length(0);
    expect(group(waiting, false).notFinished).to.have.length(1);
  });

  it('keep showing what a row said while it is rewritten', () => {
    expect(names(group([digest({ name: 'Ada', writingState: 'PENDING' })], true).written)).to.deep.equal(['Ada']);
  });
});

describe('The plain page of a day', () => {
  const many = (count: number, name: string, details = {}) =>
    Array.from({ length: count }, (_, n) => digest({ name: `${name} ${n}`, ...details }));

  it('opens with three, up to five where they are pinned, has ten more, and counts the rest', () => {
    const { news, lines, left } = chooseFrontDigests(group(many(36, 'Calm')));
    expect([news.length, lines.length, left]).to.deep.equal([3, 10, 23]);
    const opening = (count: number) => chooseFrontDigests(group([...many(count, 'Pin', pinned), ...many(4, 'Calm')])).news;
    expect(names(opening(1))).to.deep.equal(['Pin 0', 'Calm 0', 'Calm 1', 'Calm 2']);
    expect([opening(4).length, opening(8).length]).to.deep.equal([5, 5]);
  });

  it('shows muted conversations only in the list of everything', () => {
    const groups = group([digest({ name: 'Loud', structured: urgent, ...muted }), digest({ name: 'Calm' })]);
    const { news, lines, left } = chooseFrontDigests(groups);
    expect([names(news), lines.length, left]).to.deep.equal([['Calm'], 0, 1]);
    expect(filterGroups(groups, 'urgent').written).to.have.length(0);
    expect(filterGroups(groups, 'everything').written).to.have.length(2);
  });
});

describe('The views of a day', () => {
  const day = group([
    digest({ name: 'Urgent', structured: urgent }),
    digest({ name: 'Pinned', ...pinned }),
    digest({ name: 'Calm' }),
    digest({ name: 'Failed', writingState: 'FAILED', summary: '', isWritten: false }),
    digest({ name: 'Quiet', writingState: 'SKIPPED', summary: '', isWritten: false }),
  ]);

  it('count their rows, and the plain one also what is due', () => {
    const counts = { today: 2, urgent: 1, pinned: 1, unmatched: 0, everything: 3, failed: 1, skipped: 1 };
    expect(countViews(day, { isUnmatched: NEVER, due: 2 })).to.deep.equal(counts);
  });

  it('hold the rows they count', () => {
    expect(names(filterGroups(day, 'urgent').written)).to.deep.equal(['Urgent']);
    expect(names(filterGroups(day, 'pinned').written)).to.deep.equal(['Pinned']);
    expect(names(filterGroups(day, 'failed').notFinished)).to.deep.equal(['Failed']);
    expect(names(filterGroups(day, 'skipped').quiet)).to.deep.equal(['Quiet']);
    const isUnmatched = ({ dialog }: Digest) => dialog.peerName !== 'Calm';
    expect(names(filterGroups(day, 'unmatched', isUnmatched).written)).to.deep.equal(['Pinned', 'Urgent']);
  });
});
