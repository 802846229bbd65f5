import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFaultPlan, type Fault, type Faults } from '../faultPlan.ts';
import { type Inbox, openInbox } from '../inbox.ts';
import { listen } from '../listen.ts';
import { answerOf, type BotAnswer, type BotText, botContent, readMessage, refused } from './protocol.ts';

type BotFault = Pick<Fault, 'status' | 'retryAfterSeconds' | 'delayMs' | 'isSilent'>;

export type AlertBotSandbox = {
  /** For `ADMIN_MESSENGER_API_URL`. */
  url: string;
  /** What arrived, oldest first. */
  messages(): readonly BotText[];
  /** The number of requests. */
  calls(): number;
  faults: Faults<BotFault>;
  stop(): Promise<void>;
};

type Options = {
  /** Default: any free one. */
  port?: number;
  token: string;
  chatId: string;
  /** Without it messages don't survive the process. */
  stateDir?: string;
};

/** A bot interface on loopback with one bot and one chat: it speaks Telegram's sendMessage, refusals included. */
export async function startAlertBotSandbox(options: Options): Promise<AlertBotSandbox> {
  const faults = createFaultPlan<BotFault>();
  const inbox = openInbox('messages', options.stateDir, botContent, 'no alerts');
  let calls = 0;

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    calls += 1;
    const body = await readBody(req);
    const fault = faults.take();
    if (fault.delayMs > 0) await sleep(fault.delayMs, undefined, { ref: false });
    if (fault.isSilent) return;
    send(res, fault.status ? plannedRefusal(fault) : take(options, inbox, { method: req.method, url: req.url, body }));
  }

  const server = await listen((req, res) => {
    answer(req, res).catch(() => res.destroy());
  }, options.port ?? 0);
  return { ...server, messages: inbox.messages, calls: () => calls, faults };
}

type RecordedRequest = { method: string | undefined; url: string | undefined; body: unknown };

function take(
  { token, chatId }: Options,
  inbox: Inbox<{ text: string }>,
  { method, url, body }: RecordedRequest,
): BotAnswer {
  if (!/^\/bot[^/]+\//.test(url ?? '')) return refused(404, 'Not Found');
  if (!url?.startsWith(`/bot${token}/`)) return refused(401, 'Unauthorized');
  if (method !== 'POST' || url !== `/bot${token}/sendMessage`) return refused(404, 'Not Found: method not found');
  const message = readMessage(body, chatId);
  if ('refusal' in message) return message.refusal;
  return answerOf(inbox.add(message), chatId);
}

function plannedRefusal({ status = 500, retryAfterSeconds }: BotFault): BotAnswer {
  if (status !== 429) return refused(status, status >= 500 ? 'Internal Server Error' : 'Bad Request');
  const seconds = retryAfterSeconds ?? 1;
  return refused(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}

function send(res: ServerResponse, { status, body }: BotAnswer): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readBody(req: IncomingMessage): Promise<unknown> {
  const body = await text(req);
  try {
    return JSON.parse(body);
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}
