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
    let refusedToken: string | undefined;
    let [waits, failures] = [0, 0];
    const report = (code: CrmReport['code'], err: unknown) =>
      options.report({ code, message: `${about.name}: ${wordsFor(err)}` });
    for (;;) {
      const token = await access.accessToken(refusedToken);
      await access.takeTurn(about.kind);
      try {
        // The vendor's library knows no time-outs and can't be stopped.
        const answer = await withDeadline(send(sdkWith(token)), options.deadlineMs, () => new NoAnswer());
        return readReply(about.reply, answer);
      } catch (err) {
        const failure = err instanceof HttpFailure ? err : undefined;
        // A refused token or a rate limit means that nothing was carried out yet.
        if (failure?.status === 401) {
          if (refusedToken !== undefined) throw toClientError(err);
          refusedToken = token;
        } else if (failure?.retryAfterSeconds !== undefined) {
          await access.pause(about.kind, failure.retryAfterSeconds);
          report('CRM_RATE_LIMIT', err);
          waits += 1;
          if (waits > MOST_WAITS || failure.retryAfterSeconds > LONGEST_WAIT_SECONDS) throw toClientError(err);
        } else if (!isPassing(err)) {
          // What the CRM refused may mean something to the caller: it is not reported here.
          throw err;
        } else if (about.repeat && failures < MOST_RETRIES) {
          report('CRM_RETRIED', err);
          await sleep(options.retryPauseMs * 3 ** failures);
          failures += 1;
        } else {
          report(err instanceof UnreadableReply ? 'CRM_UNREADABLE' : 'CRM_UNAVAILABLE', err);
          throw toClientError(err);
        }
      }
    }
  };
}
