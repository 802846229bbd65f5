/** Which requests a fault is for: all of them if neither is given. */
export type Target = {
  /** The kind of request, such as `contacts.search`, or the word before the dot for all such kinds: `contacts`. */
  on?: string;
  /** Whom or what the request concerns: at the messenger a phone in E.164, or a conversation such as `user:5001`. */
  about?: string;
};

/** What can happen to a request at a server. Each server supports the faults that its protocol knows. */
export type Fault = {
  /** The error that answers the request, which is then not carried out. */
  status?: number;
  /** With a status: when the client may try again. */
  retryAfterSeconds?: number;
  /** The answer comes this many milliseconds later. */
  delayMs?: number;
  /** The request is never answered, and not carried out. */
  isSilent?: boolean;
  /** The request is carried out, but the connection breaks before the answer. */
  losesAnswer?: boolean;
};

export type Faults<F> = {
  /** Applies to the next matching request, or `times` of them. Several faults apply in the order they were planned. */
  next(fault: F & Target & { times?: number }): void;
  /**
   * Applies to every matching request that no planned fault is left for, or with `share` (between 0 and 1) to that part
   * of them, evenly spread. The newest goes first.
   */
  always(fault: F & Target & { share?: number }): void;
  /** Answers to one kind of request come this much later, on top of the delay for all of them. 0 ends it. */
  delay(milliseconds: number, on?: string): void;
  /** Removes everything that was planned. */
  clear(): void;
};

export type FaultPlan<F> = Faults<F> & {
  /** Counts the request that begins now and returns its fault. `delayMs` is the sum of all delays. */
  take(request?: { kind?: string; about?: readonly string[] }): Partial<F> & { delayMs: number };
  /** The faults that last until they are cleared. */
  standing(): readonly F[];
};

type PlannedFault = Target & { share?: number; due: number };

/** @param baseDelayMs a delay of every answer that clearing keeps */
export function createFaultPlan<F extends Fault>(baseDelayMs = 0): FaultPlan<F> {
  let planned: (F & Target & { times: number })[] = [];
  let standing: (F & PlannedFault)[] = [];
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
      const late = [...delays].map(([on, milliseconds]) => (isMeant(on === undefined ? {} : { on }) ? milliseconds : 0));
      const delayMs = late.reduce((sum, milliseconds) => sum + milliseconds, baseDelayMs + (fault?.delayMs ?? 0));
      return Object.assign({} as Partial<F>, fault, { delayMs });
    },
    standing: () => standing,
  };
}

/** All of them count the request; the first one that is due applies to it. */
function takeShare<S extends PlannedFault>(standing: S[]): S | undefined {
  for (const each of standing) each.due += each.share ?? 1;
  // Ten tenths add up to a hair less than one.
  const first = standing.find(({ due }) => due > 0.999);
  if (first) first.due -= 1;
  return first;
}
