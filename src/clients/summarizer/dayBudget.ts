import type { Clock } from '../../lib/clock.ts';

const DAY = 86_400_000;
/** Whoever comes on top of these is not counted until others' days are over. */
const MOST_OWNERS = 10_000;

export type DayBudget = {
  spend(owner: string, ms: number): void;
  isSpent(owner: string): boolean;
};

/**
 * Milliseconds of reading that one user's conversations may take in 24 hours, in this process.
 * @param clock tells only when what was spent is forgotten
 */
export function createDayBudget(mostMs: number, clock: Clock): DayBudget {
  const spent = new Map<string, { ms: number; until: number }>();
  const ofToday = (owner: string) => {
    const known = spent.get(owner);
    return known && known.until > clock.now().getTime() ? known : undefined;
  };
  return {
    spend(owner, ms) {
      const known = ofToday(owner);
      if (known) {
        known.ms += ms;
        return;
      }
      const now = clock.now().getTime();
      spent.delete(owner);
      // The oldest are first, because all days have the same length.
      for (const [other, { until }] of spent) {
        if (until > now) break;
        spent.delete(other);
      }
      if (spent.size < MOST_OWNERS) spent.set(owner, { ms, until: now + DAY });
    },
    isSpent: owner => (ofToday(owner)?.ms ?? 0) >= mostMs,
  };
}
