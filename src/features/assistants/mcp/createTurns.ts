import pLimit, { type LimitFunction } from 'p-limit';

/** Of the calls in this process; each asks the database several things at once, and pages need its connections, too. */
const AT_ONCE = 3;
/** Of one user: however many calls they send, those of others wait for two of them at most. */
const AT_ONCE_OF_USER = 2;

/** Runs `read` when it is its turn: the calls of one user in their order. */
export type Turns = <T>(userId: string, read: () => Promise<T>) => Promise<T>;

/** Lets a few calls of tools run at once, and the others wait. Nothing is kept of a user without calls. */
export function createTurns(): Turns {
  const all = pLimit(AT_ONCE);
  const users = new Map<string, LimitFunction>();
  return async (userId, read) => {
    const own = users.get(userId) ?? pLimit(AT_ONCE_OF_USER);
    users.set(userId, own);
    try {
      return await own(() => all(read));
    } finally {
      if (own.pendingCount === 0 && own.activeCount === 0) users.delete(userId);
    }
  };
}
