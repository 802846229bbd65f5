/** Which requests a fault is for: without either of the two, for every one. */
export type Target = {
  /** The kind of request, such as `contacts.search`, or all kinds that begin with the word before a point: `contacts`. */
  on?: string;
  /** Whom or what the request concerns: at the messenger a phone in E.164, or a conversation such as `user:5001`. */
  about?: string;
};

/** What a server can let a request meet. Each server takes those that its protocol knows. */
export type Fault = {
  /** The error that answers the request, which is not done then. */
  status?: number;
  /** With a status: when the client may try again. */
  retryAfterSeconds?: number;
  /** The answer comes this many milliseconds later. */
  delayMs?: number;
  /** The request is never answered, and not done. */
  isSilent?: boolean;
  /** The request is done, and the connection breaks before the answer. */
  losesAnswer?: boolean;
};

export type Faults<F> = {
  /** The next matching requests meet it, one unless `times` says more. Several are met in the order they were planned. */
  next(fault: F & Target & { times?: number }): void;
  /**
   * Every matching request meets it that no planned fault is left for, or with `share` (between 0 and 1) that part of
   * them, evenly spread. The newest goes first.
   */
  always(fault: F & Target & { share?: number }): void;
  /** Answers to one kind of request come this much later, on top of the delay for all of them. 0 ends it. */
  delay(milliseconds: number, on?: string): void;
  /** Ends everything that was planned. */
  clear(): void;
};

export type FaultPlan<F> = Faults<F> & {
  /** What the request that begins now meets: counts it. `delayMs` is the sum of all delays. */
  take(request?: { kind?: string; about?: readonly string[] }): Partial<F> & { delayMs: number };
  /** The faults that last until they are cleared. */
  standing(): readonly F[];
};

type Standing = Target & { share?: number; due: number };

/** @param baseDelayMs a delay of every answer that clearing leaves */
export function createFaultPlan<F extends Fault>(baseDelayMs = 0): FaultPlan<F> {
  let planned: (F & Target & { times: number })[] = [];
  let standing: (F & Standing)[] = [];
  const delays = new Map<string | undefined, number>();
  return {
    next: fault => void planned.push({ times: 1, ...fault }),
    always: fault => void standing.unshift({ ...fault, due: 0 }),
    delay: (milliseconds, on) => void delays.set(on, milliseconds),
    clear() {
      [planned, standing] = [[], []];
      delays.clear();
    },
    take({ kind = '', about = [] } = {}) {
      const isMeant = (target: Target) =>
        (target.on === undefined || kind === target.on || kind.startsWith(`${target.on}.`)) &&
        (target.about === undefined || about.includes(target.about));
      const next = planned.find(isMeant);
      if (next) next.times -= 1;
      planned = planned.filter(({ times }) => times > 0);
      const fault = next ?? takeShare(standing.filter(isMeant));
      const late = [...delays].map(([on, milliseconds]) =>
        isMeant(on === undefined ? {} : { on }) ? milliseconds : 0,
      );
      const delayMs = late.reduce((sum, milliseconds) => sum + milliseconds, baseDelayMs + (fault?.delayMs ?? 0));
      return Object.assign({} as Partial<F>, fault, { delayMs });
    },
    standing: () => standing,
  };
}

/** All of them count the request, the first that is due meets it. */
function takeShare<S extends Standing>(standing: S[]): S | undefined {
  for (const each of standing) each.due += each.share ?? 1;
  // Ten tenths add up to a hair less than one.
  const first = standing.find(({ due }) => due > 0.999);
  if (first) first.due -= 1;
  return first;
}
