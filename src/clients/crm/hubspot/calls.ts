import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@hubspot/api-client';
import type { z } from 'zod';
import { withDeadline } from '../../../lib/deadline.ts';
import type { CrmAccess, CrmReport } from '../types.ts';
import {
  describeCallError,
  HttpFailure,
  isProgrammingError,
  isTemporary,
  NoAnswer,
  readReply,
  toClientError,
  UnreadableReply,
} from './failures.ts';

export type CallOptions = {
  apiUrl: string;
  /** Milliseconds for one answer. */
  deadlineMs: number;
  /** Delay before the first retry in milliseconds; it triples with each further retry. */
  retryPauseMs: number;
  report: (failure: CrmReport) => void;
};

type CallDescription<S extends z.ZodType> = {
  /** Name of the call in reports to the operator. */
  name: string;
  kind: 'search' | 'call';
  /** Whether the call may be retried although the first attempt may have succeeded. */
  repeat: boolean;
  reply: S;
};

/**
 * Makes one call within the account's rate limit. Throws {@link HttpFailure} if the CRM refuses the request, otherwise
 * ClientError: after a timeout, an outage, too long a rate limit or an expired sign-in.
 */
export type Call = <S extends z.ZodType>(
  description: CallDescription<S>,
  send: (sdk: Client) => Promise<unknown>,
) => Promise<z.output<S>>;

const MAX_RETRIES = 2;
const MAX_WAITS = 6;
/** If the CRM asks for a longer wait, the call fails instead. */
const MAX_WAIT_SECONDS = 30;

export function createCall(access: CrmAccess, options: CallOptions): Call {
  let current: { token: string; sdk: Client } | undefined;
  const sdkWith = (token: string) => {
    if (current?.token !== token) current = { token, sdk: createSdk({ accessToken: token, apiUrl: options.apiUrl }) };
    return current.sdk;
  };

  return async (description, send) => {
    const tries: Tries = { access, options, description, token: '', refusedToken: undefined, waits: 0, failures: 0 };
    for (;;) {
      tries.token = await access.accessToken(tries.refusedToken);
      await access.takeTurn(description.kind);
      try {
        // The vendor's library has no timeouts, and its calls can't be cancelled.
        const sent = send(sdkWith(tries.token)).catch(throwUnreadable);
        const answer = await withDeadline(sent, options.deadlineMs, () => new NoAnswer());
        return readReply(description.reply, answer);
      } catch (err) {
        await prepareNextTry(tries, err);
      }
    }
  };
}

/** The library takes the form of an answer for granted, and trips over another. */
function throwUnreadable(err: unknown): never {
  throw isProgrammingError(err) || err instanceof SyntaxError ? new UnreadableReply() : err;
}

type Tries = {
  access: CrmAccess;
  options: CallOptions;
  description: CallDescription<z.ZodType>;
  token: string;
  refusedToken: string | undefined;
  waits: number;
  failures: number;
};

/** Waits before the next attempt, or throws if there is none. After a refused token or a rate limit, nothing was written. */
async function prepareNextTry(tries: Tries, err: unknown): Promise<void> {
  const { access, options, description } = tries;
  const report = (code: CrmReport['code']) =>
    options.report({ code, message: `${description.name}: ${describeCallError(err)}` });
  const seconds = err instanceof HttpFailure ? err.retryAfterSeconds : undefined;
  if (err instanceof HttpFailure && err.status === 401) {
    if (tries.refusedToken !== undefined) throw toClientError(err);
    tries.refusedToken = tries.token;
  } else if (seconds !== undefined) {
    await access.pause(description.kind, seconds);
    report('CRM_RATE_LIMIT');
    tries.waits += 1;
    if (tries.waits > MAX_WAITS || seconds > MAX_WAIT_SECONDS) throw toClientError(err);
  } else if (!isTemporary(err)) {
    // A refusal is not reported here: the caller may handle it.
    throw err;
  } else if (description.repeat && tries.failures < MAX_RETRIES) {
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

/** API paths of the library, whose numbered versions end in 2027, and the dated paths that replace them. */
const DATED: [numbered: string, dated: string][] = [
  ['/crm/v3/objects/', '/crm/objects/2026-09/'],
  ['/crm/v3/properties/', '/crm/properties/2026-09/'],
  ['/crm/v4/associations/', '/crm/associations/2026-09/'],
];

/** With an agent of its own, the library doesn't follow redirects, but it then waits for an answer without a time limit. */
const AGENT = { keepAlive: true, timeout: 60_000 };
const AGENTS = { http: closeOnTimeout(new http.Agent(AGENT)), https: closeOnTimeout(new https.Agent(AGENT)) };

function closeOnTimeout<A extends http.Agent>(agent: A): A {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback);
    return socket?.on('timeout', () => socket.destroy());
  };
  return agent;
}

/**
 * The vendor's library with one token. Its retries are off, as they would repeat creations, and so is its rate limiter,
 * which the whole process would share. Failures are thrown before the library adds bodies and headers to them.
 */
export function createSdk({ accessToken, apiUrl }: { accessToken: string; apiUrl: string }): Client {
  return new Client({
    accessToken,
    basePath: apiUrl,
    httpAgent: apiUrl.startsWith('https:') ? AGENTS.https : AGENTS.http,
    middleware: [
      {
        pre(untyped) {
          const request = untyped as SdkRequest;
          const url = DATED.reduce((address, [numbered, dated]) => address.replace(numbered, dated), request.getUrl());
          request.setUrl(url);
          return request;
        },
        post: answer => throwFailure(answer as SdkResponse),
      },
    ],
  });
}

async function throwFailure(answer: SdkResponse): Promise<SdkResponse> {
  if (answer.httpStatusCode < 300) return answer;
  throw new HttpFailure(answer.httpStatusCode, answer.headers['retry-after'], await answer.body.text());
}
