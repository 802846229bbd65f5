import { expect } from 'chai';
import type { Digest } from '../../../src/features/digests/schema.ts';
import { countViews, groupDay, narrow, takePage } from '../../../src/features/today/rules.ts';
import { headline } from '../../../src/features/today/writeHeadline.ts';
import { digest, item, owes, urgent } from './digests.ts';

const group = (digests: Digest[], syncRuns = false) => groupDay(digests, { syncRuns });
const names = (digests: Digest[]) => digests.map(({ dialog }) => dialog.peerName);
const line = (digests: Digest[], isPast = false) => headline(group(digests), { isPast });

describe('The groups of a day', () => {
  it('put what is urgent or owed first and everything else below', () => {
    const groups = group([
      digest({ name: 'Calm' }),
      digest({ name: 'Urgent', structured: urgent }),
      digest({ name: 'Owed', structured: owes }),
    ]);
    expect(names(groups.needsYou)).to.deep.equal(['Urgent', 'Owed']);
    expect(names(groups.worthKnowing)).to.deep.equal(['Calm']);
  });

  it('do not count what others owe, or what is unassigned', () => {
    const theirs = [item({ owner: 'contact' }), item({ owner: 'unknown' })];
    expect(group([digest({ structured: { actionItems: theirs } })]).needsYou).to.have.length(0);
  });

  it('sort by urgency, then by what is due first, then by the newest message', () => {
    const due = (name: string, dueDate: string | null) =>
      digest({ name, structured: { actionItems: [item({ dueDate })] } });
    const old = digest({ name: 'No date, old', structured: owes, lastMessageAt: new Date('2026-11-19T08:00:00Z') });
    const groups = group([
      old,
      due('No date', null),
      due('Later', '2026-11-25'),
      due('Sooner', '2026-11-21'),
      digest({ name: 'Urgent', structured: urgent }),
    ]);
    expect(names(groups.needsYou)).to.deep.equal(['Urgent', 'Sooner', 'Later', 'No date', 'No date, old']);
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

  it('go on showing what a row said while it is written again', () => {
    expect(names(group([digest({ name: 'Ada', writing: 'PENDING' })], true).worthKnowing)).to.deep.equal(['Ada']);
  });

  it('keep skipped conversations apart', () => {
    const groups = group([digest({ writing: 'SKIPPED', summary: '', reason: 'TOO_FEW_MESSAGES' })]);
    expect(groups.quiet).to.have.length(1);
    expect(countViews(groups)).to.deep.equal({
      everything: 0,
      urgent: 0,
      open: 0,
      unmatched: 0,
      failed: 0,
      skipped: 1,
    });
  });
});

describe('The views of a day', () => {
  const day = group([
    digest({ name: 'Both', structured: { ...urgent, ...owes } }),
    digest({ name: 'Urgent', structured: urgent }),
    digest({ name: 'Owed', structured: owes }),
    digest({ name: 'Calm' }),
    digest({ name: 'Failed', writing: 'FAILED', summary: '' }),
    digest({ name: 'Quiet', writing: 'SKIPPED', summary: '' }),
  ]);

  it('count each of them', () => {
    expect(countViews(day)).to.deep.equal({ everything: 4, urgent: 2, open: 2, unmatched: 0, failed: 1, skipped: 1 });
  });

  it('hold the rows they count', () => {
    expect(names(narrow(day, 'urgent').needsYou)).to.have.members(['Both', 'Urgent']);
    expect(names(narrow(day, 'open').needsYou)).to.have.members(['Both', 'Owed']);
    expect(names(narrow(day, 'failed').notFinished)).to.deep.equal(['Failed']);
    expect(names(narrow(day, 'skipped').quiet)).to.deep.equal(['Quiet']);
    expect(narrow(day, 'urgent').worthKnowing).to.have.length(0);
  });

  it('use the caller’s answer to which conversations have no match', () => {
    const isUnmatched = ({ dialog }: Digest) => dialog.peerName !== 'Calm';
    expect(countViews(day, isUnmatched).unmatched).to.equal(3);
    expect(names(narrow(day, 'unmatched', isUnmatched).needsYou)).to.have.members(['Both', 'Urgent', 'Owed']);
  });

  it('are cut to pages across the groups, each row on exactly one', () => {
    const pages = [1, 2, 3].map(page => takePage(narrow(day, 'everything'), { page, size: 2 }));
    expect(pages.map(page => names([...page.needsYou, ...page.worthKnowing]).length)).to.deep.equal([2, 2, 0]);
    expect(names(pages.flatMap(page => [...page.needsYou, ...page.worthKnowing]))).to.have.members([
      'Both',
      'Urgent',
      'Owed',
      'Calm',
    ]);
    expect(pages[0]?.pages).to.equal(2);
    expect(takePage(narrow(group([]), 'everything'), { page: 1, size: 60 }).pages).to.equal(1);
  });
});

describe('The headline of a day', () => {
  it('says how many are urgent and how many people wait', () => {
    const owing = digest({ structured: owes });
    const both = digest({ structured: { ...urgent, ...owes } });
    expect(line([both, both, owing, owing, owing])).to.equal(
      'Two are urgent. Five people wait for something from you.',
    );
    expect(line([both])).to.equal('One is urgent. One person waits for something from you.');
    expect(line([owing, owing, owing])).to.equal('Nothing urgent. Three people wait for something from you.');
    expect(line([digest({ structured: urgent })])).to.equal('One is urgent. Nothing waits for you.');
  });

  it('says conversations when a group is among them', () => {
    const people = [digest({ structured: owes }), digest({ structured: owes, dialog: { peerType: 'supergroup' } })];
    expect(line(people)).to.equal('Nothing urgent. Two conversations wait for something from you.');
  });

  it('writes large numbers as digits', () => {
    const many = Array.from({ length: 1204 }, () => digest({ structured: owes }));
    expect(line(many)).to.equal('Nothing urgent. 1,204 people wait for something from you.');
  });

  it('calls a quiet day quiet, and a day without anything what it is', () => {
    expect(line([digest()])).to.equal('A quiet day. Nothing waits for you.');
    expect(line([])).to.equal('Nothing new so far today.');
    expect(line([digest({ writing: 'FAILED', summary: '' })])).to.equal('This day’s digests aren’t finished.');
  });

  it('speaks of an earlier day in the past', () => {
    expect(line([digest({ structured: { ...urgent, ...owes } })], true)).to.equal(
      'One was urgent. One person waited for something from you.',
    );
    expect(line([], true)).to.equal('Nothing was read on this day.');
  });
});
