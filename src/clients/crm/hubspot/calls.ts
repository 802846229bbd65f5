import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@hubspot/api-client';
import type { z } from 'zod';
import { withDeadline } from '../../../lib/deadline.ts';
import type { CrmAccess, CrmReport } from '../types.ts';
import { HttpFailure, isPassing, NoAnswer, readReply, toClientError, UnreadableReply, wordsFor } from './failures.ts';

export type CallOptions = {
  apiUrl: string;
  /** Milliseconds for one answer. */
  deadlineMs: number;
  /** Delay before the first retry in milliseconds; it triples with each further retry. */
  retryPauseMs: number;
  report: (failure: CrmReport) => void;
};

type CallDescription<S extends z.ZodType> = {
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
  about: CallDescription<S>,
  send: (sdk: Client) => Promise<unknown>,
) => Promise<z.output<S>>;

const MAX_RETRIES = 2;
const MAX_WAITS = 6;
/** A longer wait is an error instead. */
const MAX_WAIT_SECONDS = 30;

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
  about: CallDescription<z.ZodType>;
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
    if (tries.waits > MAX_WAITS || seconds > MAX_WAIT_SECONDS) throw toClientError(err);
  } else if (!isPassing(err)) {
    // A refusal is not reported here: the caller may handle it.
    throw err;
  } else if (about.repeat && tries.failures < MAX_RETRIES) {
    report('CRM_RETRIED');
    await sleep(options.retryPauseMs * 3 ** tries.failures);
    tries.failures += 1;
  } else {
    report(err instanceof UnreadableReply ? 'CRM_UNREADABLE' : 'CRM_UNAVAILABLE');
    throw toClientError(err);
  }
}

/** Request as the SDK hands it to middleware, typed as unknown there. */
type SdkRequest = { getUrl(): string; setUrl(url: string): void };
type SdkResponse = { httpStatusCode: number; headers: Record<string, string>; body: { text(): Promise<string> } };

/** The library still speaks the numbered versions, which end in 2027. */
const DATED: [numbered: string, dated: string][] = [
  ['/crm/v3/objects/', '/crm/objects/2026-09/'],
  ['/crm/v3/properties/', '/crm/properties/2026-09/'],
  ['/crm/v4/associations/', '/crm/associations/2026-09/'],
];

/** The library follows redirects unless it is given an agent, and then waits for an answer forever. */
const AGENT = { keepAlive: true, timeout: 60_000 };
const AGENTS = { http: closingSilent(new http.Agent(AGENT)), https: closingSilent(new https.Agent(AGENT)) };

function closingSilent<A extends http.Agent>(agent: A): A {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback);
    return socket?.on('timeout', () => socket.destroy());
  };
  return agent;
}

/**
 * The vendor's library with one token. It runs without its own retries, which repeat creates, and without its limiter,
 * which is one for the whole process. Failures are thrown before it turns them into errors with body and headers.
 */
export function createSdk({ accessToken, apiUrl }: { accessToken: string; apiUrl: string }): Client {
  return new Client({
    accessToken,
    basePath: apiUrl,
    httpAgent: apiUrl.startsWith('https:') ? AGENTS.https : AGENTS.http,
    middleware: [{ pre: request => withDate(request as SdkRequest), post: answer => throwFailure(answer as SdkResponse) }],
  });
}

function withDate(request: SdkRequest): SdkRequest {
  const url = DATED.reduce((address, [numbered, dated]) => address.replace(numbered, dated), request.getUrl());
  request.setUrl(url);
  return request;
}

async function throwFailure(answer: SdkResponse): Promise<SdkResponse> {
  if (answer.httpStatusCode < 300) return answer;
  throw new HttpFailure(answer.httpStatusCode, answer.headers['retry-after'], await answer.body.text());
}
