import { expect } from 'chai';
import { findChanges, findProblems, type Snapshot } from '../../../../src/features/operator/admin/service.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const ALL_WELL: Snapshot = {
  at: NOW,
  users: { total: 10, paying: 1, newIn24h: 0 },
  digestsIn24h: { PENDING: 0, SUMMARIZING: 0, SYNCING: 0, COMPLETE: 9, FAILED: 0, SKIPPED: 3 },
  recent: { syncs: 30, incompleteSyncs: 20, users: 20, failingUsers: 1, digests: 100, failedDigests: 2 },
  queue: { waiting: 3, active: 2, oldestWaitingSeconds: 20 },
  overdueSyncs: 0,
  unqueuedSyncs: 0,
  workers: { alive: 2, silent: 0 },
  sessionsLost: 1,
  apps: { tokens: 0, assistants: 0, feeds: 0 },
  databaseMs: 4,
  lastHeartbeatAt: null,
};
const kinds = (own: Partial<Snapshot>) => findProblems({ ...ALL_WELL, ...own }).map(({ kind, level }) => [kind, level]);

describe('What is wrong', () => {
  it('is empty while everything works', () => {
    expect(kinds({})).to.deep.equal([]);
  });

  it('is reported for each check of the heartbeat', () => {
    const { recent, queue } = ALL_WELL;
    expect(kinds({ workers: { alive: 0, silent: 2 } })).to.deep.equal([['NO_WORKER', 'error']]);
    expect(kinds({ workers: { alive: 1, silent: 1 } })).to.deep.equal([['WORKER_SILENT', 'warn']]);
    expect(kinds({ queue: { ...queue, oldestWaitingSeconds: 601 } })).to.deep.equal([['QUEUE_BACKING_UP', 'warn']]);
    expect(kinds({ queue: { ...queue, waiting: 5001 } })).to.deep.equal([['QUEUE_BACKING_UP', 'warn']]);
    expect(kinds({ recent: { ...recent, failingUsers: 6 } })).to.deep.equal([['SYNCS_FAILING', 'warn']]);
    expect(kinds({ recent: { ...recent, failingUsers: 12 } })).to.deep.equal([['SYNCS_FAILING', 'error']]);
    expect(kinds({ recent: { ...recent, failedDigests: 10 } })).to.deep.equal([['DIGESTS_FAILING', 'warn']]);
    expect(kinds({ overdueSyncs: 1 })).to.deep.equal([['SYNCS_OVERDUE', 'error']]);
    expect(kinds({ sessionsLost: 3 })).to.deep.equal([['SESSIONS_EXPIRED', 'warn']]);
    expect(kinds({ databaseMs: 501 })).to.deep.equal([['DATABASE_SLOW', 'warn']]);
  });

  it('is not concluded from too few syncs or digests', () => {
    expect(
      kinds({ recent: { ...ALL_WELL.recent, users: 4, failingUsers: 4, digests: 19, failedDigests: 19 } }),
    ).to.deep.equal([]);
  });
});

describe('What the operator has not been told', () => {
  const [slow] = findProblems({ ...ALL_WELL, databaseMs: 900 });
  const reported = (minutesAgo: number) => {
    const at = new Date(NOW.getTime() - minutesAgo * 60_000);
    return [{ kind: 'DATABASE_SLOW', since: at, toldAt: at }];
  };

  it('is a new problem, one that lasts an hour, and one that is over', () => {
    if (!slow) throw new Error('it should be slow');
    expect(findChanges([slow], [], NOW)).to.deep.equal({ started: [slow], ongoing: [], resolved: [] });
    expect(findChanges([slow], reported(45), NOW)).to.deep.equal({ started: [], ongoing: [], resolved: [] });
    expect(findChanges([slow], reported(60), NOW).ongoing).to.deep.equal([{ problem: slow, before: reported(60)[0] }]);
    expect(findChanges([], reported(15), NOW)).to.deep.equal({ started: [], ongoing: [], resolved: reported(15) });
  });
});
