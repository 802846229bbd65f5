import pLimit, { type LimitFunction } from 'p-limit';

/** Per process; each read uses several connections, which other pages need, too. */
const AT_ONCE = 3;

/** Runs `read` when it is its turn: those of one user one after the other, in their order. */
export type ReadLimiter = <T>(userId: string, read: () => Promise<T>) => Promise<T>;

/** Lets a few reads that cost something run at once, and the others wait. A user without any takes no memory. */
export function createReadLimiter(): ReadLimiter {
  const all = pLimit(AT_ONCE);
  const users = new Map<string, LimitFunction>();
  return async (userId, read) => {
    const own = users.get(userId) ?? pLimit(1);
    users.set(userId, own);
    try {
      return await own(() => all(read));
    } finally {
      if (own.pendingCount === 0 && own.activeCount === 0) users.delete(userId);
    }
  };
}
