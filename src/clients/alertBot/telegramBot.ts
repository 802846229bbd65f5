import { z } from 'zod';
import { ClientError, type ClientErrorKind, isRedirect } from '../errors.ts';
import type { AlertBot, BotMessage } from './types.ts';

const VENDOR_URL = 'https://api.telegram.org';
const DEADLINE_MS = 10_000;
/** The vendor counts characters without markup; we count the markup too, so a message is never too long. */
const MAX_TEXT_LENGTH = 4096;
const CUT_SIGN = '…';

const reply = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    error_code: z.number(),
    parameters: z.object({ retry_after: z.number().optional() }).optional(),
  }),
]);

type Options = {
  /** A secret that is part of every request URL, so errors of `fetch`, which may contain the URL, are never passed on. */
  token: string;
  chatId: string;
  /** Default: the vendor's own. */
  apiUrl?: string | undefined;
  /** Milliseconds for one answer. Default 10 seconds. */
  deadlineMs?: number;
};

/** The bot that writes to the operator. */
export function createTelegramBot({ token, chatId, apiUrl = VENDOR_URL, deadlineMs = DEADLINE_MS }: Options): AlertBot {
  const url = `${apiUrl.replace(/(?<!\/)\/+$/, '')}/bot${token}/sendMessage`;
  return {
    async send(message) {
      const body = {
        chat_id: chatId,
        text: toHtml(message),
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      };
      const response = await post(url, body, deadlineMs);
      const answer = await readReply(response);
      if (answer?.ok) return;
      throw toRefusalError(answer?.error_code ?? response.status, answer?.parameters?.retry_after);
    },
  };
}

async function post(url: string, body: object, deadlineMs: number): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
    });
  } catch (err) {
    throw toConnectionError(err);
  }
}

async function readReply(response: Response): Promise<z.output<typeof reply> | undefined> {
  let text: string;
  try {
    text = await response.text();
  } catch (err) {
    throw toConnectionError(err);
  }
  try {
    return reply.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Drops the cause, which contains the bot's address. */
function toConnectionError(err: unknown): ClientError {
  const isLate = err instanceof Error && err.name === 'TimeoutError';
  return createAlertBotError('temporary', isLate ? 'TIMEOUT' : 'UNREACHABLE');
}

function toRefusalError(status: number, retryAfter: number | undefined): ClientError {
  if (status === 429) return createAlertBotError('rateLimited', 'RATE_LIMITED', Math.max(1, retryAfter ?? 30));
  if (status === 401 || status === 404) return createAlertBotError('auth', 'BOT_TOKEN_REFUSED');
  if (status === 403) return createAlertBotError('auth', 'CHAT_REFUSED');
  if (isRedirect(status)) return createAlertBotError('permanent', 'REDIRECTED');
  if (status === 400) return createAlertBotError('permanent', 'MESSAGE_REFUSED');
  return createAlertBotError('temporary', status >= 500 ? 'UNAVAILABLE' : 'UNREADABLE_REPLY');
}

function createAlertBotError(kind: ClientErrorKind, code: string, retryAfterSeconds?: number): ClientError {
  const details = { service: 'alertBot', kind, code } as const;
  return new ClientError(retryAfterSeconds === undefined ? details : { ...details, retryAfterSeconds });
}

function toHtml({ title, lines }: BotMessage): string {
  const head = `<b>${cutEscaped(title, 300)}</b>`;
  const body = cutEscaped(lines.map(line => `\n${line}`).join(''), MAX_TEXT_LENGTH - head.length);
  return head + body;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes the text for HTML and cuts the result to that many UTF-16 units, never within an escape or a character. */
function cutEscaped(text: string, longest: number): string {
  const whole = text.replace(/[&<>]/g, sign => ESCAPES[sign] ?? '');
  if (whole.length <= longest) return whole;
  let cut = '';
  for (const sign of text) {
    const next = ESCAPES[sign] ?? sign;
    if (cut.length + next.length + CUT_SIGN.length > longest) break;
    cut += next;
  }
  return cut + CUT_SIGN;
}
