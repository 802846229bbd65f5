import type { Alert, StoredAlert } from './schema.ts';

/** Repeats of a kind are gathered this long after its last message. */
const QUIET_MS = 3_600_000;
const LONGEST_VALUE = 500;

/** What makes two alerts the same. Undefined: never the same as another. */
export function kindKey({ level, source, kind }: Alert): string | undefined {
  return level === 'revenue' ? undefined : `${level} ${source} ${kind}`;
}

/** The alert as it is kept: whatever a caller hands in, it stays small. */
export function cutToSize(alert: Alert): Alert {
  const about = Object.entries(alert.about).map(([name, value]) => [
    name,
    // JSON knows no infinity, and what can't be read again would block the line.
    Number.isFinite(value) ? value : String(value).slice(0, LONGEST_VALUE),
  ]);
  return { ...alert, about: Object.fromEntries(about) };
}

export type Place = { joins: string } | { joins: undefined; isRepeat: boolean; dueAt: Date };

/**
 * Where an alert goes: out at once, or into the one message that reports all repeats an hour after the last one.
 * @param newest of the same kind
 */
export function placeFor(newest: StoredAlert | undefined, now: Date): Place {
  if (!newest) return { joins: undefined, isRepeat: false, dueAt: now };
  if (newest.isRepeat && newest.state === 'waiting' && !newest.sendingSince) return { joins: newest.id };
  const lastTold = Math.max(newest.dueAt.getTime(), newest.settledAt?.getTime() ?? 0);
  const quietUntil = new Date(lastTold + QUIET_MS);
  if (quietUntil > now) return { joins: undefined, isRepeat: true, dueAt: quietUntil };
  return { joins: undefined, isRepeat: false, dueAt: now };
}

/** Seconds until the next try of what the bot interface did not take. */
export function secondsToNextTry(tries: number): number {
  return Math.min(300, 5 * 2 ** tries);
}
