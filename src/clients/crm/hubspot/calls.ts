import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@hubspot/api-client';
import type { z } from 'zod';
import { withDeadline } from '../../../lib/deadline.ts';
import type { CrmAccess, CrmReport } from '../types.ts';
import { HttpFailure, isPassing, NoAnswer, readReply, toClientError, UnreadableReply, wordsFor } from './failures.ts';
import { createSdk } from './sdk.ts';

export type CallOptions = {
  apiUrl: string;
  /** Milliseconds for one answer. */
  deadlineMs: number;
  /** Before the first second try; three times as long before the next. */
  retryPauseMs: number;
  report: (failure: CrmReport) => void;
};

type About<S extends z.ZodType> = {
  /** For the operator. */
  name: string;
  kind: 'search' | 'call';
  /** Whether doing it twice is harmless. */
  repeat: boolean;
  reply: S;
};

/**
 * Makes one call when it is this call's turn in the account. Throws {@link HttpFailure} where the CRM said no,
 * ClientError for everything that has to do with time, limits or being signed in.
 */
export type Call = <S extends z.ZodType>(
  about: About<S>,
  send: (sdk: Client) => Promise<unknown>,
) => Promise<z.output<S>>;

const MOST_RETRIES = 2;
const MOST_WAITS = 6;
/** A longer wait is an error instead. */
const LONGEST_WAIT_SECONDS = 30;

type Tries = { refusedToken: string | undefined; waits: number; failures: number };

export function createCall(access: CrmAccess, options: CallOptions): Call {
  let current: { token: string; sdk: Client } | undefined;
  const sdkWith = (token: string) => {
    if (current?.token !== token) current = { token, sdk: createSdk({ accessToken: token, apiUrl: options.apiUrl }) };
    return current.sdk;
  };

  return async (about, send) => {
    const tries: Tries = { refusedToken: undefined, waits: 0, failures: 0 };
    for (;;) {
      const token = await access.accessToken(tries.refusedToken);
      await access.takeTurn(about.kind);
      try {
        // The vendor's library knows no time-outs and can't be stopped.
        const answer = await withDeadline(send(sdkWith(token)), options.deadlineMs, () => new NoAnswer());
        return readReply(about.reply, answer);
      } catch (err) {
        await prepareNextTry({ access, options, about, token }, tries, err);
      }
    }
  };
}

type Attempt = { access: CrmAccess; options: CallOptions; about: About<z.ZodType>; token: string };

/** Throws when there is no next try. A refused token or a rate limit means that nothing was carried out yet. */
async function prepareNextTry(attempt: Attempt, tries: Tries, err: unknown): Promise<void> {
  if (err instanceof HttpFailure && err.status === 401) {
    if (tries.refusedToken !== undefined) throw toClientError(err);
    tries.refusedToken = attempt.token;
    return;
  }
  if (err instanceof HttpFailure && err.retryAfterSeconds !== undefined) {
    return waitForLimit(attempt, tries, err, err.retryAfterSeconds);
  }
  if (!isPassing(err)) return giveUp(attempt, err);
  if (!attempt.about.repeat || tries.failures >= MOST_RETRIES) return giveUp(attempt, err);
  report(attempt, 'CRM_RETRIED', err);
  await sleep(attempt.options.retryPauseMs * 3 ** tries.failures);
  tries.failures += 1;
}

async function waitForLimit(attempt: Attempt, tries: Tries, err: HttpFailure, seconds: number): Promise<void> {
  await attempt.access.pause(attempt.about.kind, seconds);
  report(attempt, 'CRM_RATE_LIMIT', err);
  tries.waits += 1;
  if (tries.waits > MOST_WAITS || seconds > LONGEST_WAIT_SECONDS) throw toClientError(err);
}

/** What the CRM refused may mean something to the caller: it is not reported here. */
function giveUp(attempt: Attempt, err: unknown): never {
  if (!isPassing(err)) throw err;
  report(attempt, err instanceof UnreadableReply ? 'CRM_UNREADABLE' : 'CRM_UNAVAILABLE', err);
  throw toClientError(err);
}

function report({ about, options }: Attempt, code: CrmReport['code'], err: unknown): void {
  options.report({ code, message: `${about.name}: ${wordsFor(err)}` });
}
