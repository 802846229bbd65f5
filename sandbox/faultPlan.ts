export type Faults<Fault> = {
  /** The next `times` requests meet it; several are met in the order they were planned. */
  next(fault: Fault, times?: number): void;
  /** Every request meets it, once what was planned is through. */
  always(fault: Fault): void;
  /** @param share between 0 and 1: this part of the requests meets it, evenly spread */
  share(fault: Fault, share: number): void;
  clear(): void;
};

export type FaultPlan<Fault> = Faults<Fault> & {
  /** For the request that begins now. */
  take(): Fault | undefined;
  /** What goes on until it is cleared. */
  standing(): Fault | undefined;
};

/** What the requests of a stand-in meet instead of going well, or on their way. */
export function createFaultPlan<Fault>(): FaultPlan<Fault> {
  let planned: Fault[] = [];
  let standing: { fault: Fault; share: number; asked: number } | undefined;
  return {
    next(fault, times = 1) {
      planned.push(...Array.from({ length: times }, () => fault));
    },
    always(fault) {
      standing = { fault, share: 1, asked: 0 };
    },
    share(fault, share) {
      standing = { fault, share, asked: 0 };
    },
    clear() {
      planned = [];
      standing = undefined;
    },
    take() {
      const next = planned.shift();
      if (next !== undefined || !standing) return next;
      const { asked, share, fault } = standing;
      standing.asked += 1;
      return Math.floor((asked + 1) * share) > Math.floor(asked * share) ? fault : undefined;
    },
    standing: () => standing?.fault,
  };
}
