import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { apiTokenOf, rememberTokenUser } from '../../../http/currentUser.ts';
import { ownHostOnly } from '../../../http/ownHost.ts';
import { InvalidInput, NotAllowed, WrongToken } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/log.ts';
import type { Turns } from '../../../lib/turns.ts';
import type { Uses } from '../tokens/createUses.ts';
import { authenticateToken, type Bearer, requireScope } from '../tokens/service.ts';
import { createServer } from './createServer.ts';
import type { ToolDeps } from './service.ts';

type Deps = ToolDeps & {
  log: Log;
  uses: Uses;
  turns: Turns;
  appUrl: string;
  ownerEmail: string | undefined;
  limitTokens: RequestHandler;
};

const PATH = '/mcp';

/**
 * The tools for assistants, over MCP's streamable HTTP without sessions: each request stands alone, so that any process
 * answers it. The token comes in the header alone, and no cookie means anything here.
 */
export function mcpApi(deps: Deps): Router {
  const api = Router();
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
    // One call a request: many in one would all run at once, past the limit.
    if (Array.isArray(req.body)) throw new InvalidInput('Send one message at a time.', {}, 'NO_BATCH');
    await serve(deps, bearer, req, res);
  });

  // Nothing is ever sent without being asked for, and there is no session to end.
  api.all(PATH, (_req, res, next) => {
    res.set('Allow', 'POST');
    next(new NotAllowed());
  });

  return api;
}

async function serve(deps: Deps, { user, tokenId, scopes }: Bearer, req: Request, res: Response): Promise<void> {
  const server = createServer(deps, { userId: user.id, tokenId, scopes });
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  res.once('close', () => {
    // Closes the transport, too.
    server.close().catch(err => deps.log.warn({ err }, 'MCP request not closed'));
  });
  // Its optional properties are declared as possibly undefined, which the interface doesn't allow.
  await server.connect(transport as Transport);
  // Without a body of ours it would read one itself, past our limit and what we refuse.
  await transport.handleRequest(req, res, req.body ?? null);
}
