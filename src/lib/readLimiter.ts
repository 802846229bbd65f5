import pLimit, { type LimitFunction } from 'p-limit';

/** Maximum number of concurrent reads per process, so that database connections are left for other pages. */
const MAX_CONCURRENT_READS = 3;

/** Runs `read` in its turn. Reads of one user run one after the other, in order. */
export type ReadLimiter = <T>(userId: string, read: () => Promise<T>) => Promise<T>;

/** Lets a few reads that cost something run at once, and the others wait. A user without any takes no memory. */
export function createReadLimiter(): ReadLimiter {
  const all = pLimit(MAX_CONCURRENT_READS);
  const users = new Map<string, LimitFunction>();
  return async (userId, read) => {
    const userLimit = users.get(userId) ?? pLimit(1);
    users.set(userId, userLimit);
    try {
      return await userLimit(() => all(read));
    } finally {
      if (userLimit.pendingCount === 0 && userLimit.activeCount === 0) users.delete(userId);
    }
  };
}
