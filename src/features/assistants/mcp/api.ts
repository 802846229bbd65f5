import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import express, { type IRouter, type Request, type RequestHandler, type Response } from 'express';
import { countingBy } from '../../../http/rateLimit.ts';
import { apiTokenOf, rememberTokenUser } from '../../../http/request.ts';
import { ownHostOnly } from '../../../http/sameOrigin.ts';
import { InvalidInput, NotAllowed, WrongToken } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/log.ts';
import type { Queued } from '../../../lib/queue.ts';
import type { ReadLimiter } from '../../../lib/readLimiter.ts';
import { authenticateToken, type Bearer, requireScope, type Uses } from '../tokens/service.ts';
import { createServer } from './createServer.ts';

type Deps = Queued & {
  log: Log;
  uses: Uses;
  readLimiter: ReadLimiter;
  appUrl: string;
  ownerEmail: string | undefined;
  limitTokens: RequestHandler;
};

const PATH = '/mcp';

/**
 * MCP tools over streamable HTTP without sessions: any process can answer any request. Accepts tokens only in the header, no
 * cookies.
 */
export function mcpApi(api: IRouter, deps: Deps): void {
  const bearers = new WeakMap<Request, Bearer>();

  api.use(PATH, (_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  api.use(PATH, ownHostOnly(deps), async (req, _res, next) => {
    const token = apiTokenOf(req);
    if (token === undefined) throw new WrongToken();
    const bearer = await authenticateToken(deps, token);
    rememberTokenUser(req, bearer.user);
    requireScope(deps, bearer, 'assistant');
    bearers.set(req, bearer);
    next();
  });
  api.use(PATH, deps.limitTokens);

  api.post(PATH, express.json({ limit: '100kb' }), async (req, res) => {
    const bearer = bearers.get(req);
    if (!bearer) throw new WrongToken();
    if (!req.accepts('application/json')) return void res.status(406).json(NOT_ACCEPTABLE);
    if (Array.isArray(req.body)) await countBatch(deps, req, res);
    await serveAssistant(deps, bearer, req, res);
  });

  // The server never pushes, and has no sessions to end.
  api.all(PATH, (_req, res, next) => {
    res.set('Allow', 'POST');
    next(new NotAllowed());
  });
}

/** The only version with batches, which clients that name none speak. */
const VERSION_OF_BATCHES = '2025-03-26';

/** Counts each message of a batch as the first was. Throws InvalidInput where there are none, TooManyRequests. */
async function countBatch({ limitTokens }: Deps, req: Request, res: Response): Promise<void> {
  if ((req.get('mcp-protocol-version') ?? VERSION_OF_BATCHES) !== VERSION_OF_BATCHES) {
    throw new InvalidInput('Send one message at a time.', {}, 'NO_BATCH');
  }
  const count = countingBy(limitTokens);
  for (const _ of req.body.slice(1)) await count(req, res);
}

/** The `Accept` header that the SDK requires, although it answers with JSON alone. */
const ACCEPTED = 'application/json, text/event-stream';
const NOT_ACCEPTABLE = {
  jsonrpc: '2.0',
  error: { code: -32_000, message: 'Not Acceptable: Client must accept application/json' },
  id: null,
};

async function serveAssistant(deps: Deps, { user, tokenId, scopes }: Bearer, req: Request, res: Response): Promise<void> {
  const server = createServer(deps, { userId: user.id, tokenId, scopes });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    // The SDK's optional properties may be undefined, which its interface forbids.
    await server.connect(transport as Transport);
    const version = req.get('mcp-protocol-version');
    const headers = {
      Accept: ACCEPTED,
      'Content-Type': req.get('content-type') ?? '',
      ...(version !== undefined && { 'MCP-Protocol-Version': version }),
    };
    const request = new globalThis.Request(new URL(PATH, deps.appUrl), { method: 'POST', headers });
    // Passes the parsed body; the SDK would read it again without our size limit.
    const answer = await transport.handleRequest(request, { parsedBody: req.body ?? null });
    res
      .status(answer.status)
      .set(Object.fromEntries(answer.headers))
      .send(await answer.text());
  } finally {
    // Closes the transport, too.
    await server.close();
  }
}
