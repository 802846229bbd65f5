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

export function createCall(access: CrmAccess, options: CallOptions): Call {
  let current: { token: string; sdk: Client } | undefined;
  const sdkWith = (token: string) => {
    if (current?.token !== token) current = { token, sdk: createSdk({ accessToken: token, apiUrl: options.apiUrl }) };
    return current.sdk;
  };

  return async (about, send) => {
    const tries: Tries = { access, options, about, token: '', refusedToken: undefined, waits: 0, failures: 0 };
    for (;;) {
      tries.token = await access.accessToken(tries.refusedToken);
      await access.takeTurn(about.kind);
      try {
        // The vendor's library knows no time-outs and can't be stopped.
        const answer = await withDeadline(send(sdkWith(tries.token)), options.deadlineMs, () => new NoAnswer());
        return readReply(about.reply, answer);
      } catch (err) {
        await prepareNextTry(tries, err);
      }
    }
  };
}

type Tries = {
  access: CrmAccess;
  options: CallOptions;
  about: About<z.ZodType>;
  token: string;
  refusedToken: string | undefined;
  waits: number;
  failures: number;
};

/** Throws when there is no next try. A refused token or a rate limit means that nothing was carried out yet. */
async function prepareNextTry(tries: Tries, err: unknown): Promise<void> {
  const { access, options, about } = tries;
  const report = (code: CrmReport['code']) => options.report({ code, message: `${about.name}: ${wordsFor(err)}` });
  const seconds = err instanceof HttpFailure ? err.retryAfterSeconds : undefined;
  if (err instanceof HttpFailure && err.status === 401) {
    if (tries.refusedToken !== undefined) throw toClientError(err);
    tries.refusedToken = tries.token;
  } else if (seconds !== undefined) {
    await access.pause(about.kind, seconds);
    report('CRM_RATE_LIMIT');
    tries.waits += 1;
    if (tries.waits > MOST_WAITS || seconds > LONGEST_WAIT_SECONDS) throw toClientError(err);
  } else if (!isPassing(err)) {
    // What the CRM refused may mean something to the caller: it is not reported here.
    throw err;
  } else if (about.repeat && tries.failures < MOST_RETRIES) {
    report('CRM_RETRIED');
    await sleep(options.retryPauseMs * 3 ** tries.failures);
    tries.failures += 1;
  } else {
    report(err instanceof UnreadableReply ? 'CRM_UNREADABLE' : 'CRM_UNAVAILABLE');
    throw toClientError(err);
  }
}
