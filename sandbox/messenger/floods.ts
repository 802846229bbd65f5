/** How much one account may ask for in any window before it is told to wait. Seconds may be fractions. */
export type FloodLimits = {
  /** Messages read from histories. */
  historyMessages: number;
  /** Pages of the list of conversations. */
  dialogPages: number;
  windowSeconds: number;
  /** Whole seconds, as in FLOOD_WAIT_n. */
  waitSeconds: number;
};

/**
 * What users of the messenger report, since it documents no limits: about 3,000 messages of histories in 30 seconds
 * (LonamiWebs/Telethon#565), and waits of 30 seconds on histories and lists (tdlib/td#743). How many pages of the list
 * it takes is not known; ten is a guess.
 */
export const REPORTED_LIMITS: FloodLimits = { historyMessages: 3000, dialogPages: 10, windowSeconds: 30, waitSeconds: 30 };

/** The reported limits with a clock that runs `scale` times faster: 30 at most, since a wait is in whole seconds. */
export function fasterLimits(scale: number): FloodLimits {
  const { windowSeconds, waitSeconds, ...amounts } = REPORTED_LIMITS;
  return { ...amounts, windowSeconds: windowSeconds / scale, waitSeconds: Math.max(1, Math.round(waitSeconds / scale)) };
}

/** The calls that floods are counted for, by method. */
const COUNTED = new Map<string, 'historyMessages' | 'dialogPages'>([
  ['messages.GetHistory', 'historyMessages'],
  ['messages.GetDialogs', 'dialogPages'],
]);

type Taken = { at: number; amount: number };
/** What one account requested of one kind, oldest first, and until when it is refused. */
type Meter = { taken: Taken[]; refusedUntil: number };

export type Floods = {
  /** Undefined ends it. What was counted before is forgotten. */
  limit(limits: FloodLimits | undefined): void;
  /** Seconds that the account must wait before this call is answered, 0 when it may be. */
  waitFor(account: string, method: string): number;
  /** Records that the call was answered, with this many messages. */
  note(account: string, method: string, messages: number): void;
  /** Since the limits were set: how often an account had to wait, and the number of calls refused because of it. */
  counts(): { waits: number; refused: number };
};

/** @param now milliseconds */
export function createFloods(now: () => number = Date.now): Floods {
  let limits: FloodLimits | undefined;
  let counts = { waits: 0, refused: 0 };
  const meters = new Map<string, Meter>();

  function meterOf(account: string, kind: string): Meter {
    const key = `${account} ${kind}`;
    const meter = meters.get(key) ?? { taken: [], refusedUntil: 0 };
    meters.set(key, meter);
    return meter;
  }

  return {
    limit(next) {
      limits = next;
      counts = { waits: 0, refused: 0 };
      meters.clear();
    },
    counts: () => ({ ...counts }),
    waitFor(account, method) {
      const kind = COUNTED.get(method);
      if (!limits || !kind) return 0;
      const meter = meterOf(account, kind);
      const at = now();
      const windowBegan = at - limits.windowSeconds * 1000;
      meter.taken = meter.taken.filter(one => one.at > windowBegan);
      const isOver = meter.taken.reduce((sum, { amount }) => sum + amount, 0) >= limits[kind];
      if (at >= meter.refusedUntil && !isOver) return 0;
      // After its wait an account starts over.
      if (at >= meter.refusedUntil) {
        Object.assign(meter, { taken: [], refusedUntil: at + limits.waitSeconds * 1000 });
        counts.waits += 1;
      }
      counts.refused += 1;
      return Math.max(1, Math.ceil((meter.refusedUntil - at) / 1000));
    },
    note(account, method, messages) {
      const kind = COUNTED.get(method);
      if (!limits || !kind) return;
      meterOf(account, kind).taken.push({ at: now(), amount: kind === 'historyMessages' ? messages : 1 });
    },
  };
}
