import { z } from 'zod';
import type { Arrived } from '../inbox.ts';

/** What the operator's chat shows. */
export const botContent = z.object({ text: z.string() });
/** A message in the operator's chat, as it is read there. */
export type BotText = Arrived<z.output<typeof botContent>>;

export type BotAnswer = { status: number; body: object };

const MAX_TEXT_LENGTH = 4096;
/** The tags the interface knows, without attributes but for those of links and code. */
const TAG = /<\/?(?:b|strong|i|em|u|ins|s|strike|del|code|pre|tg-spoiler|blockquote|a)(?: [^<>]*)?>/g;
const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' };

const message = z.object({
  chat_id: z.union([z.string(), z.number()]).transform(String),
  text: z.string(),
  parse_mode: z.literal('HTML').optional(),
});

export function refused(status: number, description: string, parameters?: object): BotAnswer {
  return { status, body: { ok: false, error_code: status, description, ...(parameters && { parameters }) } };
}

/** Returns the text that the chat shows, or the error. */
export function readMessage(body: unknown, chatId: string): { text: string } | { refusal: BotAnswer } {
  const parsed = message.safeParse(body);
  if (!parsed.success) return badRequest('message text is empty');
  const { chat_id, text, parse_mode } = parsed.data;
  if (chat_id !== chatId) return badRequest('chat not found');
  const shown = parse_mode ? shownText(text) : text;
  if (shown === undefined) return badRequest("can't parse entities");
  if (shown.trim() === '') return badRequest('message text is empty');
  return shown.length > MAX_TEXT_LENGTH ? badRequest('message is too long') : { text: shown };
}

function badRequest(why: string): { refusal: BotAnswer } {
  return { refusal: refused(400, `Bad Request: ${why}`) };
}

/** Returns undefined for invalid markup. */
function shownText(html: string): string | undefined {
  const open: string[] = [];
  for (const [tag] of html.matchAll(TAG)) {
    const name = tag.replace(/[<>/]/g, '').split(' ')[0] ?? '';
    if (!tag.startsWith('</')) open.push(name);
    else if (open.pop() !== name) return undefined;
  }
  const text = html.replace(TAG, '');
  const isBroken = open.length > 0 || /[<>]|&(?!(?:lt|gt|amp|quot);)/.test(text);
  return isBroken ? undefined : text.replace(/&(?:lt|gt|amp|quot);/g, entity => ENTITIES[entity] ?? entity);
}

export function answerOf({ id, at, text }: BotText, chatId: string): BotAnswer {
  const date = Math.floor(Date.parse(at) / 1000);
  const chat = { id: Number(chatId) || chatId, type: 'private' };
  return { status: 200, body: { ok: true, result: { message_id: id, date, chat, text } } };
}
