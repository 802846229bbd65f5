/** What the next answers are instead of the model's. */
export type Fault =
  /** An error as the vendors send it. */
  | { kind: 'error'; status: number; code?: string; type?: string; message?: string; retryAfter?: string }
  /** A proxy's page with status 200. */
  | { kind: 'html' }
  /** A completion in which the model declines. */
  | { kind: 'refusal' }
  /** A completion stopped by the vendor's filter. */
  | { kind: 'contentFilter' }
  /** The model's answer, cut off in the middle. */
  | { kind: 'length' }
  /** The model's words instead of JSON. */
  | { kind: 'notJson'; text?: string }
  /** Accepted, and never answered. */
  | { kind: 'silence' }
  /** Half of the answer, then nothing. */
  | { kind: 'halfAnswer' }
  /** The connection breaks. */
  | { kind: 'drop' };

export type Faults = {
  /** The next `times` requests meet it; several are met in the order they were planned. */
  next(fault: Fault, times?: number): void;
  /** Every request meets it, once what was planned is through. */
  always(fault: Fault): void;
  /** @param share between 0 and 1: this part of the requests meets it, evenly spread */
  share(fault: Fault, share: number): void;
  clear(): void;
};

export type FaultPlan = Faults & { take(): Fault | null };

/** As OpenAI words it; the account has no money left. */
export const NO_QUOTA: Fault = {
  kind: 'error',
  status: 429,
  code: 'insufficient_quota',
  type: 'insufficient_quota',
  message: 'You exceeded your current quota, please check your plan and billing details.',
};

/** @param retryAfter seconds, or an HTTP date */
export function tooManyRequests(retryAfter: string): Fault {
  const message = 'Rate limit reached for requests';
  return { kind: 'error', status: 429, code: 'rate_limit_exceeded', type: 'requests', message, retryAfter };
}

export function createFaults(): FaultPlan {
  let planned: Fault[] = [];
  let standing: { fault: Fault; share: number; asked: number } | null = null;
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
      standing = null;
    },
    take() {
      const next = planned.shift();
      if (next) return next;
      if (!standing) return null;
      const { asked, share, fault } = standing;
      standing.asked += 1;
      return Math.floor((asked + 1) * share) > Math.floor(asked * share) ? fault : null;
    },
  };
}
