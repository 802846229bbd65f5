import type { Snapshot, Told, Trouble } from './schema.ts';

/** Fewer say nothing about a share. */
const ENOUGH_SYNCS = 5;
const ENOUGH_DIGESTS = 20;
const MANY_TROUBLED_SYNCS = 0.3;
const MOST_TROUBLED_SYNCS = 0.6;
const MANY_FAILED_DIGESTS = 0.1;
const LONG_WAIT_SECONDS = 600;
const MANY_WAITING = 5000;
/** Each one is told of by itself; so many in an hour are something else. */
const MANY_SESSIONS = 3;
const SLOW_DATABASE_MS = 500;
/** A little less than an hour: the rounds are not on the second. */
const TELL_AGAIN_MS = 59 * 60_000;

/** What is wrong, the worst first. Empty when all is well. */
export function findTroubles(snapshot: Snapshot): Trouble[] {
  const { recent, queue, workers, overdueSyncs, unqueuedSyncs, sessionsLost, databaseMs } = snapshot;
  const troubles: (Trouble | false)[] = [
    workers.alive === 0 && { kind: 'NO_WORKER', level: 'error', about: { silent: workers.silent } },
    overdueSyncs > 0 && {
      kind: 'SYNCS_OVERDUE',
      level: 'error',
      about: { syncs: overdueSyncs, notQueued: unqueuedSyncs },
    },
    failingSyncs(recent),
    recent.digests >= ENOUGH_DIGESTS &&
      recent.failedDigests / recent.digests >= MANY_FAILED_DIGESTS && {
        kind: 'DIGESTS_FAILING',
        level: 'warn',
        about: { failed: recent.failedDigests, of: recent.digests },
      },
    (queue.oldestWaitingSeconds > LONG_WAIT_SECONDS || queue.waiting > MANY_WAITING) && {
      kind: 'QUEUE_BACKING_UP',
      level: 'warn',
      about: { waiting: queue.waiting, oldestWaitingSeconds: queue.oldestWaitingSeconds },
    },
    workers.alive > 0 &&
      workers.silent > 0 && {
        kind: 'WORKER_SILENT',
        level: 'warn',
        about: { silent: workers.silent, alive: workers.alive },
      },
    sessionsLost >= MANY_SESSIONS && { kind: 'SESSIONS_EXPIRED', level: 'warn', about: { accounts: sessionsLost } },
    databaseMs > SLOW_DATABASE_MS && { kind: 'DATABASE_SLOW', level: 'warn', about: { milliseconds: databaseMs } },
  ];
  return troubles.filter(trouble => trouble !== false);
}

function failingSyncs({ syncs, troubledSyncs }: Snapshot['recent']): Trouble | false {
  if (syncs < ENOUGH_SYNCS || troubledSyncs / syncs < MANY_TROUBLED_SYNCS) return false;
  const level = troubledSyncs / syncs >= MOST_TROUBLED_SYNCS ? 'error' : 'warn';
  return { kind: 'SYNCS_FAILING', level, about: { troubled: troubledSyncs, of: syncs } };
}

export type News = { begun: Trouble[]; goesOn: { trouble: Trouble; before: Told }[]; over: Told[] };

/** What the operator has not heard of yet: troubles that are new, that go on for an hour more, and that are over. */
export function findNews(troubles: Trouble[], told: Told[], now: Date): News {
  const before = new Map(told.map(one => [one.kind, one]));
  const found = new Set<string>(troubles.map(({ kind }) => kind));
  return {
    begun: troubles.filter(({ kind }) => !before.has(kind)),
    goesOn: troubles.flatMap(trouble => {
      const known = before.get(trouble.kind);
      const isLongAgo = known && now.getTime() - known.toldAt.getTime() >= TELL_AGAIN_MS;
      return isLongAgo ? [{ trouble, before: known }] : [];
    }),
    over: told.filter(({ kind }) => !found.has(kind)),
  };
}
