import { expect } from 'chai';
import type { Digest } from '../../../../src/features/digests/schema.ts';
import { countViews, groupDay, narrow, takeFront, takePage } from '../../../../src/features/pages/today/rules.ts';
import { digest, urgent } from './digests.ts';

const NEVER = () => false;
const isDue = ({ dialog }: Digest) => dialog.peerName.startsWith('Due');
const group = (digests: Digest[], syncRuns = false) => groupDay(digests, { syncRuns, isDue });
const names = (digests: Digest[]) => digests.map(({ dialog }) => dialog.peerName);
const pinned = { dialog: { isPinned: true } };
const muted = { dialog: { isMuted: true } };

describe('The groups of a day', () => {
  it('begin with what is pinned, then urgent, then due, each with the newest first', () => {
    const older = { lastMessageAt: new Date('2026-11-19T08:00:00Z') };
    const { written } = group([
      digest({ name: 'Calm' }),
      digest({ name: 'Due, older', ...older }),
      digest({ name: 'Due' }),
      digest({ name: 'Urgent', structured: urgent }),
      digest({ name: 'Pinned', ...pinned, ...older }),
    ]);
    expect(names(written)).to.deep.equal(['Pinned', 'Urgent', 'Due', 'Due, older', 'Calm']);
  });

  it('show what failed until a later digest covers it', () => {
    const failed = { writing: 'FAILED', summary: '', reason: 'AI_UNAVAILABLE' } as const;
    const groups = group([
      digest({ name: 'Open', ...failed }),
      digest({ name: 'Covered', ...failed, isCovered: true }),
    ]);
    expect(names(groups.notFinished)).to.deep.equal(['Open']);
    expect(names(groups.quiet)).to.deep.equal(['Covered']);
  });

  it('call a row left in the middle not finished only when no sync is at work', () => {
    const waiting = [digest({ writing: 'PENDING', summary: '' })];
    expect(group(waiting, true).notFinished).to.have.length(0);
    expect(group(waiting, false).notFinished).to.have.length(1);
  });

  it('keep showing what a row said while it is rewritten', () => {
    expect(names(group([digest({ name: 'Ada', writing: 'PENDING' })], true).written)).to.deep.equal(['Ada']);
  });
});

describe('The plain page of a day', () => {
  const many = (count: number, name: string, details = {}) =>
    Array.from({ length: count }, (_, n) => digest({ name: `${name} ${n}`, ...details }));

  it('shows three in full, ten in a line each, and counts the rest', () => {
    const groups = group([...many(6, 'Due'), ...many(30, 'Calm')]);
    const { full, lines, left } = takeFront(groups, isDue);
    expect([full.length, lines.length, left]).to.deep.equal([3, 10, 23]);
    expect(names(lines).slice(0, 4)).to.deep.equal(['Due 3', 'Due 4', 'Due 5', 'Calm 0']);
  });

  it('shows up to five in full where they are pinned', () => {
    const full = (count: number) => takeFront(group([...many(count, 'Pin', pinned), ...many(4, 'Due')]), isDue).full;
    expect(names(full(2))).to.deep.equal(['Pin 0', 'Pin 1', 'Due 0']);
    expect([full(4).length, full(8).length]).to.deep.equal([4, 5]);
  });

  it('shows none in full on a day that asks for nothing', () => {
    const { full, lines, left } = takeFront(group(many(4, 'Calm')), isDue);
    expect([full.length, lines.length, left]).to.deep.equal([0, 4, 0]);
  });

  it('shows muted conversations only in the list of everything', () => {
    const groups = group([digest({ name: 'Loud', structured: urgent, ...muted }), digest({ name: 'Calm' })]);
    const { full, lines, left } = takeFront(groups, isDue);
    expect([names(full), names(lines), left]).to.deep.equal([[], ['Calm'], 1]);
    expect(narrow(groups, 'urgent').written).to.have.length(0);
    expect(narrow(groups, 'everything').written).to.have.length(2);
  });
});

describe('The views of a day', () => {
  const day = group([
    digest({ name: 'Urgent', structured: urgent }),
    digest({ name: 'Pinned', ...pinned }),
    digest({ name: 'Calm' }),
    digest({ name: 'Failed', writing: 'FAILED', summary: '' }),
    digest({ name: 'Quiet', writing: 'SKIPPED', summary: '' }),
  ]);

  it('count their rows, and the plain one also what is due', () => {
    const counts = { today: 2, urgent: 1, pinned: 1, unmatched: 0, everything: 3, failed: 1, skipped: 1 };
    expect(countViews(day, { isUnmatched: NEVER, due: 2 })).to.deep.equal(counts);
  });

  it('hold the rows they count', () => {
    expect(names(narrow(day, 'urgent').written)).to.deep.equal(['Urgent']);
    expect(names(narrow(day, 'pinned').written)).to.deep.equal(['Pinned']);
    expect(names(narrow(day, 'failed').notFinished)).to.deep.equal(['Failed']);
    expect(names(narrow(day, 'skipped').quiet)).to.deep.equal(['Quiet']);
    const isUnmatched = ({ dialog }: Digest) => dialog.peerName !== 'Calm';
    expect(names(narrow(day, 'unmatched', isUnmatched).written)).to.deep.equal(['Pinned', 'Urgent']);
  });

  it('are cut to pages, each row on exactly one', () => {
    const pages = [1, 2, 3].map(page => takePage(narrow(day, 'everything'), { page, size: 2 }));
    expect(pages.map(({ written }) => written.length)).to.deep.equal([2, 1, 0]);
    expect(names(pages.flatMap(({ written }) => written))).to.deep.equal(['Pinned', 'Urgent', 'Calm']);
    expect(pages[0]?.pages).to.equal(2);
    expect(takePage(narrow(group([]), 'everything'), { page: 1, size: 60 }).pages).to.equal(1);
  });
});
