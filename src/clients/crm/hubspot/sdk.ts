import http from 'node:http';
import https from 'node:https';
import { Client } from '@hubspot/api-client';
import { HttpFailure } from './failures.ts';

/** What the library hands to middleware, which it types as unknown. */
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
    middleware: [
      { pre: request => withDate(request as SdkRequest), post: answer => throwFailure(answer as SdkResponse) },
    ],
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
