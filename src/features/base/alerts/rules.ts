import type { Alert, StoredAlert } from './schema.ts';

/** Repeats of a kind are gathered for this long after its last message. */
const QUIET_MS = 3_600_000;
const LONGEST_VALUE = 500;

/** What makes two alerts the same. Undefined: never the same as another. */
export function kindKey({ level, source, kind }: Alert): string | undefined {
  return level === 'revenue' ? undefined : `${level} ${source} ${kind}`;
}

/** The alert as it is stored: small, whatever a caller hands in. */
export function cutToSize(alert: Alert): Alert {
  const about = Object.entries(alert.about).map(([name, value]) => [
    name,
    // JSON has no Infinity, and a value that can't be read back would block the line.
    Number.isFinite(value) ? value : String(value).slice(0, LONGEST_VALUE),
  ]);
  return { ...alert, about: Object.fromEntries(about) };
}

type Place = { joins: string } | { joins: undefined; isRepeat: boolean; dueAt: Date };

/**
 * Where an alert goes: out at once, or into the one message that reports all repeats an hour after the last one.
 * @param newest the newest alert of the same kind
 */
export function placeFor(newest: StoredAlert | undefined, now: Date): Place {
  if (!newest) return { joins: undefined, isRepeat: false, dueAt: now };
  if (newest.isRepeat && newest.state === 'waiting' && !newest.sendingSince) return { joins: newest.id };
  const lastSent = Math.max(newest.dueAt.getTime(), newest.settledAt?.getTime() ?? 0);
  const quietUntil = new Date(lastSent + QUIET_MS);
  if (quietUntil > now) return { joins: undefined, isRepeat: true, dueAt: quietUntil };
  return { joins: undefined, isRepeat: false, dueAt: now };
}

/** Seconds until an alert that the bot API didn't accept is tried again. */
export function secondsToNextTry(tries: number): number {
  return Math.min(300, 5 * 2 ** tries);
}
