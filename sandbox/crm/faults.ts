/** Which calls are meant: `contacts.search`, all of a sort by their first word (`notes`, `oauth`), or every one. */
type About = { kind?: string };
export type PlannedFailure = About & { times?: number; status: number; retryAfterSeconds?: number };
export type SharedFailure = About & { share: number; status: number; retryAfterSeconds?: number };

/** The vendor's endpoints and versions say in different fields what is wrong. */
export type WordField = 'status' | 'category' | 'error';

/** Faults that a test orders. */
export type CrmFaults = {
  /** The next calls get this status instead of being done. Without `times`: one. */
  failNext(failure: PlannedFailure): void;
  /** @param failure.share between 0 and 1: this part of the calls fails, evenly spread */
  failShare(failure: SharedFailure): void;
  /** Answers come this many milliseconds later. */
  delay(milliseconds: number, kind?: string): void;
  /** The next calls are never answered, and not done. */
  swallow(about?: About & { times?: number }): void;
  /** The next calls are done, but their answer is lost with the connection. */
  loseAnswers(about?: About & { times?: number }): void;
  /** @param about.share between 0 and 1: this part of the calls is done and its answer lost */
  loseShare(about: About & { share: number }): void;
  /** Every access token is too old from this moment; refreshing gives new ones. */
  expireAccessTokens(): void;
  /**
   * The person has removed the app: no token of theirs is good any more, in any account.
   * @param field where alone the word for it stands in the answer; left out, as the vendor's older answers have it
   */
  revokeGrants(field?: WordField): void;
  /** Ends what is planned; what expired or was revoked stays so. */
  clear(): void;
};

export type Verdict = {
  delayMs: number;
  isSwallowed: boolean;
  failure: { status: number; retryAfterSeconds: number | undefined } | undefined;
  isAnswerLost: boolean;
};

export type FaultPlan = Omit<CrmFaults, 'expireAccessTokens' | 'revokeGrants'> & {
  /** What becomes of this call; counts down what was planned. */
  verdict(kind: string): Verdict;
};

type Planned = About & { times: number };
type Share = About & { share: number; due: number };

export function makeFaultPlan(): FaultPlan {
  const failures: (PlannedFailure & { times: number })[] = [];
  const failureShares: (SharedFailure & Share)[] = [];
  const swallows: Planned[] = [];
  const losses: Planned[] = [];
  const lossShares: Share[] = [];
  const delays = new Map<string | undefined, number>();
  return {
    failNext: failure => void failures.push({ times: 1, ...failure }),
    failShare: failure => void failureShares.push({ ...failure, due: 0 }),
    delay: (milliseconds, kind) => void delays.set(kind, milliseconds),
    swallow: about => void swallows.push({ times: 1, ...about }),
    loseAnswers: about => void losses.push({ times: 1, ...about }),
    loseShare: about => void lossShares.push({ ...about, due: 0 }),
    clear() {
      for (const planned of [failures, failureShares, swallows, losses, lossShares]) planned.length = 0;
      delays.clear();
    },
    verdict(kind) {
      const failure = takeNext(failures, kind) ?? takeShare(failureShares, kind);
      const isLost = !failure && Boolean(takeNext(losses, kind) ?? takeShare(lossShares, kind));
      return {
        delayMs: [...delays].reduce((sum, [about, ms]) => (isMeant({ kind: about }, kind) ? sum + ms : sum), 0),
        isSwallowed: Boolean(takeNext(swallows, kind)),
        failure: failure && { status: failure.status, retryAfterSeconds: failure.retryAfterSeconds },
        isAnswerLost: isLost,
      };
    },
  };
}

function takeNext<P extends Planned>(planned: P[], kind: string): P | undefined {
  const next = planned.find(each => each.times > 0 && isMeant(each, kind));
  if (next) next.times -= 1;
  return next;
}

/** All that are meant count the call, the first that is due meets it. */
function takeShare<S extends Share>(shares: S[], kind: string): S | undefined {
  const meant = shares.filter(each => isMeant(each, kind));
  for (const each of meant) each.due += each.share;
  // Ten tenths add up to a hair less than one.
  const due = meant.find(each => each.due > 0.999);
  if (due) due.due -= 1;
  return due;
}

function isMeant({ kind: wanted }: { kind?: string | undefined }, kind: string): boolean {
  return wanted === undefined || kind === wanted || kind.startsWith(`${wanted}.`);
}
